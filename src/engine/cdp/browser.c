#include "engine/browser.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "engine/cdp/cast.h"
#include "engine/cdp/cdp.h"
#include "engine/cdp/targets.h"

#define BLOB_STORES "site_storage/blob_storage/" /* in the names of Chromium's dumps, with an address; one for each context */

static void browser_on_attached(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;
	struct engine_attachment a;

	if (e->attached && cdp_read_attachment(params, &a) && !cdp_cast_expects(root, a.target.id))
		e->attached(root, &a, e->data);
}

static void browser_on_detached(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;

	if (e->detached)
		e->detached(json_text(params, "sessionId"), e->data);
}

static void on_download_begun(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;

	if (e->download_begun)
		e->download_begun(
			&(const struct download_begun){
				.guid = json_text(params, "guid"),
				.frame = json_text(params, "frameId"),
				.url = json_text(params, "url"),
				.name = json_text(params, "suggestedFilename"),
			},
			e->data);
}

static void on_download_progress(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;
	const char *state = json_str(params, "state");

	if (e->download_progress && state)
		e->download_progress(
			&(const struct download_progress){
				.guid = json_text(params, "guid"),
				.state = strcmp(state, "completed") == 0  ? DOWNLOAD_COMPLETE :
					 strcmp(state, "inProgress") == 0 ? DOWNLOAD_GOES_ON :
									    DOWNLOAD_CANCELLED,
				.received = json_num(params, "receivedBytes", 0),
				.total = json_num(params, "totalBytes", 0),
			},
			e->data);
}

static void on_trace(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;

	if (!e->blobs)
		return;
	json_foreach(event, json_get(params, "value"))
		json_foreach(entry, json_get(event, "args.dumps.allocators"))
			if (starts_with(json_name(entry), BLOB_STORES))
				e->blobs(json_name(entry), strtoull(json_text(entry, "attrs.size.value"), NULL, 16), e->data);
}

static void on_trace_complete(struct engine_target *root, const struct json *params, void *data)
{
	const struct engine_browser_events *e = data;

	if (e->blobs_counted)
		e->blobs_counted(e->data);
}

static const struct cdp_event root_events[] = {
	{ "Target.attachedToTarget", browser_on_attached },
	{ "Target.detachedFromTarget", browser_on_detached },
	{ "Browser.downloadWillBegin", on_download_begun },
	{ "Browser.downloadProgress", on_download_progress },
	{ "Tracing.dataCollected", on_trace, .longest = LIMIT_CDP_MESSAGE }, /* pages choose the number of blobs */
	{ "Tracing.tracingComplete", on_trace_complete },
	{},
};

void engine_close(struct engine_target *root)
{
	cdp_post(root, "Browser.close", "{}");
}

void engine_listen(struct engine_target *root, const struct engine_browser_events *e)
{
	cdp_session_listen(root, root_events, (void *)e);
}

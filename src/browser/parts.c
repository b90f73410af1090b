/* Which parts contexts and browsers have, and what a browser reports to them. */
#include "browser/parts.h"

#include "base/limits.h"
#include "browser/blob_limit.h"
#include "browser/internal.h"
#include "engine/cdp/cdp.h"

static const struct cdp_event events[] = {
	{ "Target.attachedToTarget", contexts_on_attached },
	{ "Target.detachedFromTarget", contexts_on_detached },
	{ "Browser.downloadWillBegin", downloads_on_begun },
	{ "Browser.downloadProgress", downloads_on_progress },
	{ "Tracing.dataCollected", blob_limit_on_trace, .longest = LIMIT_CDP_MESSAGE }, /* pages choose the number of blobs */
	{ "Tracing.tracingComplete", blob_limit_on_trace_complete },
	{},
};

static void listen(struct browser *b, struct engine_target *root)
{
	cdp_session_listen(root, events, b);
}

#define CONTEXT_PART(name) [CONTEXT_##name] = &name##_part,
#define BROWSER_PART(name) [BROWSER_##name] = &name##_part,

static const struct parts parts = {
	.of_context = { CONTEXT_PARTS(CONTEXT_PART) },
	.of_browser = { BROWSER_PARTS(BROWSER_PART) },
	.listen = listen,
};

struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(struct browser *b, void *data),
			    void *data)
{
	return browser_of_parts(l, options, &parts, died, data);
}

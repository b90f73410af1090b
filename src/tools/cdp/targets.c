/* cdp_list_targets, cdp_observe, cdp_stop_observe. */
#include <string.h>

#include "base/limits.h"
#include "tools/cdp/cdp_tool.h"
#include "tools/cdp/tools.h"

#define ANSWER_USEC (15 * USEC_PER_SEC) /* time for another browser to reply */

/* ---- the list ---- */

struct cdp_list_targets {
	const char *host, *filterUrlIncludes;
	int port;
	struct string_list types;
};

static const struct param cdp_list_targets_params[] = {
	PARAM(cdp_list_targets, host, HOST_ABOUT),
	PARAM(cdp_list_targets, port, PORT_ABOUT, .min = 1, .max = PORT_MAX),
	PARAM(cdp_list_targets, filterUrlIncludes, "Substring of the URL"),
	PARAM(cdp_list_targets, types, "Such as page, iframe, worker, service_worker; default: all"),
	{},
};

struct listing {
	const struct cdp_list_targets *wanted;
	struct str text;
};

static void targets_listing_done(struct listing *l)
{
	str_done(&l->text);
}

static bool is_wanted(const struct cdp_list_targets *wanted, const char *type, const char *url)
{
	bool any = wanted->types.count == 0;

	for (size_t i = 0; i < wanted->types.count; i++)
		any |= strcmp(wanted->types.items[i], type) == 0;
	return any && (!wanted->filterUrlIncludes || strstr(url, wanted->filterUrlIncludes));
}

/* `session`: the session of the page; may be NULL. */
static void list_target(struct listing *l, const struct target_info *info, const char *session, bool attached)
{
	if (!is_wanted(l->wanted, info->type, info->url))
		return;
	if (l->text.len)
		str_append_char(&l->text, ',');
	str_json(&l->text, "{id: ?, type: ?, title: ?, url: ?, attached: ?", info->id, info->type, info->title, info->url,
		 attached);
	if (session)
		str_json(&l->text, ", sessionId: ?", session);
	str_append_char(&l->text, '}');
}

static bool is_observed(struct observers *o, uint64_t owner, const char *target_id)
{
	const struct observation *ob = observers_get(o, owner, target_id);

	return ob && observation_attached(ob);
}

/* Lists the pages of the owner's sessions. Suspends. */
static int list_own(struct task *t, struct app *app, uint64_t owner, struct listing *l)
{
	_cleanup_(target_list_done) struct target_list all = {};
	int r;

	r = registry_open_pages(t, app->registry, owner);
	if (r == 0)
		r = app_targets(t, app, owner, &all);
	for (size_t i = 0; i < all.count; i++) {
		const char *id = all.items[i].id, *session = registry_session_of(app->registry, owner, id);

		if (session)
			list_target(l, &all.items[i], session, is_observed(app->observers, owner, id));
	}
	return r;
}

static int list_by_port(struct task *t, struct port *port, struct listing *l)
{
	_cleanup_(target_list_done) struct target_list all = {};
	int r;

	r = observed_browser_targets(t, port_browser(port), &all);
	for (size_t i = 0; i < all.count; i++)
		list_target(l, &all.items[i], NULL, all.items[i].attached);
	return r;
}

static int cdp_list_targets_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_list_targets *a = args;
	_cleanup_(targets_listing_done) struct listing l = { .wanted = a };
	_cleanup_(port_leavep) struct port *port = NULL;
	int r;

	task_set_deadline(t, clock_now() + ANSWER_USEC);
	r = observers_port(t, call_observers(call), a->host, a->port, &port);
	if (r == 0 && !a->host && !a->port)
		r = list_own(t, call_app(call), call_owner(call), &l);
	if (r == 0 && port)
		r = list_by_port(t, port, &l);
	if (r == 0)
		result_json(res, "{targets: [?]}", JSON_RAW(str_text(&l.text)));
	return r;
}

const struct tool tool_cdp_list_targets = CDP_TOOL(
	"cdp_list_targets", "List targets", cdp_list_targets, "List the pages, frames and workers that cdp_observe can observe.",
	"{\"type\":\"object\",\"properties\":{\"targets\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"id\":{\"type\":\"string\"},\"type\":{\"type\":\"string\"},\"title\":{\"type\":\"string\"},"
	"\"url\":{\"type\":\"string\"},\"attached\":{\"type\":\"boolean\"},\"sessionId\":{\"type\":\"string\"}},"
	"\"required\":[\"id\",\"type\",\"title\",\"url\",\"attached\"]}}},\"required\":[\"targets\"]}",
	.read_only = true);

/* ---- begin and end ---- */

struct cdp_observe {
	const char *host, *targetId, *urlIncludes;
	int port, bufferSize, ttlSec;
	bool includeWorkers, includeIframes;
};

#define TTL_MAX_SEC (7 * 24 * 3600)

static const struct param cdp_observe_params[] = {
	PARAM(cdp_observe, host, HOST_ABOUT),
	PARAM(cdp_observe, port, PORT_ABOUT, .min = 1, .max = PORT_MAX),
	PARAM(cdp_observe, targetId, "id from cdp_list_targets; give this or urlIncludes", .empty_is_none = true),
	PARAM(cdp_observe, urlIncludes, "Substring of the URL; the first target that has it is observed", .empty_is_none = true),
	PARAM(cdp_observe, includeWorkers, "Also observe its workers and service workers"),
	PARAM(cdp_observe, includeIframes, "Also observe its frames from other sites"),
	PARAM(cdp_observe, bufferSize, "Events to keep; the oldest are dropped first. Default: the server's", .min = 1,
	      .max = LIMIT_OBSERVED_BUFFER),
	PARAM(cdp_observe, ttlSec, "Seconds after the last event until all are deleted. Default: the server's", .min = 1,
	      .max = TTL_MAX_SEC),
	{}
};

static const struct cdp_observe cdp_observe_defaults = { .includeWorkers = true, .includeIframes = true };

static int cdp_observe_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_observe *a = args;
	struct observation *ob = NULL;
	const char *id;
	int r = 0;

	task_set_deadline(t, clock_now() + ANSWER_USEC);
	if (!a->host && !a->port)
		r = registry_open_pages(t, call_app(call)->registry, call_owner(call));
	if (r < 0)
		return r;
	r = observers_observe(t, call_observers(call),
			      &(const struct observe_request){
				      .owner = call_owner(call),
				      .host = a->host,
				      .port = a->port,
				      .target_id = a->targetId,
				      .url_includes = a->urlIncludes,
				      .workers = a->includeWorkers,
				      .frames = a->includeIframes,
				      .buffer_size = (size_t)a->bufferSize,
				      .ttl = (usec_t)a->ttlSec * USEC_PER_SEC,
			      },
			      &ob);
	if (r < 0)
		return r;
	id = observation_target_id(ob);
	result_json(res, "{targetId: ?, resourceUri: ?, attached: true}", id, arena_printf(task_arena(t), "cdp://events/%s", id));
	return 0;
}

const struct tool tool_cdp_observe = CDP_TOOL(
	"cdp_observe", "Observe a target", cdp_observe,
	"Start storing the console messages and network traffic of a page, its workers and frames. Then use cdp_read_events or wait_for_event; "
	"end with cdp_stop_observe.",
	"{\"type\":\"object\",\"properties\":{\"targetId\":{\"type\":\"string\"},\"resourceUri\":{\"type\":\"string\"},"
	"\"attached\":{\"type\":\"boolean\"}},\"required\":[\"targetId\",\"resourceUri\",\"attached\"]}",
	.not_destructive = true, .defaults = &cdp_observe_defaults);

struct cdp_stop_observe {
	const char *targetId;
	bool dropBuffer;
};

static const struct param cdp_stop_observe_params[] = {
	PARAM(cdp_stop_observe, targetId, TARGET_ID_ABOUT, .required = true),
	PARAM(cdp_stop_observe, dropBuffer, "Delete the stored events; default: they stay readable"),
	{},
};

static int cdp_stop_observe_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_stop_observe *a = args;
	int r;

	r = observers_stop(t, call_observers(call), call_owner(call), a->targetId, a->dropBuffer);
	if (r == 0)
		result_json(res, "{stopped: true}");
	return r;
}

const struct tool tool_cdp_stop_observe =
	CDP_TOOL("cdp_stop_observe", "Stop observing", cdp_stop_observe,
		 "End one cdp_observe. Recording stops with the last one of a target.",
		 "{\"type\":\"object\",\"properties\":{\"stopped\":{\"type\":\"boolean\"}},\"required\":[\"stopped\"]}",
		 .not_destructive = true);

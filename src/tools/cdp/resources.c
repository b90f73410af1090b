#include "tools/cdp/resources.h"

#include <errno.h>
#include <string.h>

#include "act/screenshot.h"
#include "act/snapshot.h"
#include "base/limits.h"
#include "observe/har.h"
#include "observe/lines.h"
#include "observe/redact.h"
#include "page/body.h"
#include "reply/artifact_contents.h"
#include "reply/artifacts.h"
#include "reply/picture.h"
#include "tools/cdp/cdp_tool.h"

#define EVENTS_URI "cdp://events/"
#define HAR_URI "cdp://har/"
#define BODIES_QUERY "?bodies=true"
#define SESSION_URI "session://"

enum session_part { PART_CONSOLE, PART_NETWORK, PART_SCREENSHOT, PART_SNAPSHOT };

static const struct {
	const char *name, *type, *about;
} part_table[] = {
	[PART_CONSOLE] = { "console", "text/plain", "Console messages of the current document" },
	[PART_NETWORK] = { "network", "text/plain", "Requests since the page was opened" },
	[PART_SCREENSHOT] = { "screenshot", "image/png", "What the page looks like now" },
	[PART_SNAPSHOT] = { "snapshot", "text/plain", "The page as a tree of roles, names and states" },
};

#define TEMPLATE(uri, name, type, about) \
	"{\"uriTemplate\":\"" uri "\",\"name\":\"" name "\",\"mimeType\":\"" type "\",\"description\":\"" about "\"}"

/* ---- the list ---- */

static void list_one(struct str *out, const char *uri, const char *id, const char *name, const char *type, const char *about)
{
	_cleanup_(str_done) struct str address = {};

	str_appendf(&address, "%s%s", uri, id);
	if (out->len)
		str_append_char(out, ',');
	str_json(out, "{uri: ?, name: ?, mimeType: ?, description: ?}", address.data, name, type, about);
}

static void list_artifact(const struct artifact *a, void *out)
{
	if (((struct str *)out)->len)
		str_append_char(out, ',');
	str_json(out, "{uri: ?, name: ?, mimeType: ?, size: ?}", a->uri, a->name, a->type, a->size);
}

static void list_session(struct str *out, const struct session *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(part_table); i++) {
		_cleanup_(str_done) struct str rest = {};

		str_appendf(&rest, "%s/%s", session_id(s), part_table[i].name);
		list_one(out, SESSION_URI, rest.data, part_table[i].name, part_table[i].type, part_table[i].about);
	}
}

static void resources_list(struct str *out, uint64_t owner, void *data)
{
	const struct app *app = data;
	const struct session *s = NULL;
	struct observation *ob = NULL;

	while ((ob = observers_next(app->observers, owner, ob))) {
		const char *id = observation_target_id(ob);

		list_one(out, EVENTS_URI, id, "events", "application/json", "Console and network events of an observed target");
		list_one(out, HAR_URI, id, "har", "application/json", "Its requests as an HTTP archive");
	}
	while ((s = registry_next(app->registry, owner, s)))
		list_session(out, s);
	artifacts_each(app->output.artifacts, owner, list_artifact, out);
}

/* Completes the ids of existing targets and sessions. */
static void resources_complete(struct mcp_completion *c, uint64_t owner, void *data)
{
	const struct app *app = data;
	const struct session *s = NULL;
	struct observation *ob = NULL;

	while (!strcmp(c->argument, "sessionId") && (s = registry_next(app->registry, owner, s)))
		mcp_completion_offer(c, session_id(s));
	while (!strcmp(c->argument, "targetId") && (ob = observers_next(app->observers, owner, ob)))
		mcp_completion_offer(c, observation_target_id(ob));
}

/* ---- observed targets ---- */

static void resources_append_text(struct str *out, const char *uri, const char *type, const char *text)
{
	str_json(out, "{uri: ?, mimeType: ?, text: ?}", uri, type, text);
}

/* Reads the newest events; cdp_read_events reads from a given offset. */
static int read_events(struct observation *ob, const char *uri, struct str *out)
{
	uint64_t end = observation_excerpt(ob).end, offset = end > EVENTS_DEFAULT ? end - EVENTS_DEFAULT : 0;
	_cleanup_(str_done) struct str events = {}, text = {};

	event_list(&events, ob, NULL, &offset, EVENTS_DEFAULT);
	str_json(&text, "{nextOffset: ?, events: [?]}", offset, JSON_RAW(str_text(&events)));
	resources_append_text(out, uri, "application/json", text.data);
	return 0;
}

struct bodies {
	struct har_body *rows; /* in the task's arena */
	size_t count, bytes;
};

static void add_body(struct task *t, struct bodies *b, uint64_t seq, const char *text, bool encoded)
{
	_cleanup_(str_done) struct str masked = {};

	str_append(&masked, text);
	if (!encoded)
		redact(&masked);
	b->rows[b->count++] =
		(struct har_body){ .seq = seq, .text = arena_strdup(task_arena(t), str_text(&masked)), .encoded = encoded };
}

static bool resources_has_body(const struct journal *j, const struct observed *request)
{
	const struct observed *response = request_response(j, request);

	return response && !response->response.redirect;
}

/* Fetches response bodies. Omits those that the browser no longer has, and those beyond LIMIT_OBSERVED_ANSWER in total. Suspends. */
static int fetch_bodies(struct task *t, struct page *p, const struct journal_excerpt *v, struct bodies *b)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	const struct observed *e;
	uint64_t offset = 0;
	int r = 0;

	b->rows = arena_alloc(task_arena(t),
			      (size_t)(journal_end(page_journal(p)) - journal_first(page_journal(p))) * sizeof(*b->rows));
	while (r != -ECANCELED && r != -ETIMEDOUT && (e = journal_excerpt_next(page_journal(p), v, &requests, &offset))) {
		_cleanup_(fetched_body_done) struct fetched_body body = {};
		uint64_t seq = e->seq;

		if (!resources_has_body(page_journal(p), e))
			continue;
		r = page_response_body(t, p, seq, &body);
		if (r < 0 || b->bytes + strlen(body.text) > LIMIT_OBSERVED_ANSWER)
			continue;
		b->bytes += strlen(body.text);
		add_body(t, b, seq, body.text, body.is_base64);
	}
	return r == -ECANCELED || r == -ETIMEDOUT ? r : 0;
}

static int read_har(struct task *t, _borrowed_ struct observation *ob, const char *uri, bool with_bodies, struct str *out)
{
	_cleanup_(page_unrefp) struct page *page = page_ref(observation_page(ob));
	_cleanup_(str_done) struct str text = {};
	struct journal_filter filter = journal_filter_copy(task_arena(t), observation_filter(ob));
	struct journal_excerpt v = observation_excerpt(ob);
	struct bodies bodies = {};
	int r;

	v.filter = &filter; /* the observation may end meanwhile */
	r = with_bodies ? fetch_bodies(t, page, &v, &bodies) : 0;

	if (r < 0)
		return r;
	har_write(&text, page_journal(page), &v, page_url(page), bodies.rows, bodies.count);
	resources_append_text(out, uri, "application/json", text.data);
	return 0;
}

/* ---- sessions ---- */

static void resources_append_console(struct str *text, const struct journal *j, const struct message_form *form)
{
	static const struct journal_query messages = { .kinds = OBSERVED_MESSAGES };
	uint64_t offset = journal_document(j);
	const struct observed *e;

	while ((e = journal_next(j, &messages, &offset))) {
		message_line(text, e, form);
		str_append_char(text, '\n');
	}
}

static void append_network(struct str *text, const struct journal *j)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	uint64_t offset = journal_restarted(j);
	const struct observed *e;

	while ((e = journal_next(j, &requests, &offset))) {
		if (!e->sent.number)
			continue;
		request_line(text, j, e);
		str_append_char(text, '\n');
	}
}

/* A PNG, as the list of resources says. */
static int read_screenshot(struct task *t, const struct app *app, struct page *p, const char *uri, struct str *out)
{
	struct capture how = { .format = "png", .device_scale = true };
	struct picture pic;
	int r;

	picture_plan(app->answers, &(const struct picture_wish){ .type = true }, &how);
	r = page_capture(t, p, &how, &pic);
	if (r == 0)
		str_json(out, "{uri: ?, mimeType: 'image/png', blob: ?}", uri, pic.base64);
	return r;
}

static int resources_read_part(struct task *t, const struct app *app, struct page *p, enum session_part part, const char *uri,
			       struct str *out)
{
	const struct message_form form = response_message_form(app->answers);
	_cleanup_(str_done) struct str text = {};
	int r = 0;

	switch (part) {
	case PART_SCREENSHOT:
		return read_screenshot(t, app, p, uri, out);
	case PART_SNAPSHOT:
		r = frame_snapshot(t, page_main_frame(p), &(const struct snapshot_options){}, &text, NULL);
		break;
	case PART_CONSOLE:
		resources_append_console(&text, page_journal(p), &form);
		break;
	case PART_NETWORK:
		append_network(&text, page_journal(p));
		break;
	}
	if (r == 0)
		resources_append_text(out, uri, part_table[part].type, str_text(&text));
	return r;
}

/* Only an existing session has resources, even if calls create sessions for unknown ids. */
static bool exists(const struct registry *registry, uint64_t owner, const char *id)
{
	const struct session *s = NULL;

	while ((s = registry_next(registry, owner, s)))
		if (!strcmp(session_id(s), id))
			return true;
	return false;
}

static int read_session(struct task *t, struct app *app, uint64_t owner, const char *uri, const char *path, struct str *out)
{
	_cleanup_(session_leavep) struct session *s = NULL;
	_cleanup_(page_unrefp) struct page *page = NULL;
	const char *slash = strrchr(path, '/');
	const char *id = slash ? arena_strndup(task_arena(t), path, (size_t)(slash - path)) : NULL;
	size_t part = 0;
	int r;

	while (slash && part < ARRAY_SIZE(part_table) && strcmp(part_table[part].name, slash + 1) != 0)
		part++;
	if (!slash || part == ARRAY_SIZE(part_table) || !exists(app->registry, owner, id))
		return -ENOENT;
	r = session_enter(t, app->registry, owner, id, &s);
	if (r == 0)
		r = session_page(t, s, &page);
	return r < 0 ? r : resources_read_part(t, app, page, (enum session_part)part, uri, out);
}

/* ---- all ---- */

/* The observation that an events or archive URI names, if `owner` may see it. */
static struct observation *resources_find_observation(const struct app *app, uint64_t owner, const char *uri)
{
	const char *start = starts_with(uri, EVENTS_URI) ? EVENTS_URI : starts_with(uri, HAR_URI) ? HAR_URI : NULL;
	const char *id = start ? uri + strlen(start) : "";
	_cleanup_(freep) char *target = must(strndup(id, start && !strcmp(start, HAR_URI) ? strcspn(id, "?") : strlen(id)));

	return start ? observers_get(app->observers, owner, target) : NULL;
}

static bool visible(void *data, uint64_t owner, const char *uri)
{
	const struct app *app = data;
	_cleanup_(freep) char *id = starts_with(uri, SESSION_URI) ? must(strdup(uri + strlen(SESSION_URI))) : NULL;
	char *slash = id ? strrchr(id, '/') : NULL;

	if (!slash)
		return resources_find_observation(app, owner, uri);
	*slash = '\0';
	return exists(app->registry, owner, id);
}

static int read(struct task *t, void *data, uint64_t owner, const char *uri, struct str *out)
{
	struct app *app = data;
	struct observation *ob;

	task_set_deadline(t, clock_now() + app->timeouts->navigation);
	if (starts_with(uri, SESSION_URI))
		return read_session(t, app, owner, uri, uri + strlen(SESSION_URI), out);
	if (starts_with(uri, ARTIFACT_URI))
		return artifact_read(t, app->output.artifacts, owner, uri, out);
	ob = resources_find_observation(app, owner, uri);
	if (!ob)
		return -ENOENT;
	if (starts_with(uri, EVENTS_URI))
		return read_events(ob, uri, out);
	return read_har(t, ob, uri, !strcmp(uri + strcspn(uri, "?"), BODIES_QUERY), out);
}

const struct mcp_resources resource_table = {
	.list = resources_list,
	.complete = resources_complete,
	.templates = TEMPLATE(EVENTS_URI "{targetId}", "events", "application/json", "The newest console and network events of an observed target") "," TEMPLATE(HAR_URI "{targetId}{?bodies}", "har", "application/json", "Its requests as an HTTP archive, bodies=true with bodies") "," TEMPLATE(
		ARTIFACT_URI "{number}/{name}", "file", "application/octet-stream",
		"A file that a tool has written") "," TEMPLATE(SESSION_URI "{sessionId}/console", "console", "text/plain",
							       "Console messages of the current document") "," TEMPLATE(SESSION_URI
															"{sessionId}/network",
															"network",
															"text/plain",
															"Requests since the page was opened") "," TEMPLATE(SESSION_URI
																					   "{sessionId}/screenshot",
																					   "screenshot",
																					   "image/png",
																					   "What the page looks like now") "," TEMPLATE(SESSION_URI
																											"{sessionId}/snapshot",
																											"snapshot",
																											"text/plain",
																											"The page as a tree of roles, names and states"),
	.read = read,
	.visible = visible,
};

static void notify_updated(const struct mcp_server *server, const char *start, const char *id, const char *rest)
{
	_cleanup_(str_done) struct str uri = {};

	str_appendf(&uri, "%s%s%s", start, id, rest);
	mcp_resource_updated(server, uri.data);
}

static void on_news(struct observation *ob, void *data)
{
	const struct mcp_server *server = data;
	const struct app *app = server->data;
	const char *id = observation_target_id(ob);
	const struct session *s = registry_find_holder(app->registry, id);

	notify_updated(server, EVENTS_URI, id, "");
	notify_updated(server, HAR_URI, id, "");
	if (s) {
		notify_updated(server, SESSION_URI, session_id(s), "/console");
		notify_updated(server, SESSION_URI, session_id(s), "/network");
	}
}

void resources_begin(struct mcp_server *server)
{
	observers_on_news(((const struct app *)server->data)->observers, on_news, server);
}

void resources_after_call(const struct mcp_server *server, struct mcp_call *call)
{
	struct client *client = call_client(call);
	uint64_t *seen = client->owner ? &client->resources_seen : &client->app->resources_seen, hash;
	_cleanup_(str_done) struct str now = {};

	if (!server->resources)
		return;
	server->resources->list(&now, client->owner, server->data);
	hash = now.len ? str_hash(&now) : 0;
	if (hash != *seen)
		mcp_resources_changed(server, client->owner);
	*seen = hash;
}

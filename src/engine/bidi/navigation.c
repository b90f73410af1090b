/*
 * Documents that a page is made to open, and its history. Firefox answers a navigation that becomes a download, or changes the fragment only, like
 * any other, so contexts.c and downloads.c complete the call with what it became when they hear of that.
 */
#include "engine/navigation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/internal.h"

/* Asks how far a document has come whose events have passed. */
struct look_at_document {
	struct engine_call call;
	struct engine_target *target;
	unsigned commits; /* of its page when that was asked */
};

static void report_states(struct engine_target *s, const char *ready_state)
{
	const struct bidi_context *x = s->context;
	bool is_complete = strcmp(ready_state, "complete") == 0;

	if (is_complete || strcmp(ready_state, "interactive") == 0)
		REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_DOMCONTENTLOADED);
	if (is_complete)
		REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_LOAD);
	if (is_complete)
		REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_NETWORKIDLE);
}

static void on_ready_state(struct engine_call *call, void *data)
{
	struct look_at_document *look = data;
	struct engine_target *s = look->target;

	if (call->result == 0 && s->context && s->context->commits == look->commits)
		report_states(s, json_text(bidi_result(call), "result.value"));
	engine_call_done(call);
	free(look);
}

/*
 * All documents are reported anyway, but for the one that a page shows by now. Replies may overtake each other, so this document is reported before
 * anything else is sent: reported later, it would be taken for the document of the next navigation.
 */
void engine_report_documents(struct engine_target *s)
{
	struct look_at_document *look;

	if (!s || !s->context)
		return;
	REPORT(s, frames, loaded, s, s->id, bidi_document(s->context), LOAD_COMMIT);
	look = NEW(struct look_at_document);
	*look = (struct look_at_document){ .target = s, .commits = s->context->commits };
	if (bidi_request(
		    s, &look->call, on_ready_state, look, 0, "script.evaluate",
		    "{expression: 'document.readyState', target: {context: ?, sandbox: 'browserd-state'}, awaitPromise: false}",
		    s->id) < 0)
		free(look);
}

/* `context`: that of the page itself, or of one of its frames. */
static void send_to(struct task *t, struct engine_target *s, struct engine_call *call, const char *context, const char *url)
{
	if (s && s->context)
		s->context->asked[0] = '\0';
	bidi_send_or_post(t, s, call, "browsingContext.navigate", "{context: ?, url: ?, wait: 'none'}", context, url);
}

void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url)
{
	send_to(t, s, call, s ? s->id : "", url);
}

void engine_navigate_frame(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *url)
{
	send_to(t, s, call, frame, url);
}

bool bidi_is_navigation(const struct engine_call *call)
{
	return strcmp(call->method, "browsingContext.navigate") == 0;
}

void bidi_end_navigation(struct engine_target *s, const char *became)
{
	struct bidi_pending *p;
	struct json *reply = NULL;

	TAILQ_FOREACH(p, &s->pending, link)
		if (p->call && bidi_is_navigation(p->call))
			break;
	if (p && json_parse(became, strlen(became), 8, JSON_REPLACE_UNREPRESENTABLE, &reply) == 0)
		bidi_complete(s->connection, p, 0, reply);
}

/* "Error: NS_ERROR_UNKNOWN_HOST" has the browser's name of the reason behind its first word. Addresses are refused with other codes. */
void bidi_read_navigation(const struct engine_target *s, struct json **reply)
{
	static const char before[] = "Error: ";
	const char *message = json_text(*reply, "message"), *asked = s->context && s->context->asked[0] ? s->context->asked : NULL;
	bool is_refused = asked && strcmp(asked, s->context->refused) == 0;
	_cleanup_(str_done) struct str became = {};
	struct json *result = NULL;

	if (strcmp(json_text(*reply, "error"), "unknown error") != 0 || strncmp(message, before, strlen(before)) != 0)
		return;
	str_json(&became, "{result: {navigation: ?, failed: ?}}", asked, is_refused ? BIDI_REFUSED : message + strlen(before));
	if (json_parse(became.data, became.len, 8, JSON_REPLACE_UNREPRESENTABLE, &result) < 0)
		return;
	json_free(*reply);
	*reply = result;
}

/* Whether the proxy of the page's context, if it has one, may not have connected: its answers have the names of the connection's own ends. */
static bool may_be_unproxied(const char *error)
{
	static const char *const names[] = { "NS_ERROR_CONNECTION_REFUSED", "NS_ERROR_UNKNOWN_HOST", "NS_ERROR_NET_TIMEOUT",
					     "NS_ERROR_PROXY_CONNECTION_REFUSED", "NS_ERROR_UNKNOWN_PROXY_HOST" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], error) == 0)
			return true;
	return false;
}

/* Other navigations take the place of one that has not ended. */
static bool was_given_up(const char *error)
{
	return strcmp(error, "NS_BINDING_ABORTED") == 0 || strstr(error, "interrupted an unfinished navigation");
}

struct engine_navigated engine_navigated(const struct engine_call *call)
{
	const struct json *result = bidi_result(call);
	bool is_download = json_bool(result, "isDownload", false);
	const char *error = is_download ? "NS_BINDING_ABORTED" : json_str(result, "failed");

	return (struct engine_navigated){
		.document = json_str(result, "navigation"),
		.error = error,
		.is_aborted = error && was_given_up(error),
		.is_unproxied = error && may_be_unproxied(error),
		.is_download = is_download,
	};
}

void engine_stop_loading(struct engine_target *s)
{
	engine_run_in_page(s, "window.stop()");
}

/* Without a wait it would be answered at once; the new document is reported by events. */
int engine_reload(struct task *t, struct engine_target *s)
{
	return bidi_call(t, s, NULL, 0, "browsingContext.reload", "{context: ?, wait: 'none'}", s ? s->id : "");
}

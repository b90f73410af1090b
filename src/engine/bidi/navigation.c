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

	REPORT(s, frames, loaded, s, x->id, bidi_document(x), LOAD_COMMIT);
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

/* All documents are reported anyway, but for the one that a page shows by now. */
void engine_report_documents(struct engine_target *s)
{
	struct look_at_document *look;

	if (!s || !s->context)
		return;
	look = NEW(struct look_at_document);
	*look = (struct look_at_document){ .target = s, .commits = s->context->commits };
	if (bidi_request(
		    s, &look->call, on_ready_state, look, 0, "script.evaluate",
		    "{expression: 'document.readyState', target: {context: ?, sandbox: 'browserd-state'}, awaitPromise: false}",
		    s->id) < 0)
		free(look);
}

void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url)
{
	bidi_send_or_post(t, s, call, "browsingContext.navigate", "{context: ?, url: ?, wait: 'none'}", s ? s->id : "", url);
}

void engine_navigate_frame(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *url)
{
	bidi_send(t, s, call, 0, "browsingContext.navigate", "{context: ?, url: ?, wait: 'none'}", frame, url);
}

void bidi_end_navigation(struct engine_target *s, const char *became)
{
	struct bidi_pending *p;
	struct json *reply = NULL;

	TAILQ_FOREACH(p, &s->pending, link)
		if (p->call && strcmp(p->call->method, "browsingContext.navigate") == 0)
			break;
	if (p && json_parse(became, strlen(became), 8, JSON_REPLACE_UNREPRESENTABLE, &reply) == 0)
		bidi_complete(s->connection, p, 0, reply);
}

/* "Error: NS_ERROR_UNKNOWN_HOST" has the browser's name of the reason behind its first word. */
static const char *error_name(const struct engine_call *call)
{
	static const char before[] = "Error: ";
	const char *message = bidi_error_message(call);

	if (!*bidi_error(call))
		return NULL;
	return strncmp(message, before, strlen(before)) == 0 ? message + strlen(before) : message;
}

struct engine_navigated engine_navigated(const struct engine_call *call)
{
	bool is_download = json_bool(bidi_result(call), "isDownload", false);
	const char *error = is_download ? "NS_BINDING_ABORTED" : error_name(call);

	return (struct engine_navigated){
		.document = json_str(bidi_result(call), "navigation"),
		.error = error,
		.is_aborted = error &&
			      (strcmp(error, "NS_BINDING_ABORTED") == 0 || strstr(error, "interrupted an unfinished navigation")),
		.is_unproxied = error && strcmp(error, "NS_ERROR_CONNECTION_REFUSED") == 0,
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

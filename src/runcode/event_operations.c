/* Operations of run_code programs that wait for events: dialogs, new pages, console messages and network events. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "page/body.h"
#include "page/frame.h"
#include "page/modal.h"
#include "runcode/operation.h"

#define EVENTS_TOLD_MAX 200 /* events in one answer; the next answer contains the others */

/* ---- dialogs ---- */

/* While the program waits for dialogs, a dialog does not end its run, because the program handles it. */
static int run_dialog(struct operation_call *c)
{
	struct page *p = c->page;
	int r = 0;

	page_watch_modals(p, NULL);
	while (r == 0 && page_alive(p) && !page_dialog_type(p))
		r = waitq_wait(c->call.t, page_changed(p), "a dialog");
	if (r == 0 && page_dialog_type(p))
		str_json(&c->value, "{type: ?, message: ?}", page_dialog_type(p), page_dialog_message(p));
	return r == 0 && !page_alive(p) ? -ESTALE : r;
}

/* From now on, dialogs end the run again. */
static int run_leave_dialogs(struct operation_call *c)
{
	page_watch_modals(c->page, c->program->run->call.t);
	if (page_dialog_type(c->page))
		task_interrupt(c->program->run->call.t, -EINTR);
	return 0;
}

static int run_answer_dialog(struct operation_call *c)
{
	if (!page_dialog_type(c->page))
		return task_fail(c->call.t, -EINVAL, "the dialog has been handled already");
	return page_answer_dialog(c->call.t, c->page, json_bool(c->message, "accept", false), json_str(c->message, "text"));
}

/* ---- pages ---- */

/* The pages from number `known` on; without `known`, the pages that are opened from now on. */
static int run_opened(struct operation_call *c)
{
	struct context *context = session_context(c->session);
	unsigned known;
	int r = 0;

	code_program_number_pages(c->program);
	known = (unsigned)MAX((int64_t)0, json_int(c->message, "known", c->program->pages_count));
	while (r == 0 && c->program->pages_count <= known) {
		r = waitq_wait(c->call.t, context_changed(context), "a new page");
		code_program_number_pages(c->program);
	}
	if (r < 0)
		return r;
	str_json(&c->value, "{known: ?, opened: [", c->program->pages_count);
	for (unsigned i = known; i < c->program->pages_count; i++)
		str_json(&c->value, "? ?", JSON_COMMA(i > known), i);
	str_append(&c->value, "]}");
	return 0;
}

/* ---- documents ---- */

/* [{frame: its number, -1 for the main frame, commits, states: enum load_state, url}] */
static void print_documents(struct operation_call *c, struct str *out)
{
	struct page *p = c->page;

	str_append_char(out, '[');
	for (struct frame *f = page_next_frame(p, NULL); f; f = page_next_frame(p, f)) {
		int number = frame_parent(f) ? code_program_frame_number(c->program, f) : -1;

		if (number >= 0 || f == page_main_frame(p))
			str_json(out, "?{frame: ?, commits: ?, states: ?, url: ?}", JSON_COMMA(out->len > 1), number,
				 frame_commits(f), frame_load_states(f), frame_url(f));
	}
	str_append_char(out, ']');
}

/* The list, once it is another than `seen`; without `seen`, as it is. */
static int run_documents(struct operation_call *c)
{
	const char *seen = json_str(c->message, "seen");
	int r = 0;

	print_documents(c, &c->value);
	while (r == 0 && seen && strcmp(c->value.data, seen) == 0) {
		r = waitq_wait(c->call.t, page_changed(c->page), "a document");
		str_reset(&c->value);
		if (!page_alive(c->page))
			return -ESTALE;
		print_documents(c, &c->value);
	}
	return r;
}

/* ---- console and network ---- */

static void print_message(const struct observed *e, struct str *out)
{
	if (e->kind == OBSERVED_EXCEPTION)
		str_json(out, "{name: 'pageerror', text: ?}", e->message.text);
	else
		str_json(out, "{name: 'console', type: ?, text: ?}", message_word(e->message.kind), e->message.text);
}

static void print_headers(const struct observed_headers *headers, struct str *out)
{
	str_append(out, ", headers: {");
	for (size_t i = 0; i < headers->count; i++)
		str_json(out, "? ?: ?", JSON_COMMA(i), headers->rows[i].name, headers->rows[i].value);
	str_append_char(out, '}');
}

static void event_operations_print_request(const struct observed *e, const char *url, struct str *out)
{
	str_json(out, "number: ?, url: ?", e ? e->seq : 0, url);
	if (!e)
		return;
	str_json(out, ", method: ?, resourceType: ?", e->sent.method, e->sent.type);
	if (e->sent.body)
		str_json(out, ", body: ?", e->sent.body);
	print_headers(&e->sent.headers, out);
}

static void print_exchange(const struct journal *j, const struct observed *e, const char *name, struct str *out)
{
	const char *url = journal_url(j, e) ? journal_url(j, e) : "";

	str_json(out, "{name: ?, request: {", name);
	event_operations_print_request(journal_request(j, e), url, out);
	str_append_char(out, '}');
	if (e->kind == OBSERVED_RESPONSE) {
		str_json(out, ", url: ?, status: ?, statusText: ?", url, e->response.status,
			 e->response.status_text ? e->response.status_text : "");
		print_headers(&e->response.headers, out);
	}
	if (e->kind == OBSERVED_FAILED)
		str_json(out, ", error: ?", e->failure.error);
	str_append_char(out, '}');
}

static void print_event(const struct journal *j, const struct observed *e, struct str *out)
{
	switch (e->kind) {
	case OBSERVED_CONSOLE:
	case OBSERVED_LOG:
	case OBSERVED_EXCEPTION:
		print_message(e, out);
		break;
	case OBSERVED_REQUEST:
		print_exchange(j, e, "request", out);
		break;
	case OBSERVED_RESPONSE:
		print_exchange(j, e, "response", out);
		break;
	case OBSERVED_FINISHED:
		print_exchange(j, e, "requestfinished", out);
		break;
	default:
		print_exchange(j, e, "requestfailed", out);
	}
}

/* {next, list}: the events from number `from` on; without `from`, those from now on. */
static int run_observe(struct operation_call *c)
{
	const struct journal_query q = { .kinds = OBSERVED_MESSAGES | (OBSERVED_NETWORK & ~OBSERVED_WEBSOCKET) };
	struct journal *j = page_journal(c->page);
	uint64_t at = (uint64_t)json_int(c->message, "from", (int64_t)journal_end(j));
	_cleanup_(str_done) struct str list = {};
	const struct observed *e = NULL;
	int r = 0;

	while (r == 0 && page_alive(c->page) && !(e = journal_next(j, &q, &at)))
		r = page_await_event(c->call.t, c->page, q.kinds, "an event");
	for (unsigned n = 0; e; e = ++n < EVENTS_TOLD_MAX ? journal_next(j, &q, &at) : NULL) {
		if (list.len)
			str_append_char(&list, ',');
		print_event(j, e, &list);
	}
	str_json(&c->value, "{next: ?, list: [?]}", at, JSON_RAW(str_text(&list)));
	return r == 0 && !list.len ? -ESTALE : r;
}

/* Whether the event is the response of the document at `url`. */
static bool is_document(const struct journal *j, const struct observed *e, const char *url)
{
	const struct observed *begun = journal_request(j, e);
	const char *from = journal_url(j, e);
	size_t len = strcspn(url, "#");

	return begun && from && begun->sent.resource == RESOURCE_DOCUMENT && strncmp(from, url, len) == 0 &&
	       (!from[len] || from[len] == '#');
}

void operation_print_document(const struct journal *j, const char *url, struct str *out)
{
	const struct journal_query q = { .kinds = OBSERVED_RESPONSE };
	const struct observed *e, *last = NULL;
	uint64_t at = 0;

	while ((e = journal_next(j, &q, &at)))
		if (is_document(j, e, url))
			last = e;
	if (last)
		print_exchange(j, last, "response", out);
	else
		str_append(out, "null");
}

/* The body of a response: {text, base64}. */
static int run_body(struct operation_call *c)
{
	uint64_t number = (uint64_t)json_int(c->message, "number", 0);
	_cleanup_(fetched_body_done) struct fetched_body body = {};
	int r;

	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.action);
	r = page_await_end(c->call.t, c->page, number);
	if (r == 0)
		r = page_response_body(c->call.t, c->page, number, &body);
	if (r == -EREMOTE || r == -ESTALE || r == -EMSGSIZE)
		return browse_fail_call(&c->call, -ERR_BROWSER_ERROR,
					"Protocol error (Network.getResponseBody): No resource with given identifier found");
	if (r == 0)
		str_json(&c->value, "{text: ?, base64: ?}", body.text, body.is_base64);
	return r;
}

const struct operation event_operations[] = {
	{ "dialog", run_dialog, .scheduling = OPERATION_BACKGROUND },
	{ "leaveDialogs", run_leave_dialogs, .scheduling = OPERATION_CONCURRENT },
	{ "answerDialog", run_answer_dialog, .scheduling = OPERATION_CONCURRENT },
	{ "opened", run_opened, .scheduling = OPERATION_BACKGROUND, .no_page = true },
	{ "documents", run_documents, .scheduling = OPERATION_BACKGROUND },
	{ "observe", run_observe, .scheduling = OPERATION_BACKGROUND },
	{ "body", run_body, .scheduling = OPERATION_CONCURRENT },
	{},
};

/* What the journals of the pages have: console messages, errors, requests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "observe/har.h"
#include "observe/lines.h"
#include "page/body.h"
#include "session/tabs.h"
#include "trace/internal.h"

/* ---- pages ---- */

static void write_page(struct trace *tr, const struct page *p)
{
	_cleanup_(str_done) struct str line = {};
	char name[80];

	trace_page_name(p, name);
	str_json(&line, "{type: 'event', time: ?, class: 'BrowserContext', method: 'page', params: {pageId: ?}}", trace_now(),
		 name);
	trace_write_line(tr, tr->actions, &line);
}

void trace_add_page(struct trace *tr, struct page *p, bool from_now)
{
	struct trace_page *tp;
	unsigned count = 0;

	TAILQ_FOREACH(tp, &tr->pages, link) {
		if (tp->page == p || ++count == LIMIT_TRACE_PAGES_COUNT)
			return;
	}
	tp = NEW(struct trace_page);
	tp->page = page_ref(p);
	tp->pending = must(calloc(LIMIT_OBSERVED_COUNT, sizeof(*tp->pending)));
	tp->from = from_now ? journal_end(page_journal(p)) : journal_first(page_journal(p));
	TAILQ_INSERT_TAIL(&tr->pages, tp, link);
	write_page(tr, p);
}

struct trace_page *trace_page_free(struct trace_page *tp)
{
	page_unref(tp->page);
	free(tp->pending);
	free(tp);
	return NULL;
}

static void add_new_pages(struct trace *tr, struct tabs *tabs)
{
	struct tab *tab;

	TAILQ_FOREACH(tab, &tabs->list, link)
		trace_add_page(tr, tab->page, false);
}

/* Pages that have ended, whose last events have been written. */
static void drop_ended_pages(struct trace *tr)
{
	struct trace_page *tp, *next;

	for (tp = TAILQ_FIRST(&tr->pages); tp; tp = next) {
		next = TAILQ_NEXT(tp, link);
		if (page_alive(tp->page) || page_crashed(tp->page))
			continue;
		TAILQ_REMOVE(&tr->pages, tp, link);
		trace_page_free(tp);
	}
}

/* ---- messages ---- */

static void events_append_arguments(struct str *out, const struct observed_message *m)
{
	uint32_t start = 0;

	str_append_char(out, '[');
	for (unsigned i = 0; i < m->arguments; i++) {
		uint32_t end = m->argument_ends[i];

		str_json(out, "?{preview: ?}", JSON_COMMA(i > 0), JSON_TEXT(m->text + start, end - start));
		start = end + (m->text[end] == ' ');
	}
	str_append_char(out, ']');
}

static void events_append_console(struct str *out, const struct observed *e)
{
	str_json(out, "{type: 'console', messageType: ?, text: ?, args: ", message_word(e->message.kind), e->message.text);
	events_append_arguments(out, &e->message);
	str_json(out, ", location: {url: ?, lineNumber: ?, columnNumber: ?}", e->url ? e->url : "", e->message.line,
		 e->message.column);
}

/* The text of an uncaught error is its stack, which begins with its class and message in one line, unless it has none. */
static void events_append_error(struct str *out, const struct observed *e)
{
	const char *text = e->message.text;
	size_t line = strcspn(text, "\n"), name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	bool is_named = name > 0 && strncmp(text + name, ": ", 2) == 0;
	size_t start = is_named ? name + 2 : 0;

	str_json(out,
		 "{type: 'event', class: 'BrowserContext', method: 'pageError', params: {error: {error: {name: ?, message: ?, "
		 "stack: ?}}, location: {url: ?, line: ?, column: ?}}",
		 JSON_TEXT(is_named ? text : "Error", is_named ? name : 5), JSON_TEXT(text + start, line - start), text,
		 e->url ? e->url : "", e->message.line, e->message.column);
}

static void events_write_message(struct trace *tr, const struct page *p, const struct observed *e)
{
	_cleanup_(str_done) struct str line = {};
	char page[80];

	trace_page_name(p, page);
	if (e->kind == OBSERVED_EXCEPTION)
		events_append_error(&line, e);
	else
		events_append_console(&line, e);
	str_json(&line, ", time: ?, pageId: ?}", trace_at(tr, e->time), page);
	trace_write_line(tr, tr->actions, &line);
}

/* ---- requests ---- */

static bool events_has_body(const struct journal *j, const struct observed *e)
{
	const struct observed *response = request_response(j, e), *end = journal_at(j, e->sent.end);

	return response && !response->response.redirect && end && end->kind == OBSERVED_FINISHED &&
	       end->encoded_bytes <= LIMIT_TRACE_BODY;
}

static bool events_write_text(struct task *t, struct trace *tr, const char *text, const char *mime_type, char name[TRACE_PART_SIZE])
{
	_cleanup_(str_done) struct str masked = {};

	str_append(&masked, text);
	trace_redact(tr, &masked);
	return trace_write_resource(t, tr, str_text(&masked), masked.len, mime_type, name);
}

static bool events_write_bytes(struct task *t, struct trace *tr, const char *base64, const char *mime_type,
			       char name[TRACE_PART_SIZE])
{
	size_t len = strlen(base64);
	_cleanup_(freep) uint8_t *bytes = must(malloc(BASE64_DECODED_SIZE(len)));
	ptrdiff_t count = base64_decode(base64, len, bytes);

	return count >= 0 && trace_write_resource(t, tr, bytes, (size_t)count, mime_type, name);
}

/* Writes the body of the response to request `seq`, if there is one and the browser still holds it. Suspends. */
static bool events_write_body(struct task *t, _kept_ struct trace *tr, _kept_ struct page *p, uint64_t seq,
			      char name[TRACE_PART_SIZE])
{
	const struct journal *j = page_journal(p);
	const struct observed *e = journal_at(j, seq);
	_cleanup_(fetched_body_done) struct fetched_body body = {};
	const char *mime_type;

	if (tr->parts_full || !page_alive(p) || !e || !events_has_body(j, e))
		return false;
	mime_type = arena_strdup(task_arena(t), request_response(j, e)->response.mime_type);
	if (page_response_body(t, p, seq, &body) < 0)
		return false;
	return body.is_base64 ? events_write_bytes(t, tr, body.text, mime_type, name) :
				events_write_text(t, tr, body.text, mime_type, name);
}

/* Suspends while the body is fetched. */
static void write_request(struct task *t, _kept_ struct trace *tr, _kept_ struct page *p, uint64_t seq)
{
	_cleanup_(str_done) struct str line = {}, more = {};
	char file[TRACE_PART_SIZE], page[80];
	struct har_body body = { .seq = seq };
	const struct observed *e;

	if (events_write_body(t, tr, p, seq, file))
		body.file = file;
	e = journal_at(page_journal(p), seq);
	if (!e)
		return;
	trace_page_name(p, page);
	str_json(&more, ", _monotonicTime: ?", trace_at(tr, e->sent.wall_time * 1000));
	str_append(&line, "{\"type\":\"resource-snapshot\",\"snapshot\":");
	har_append_entry(&line, page_journal(p), e, &(const struct har_entry){ page, body.file ? &body : NULL, more.data });
	str_append_char(&line, '}');
	trace_write_line(tr, tr->network, &line);
}

static bool has_ended(const struct journal *j, uint64_t seq)
{
	const struct observed *e = journal_at(j, seq);

	return !e || e->sent.end != OBSERVED_NONE;
}

static void write_ended_requests(struct task *t, _kept_ struct trace *tr, _kept_ struct trace_page *tp, bool last)
{
	size_t kept = 0;

	for (size_t i = 0; i < tp->pending_count; i++) {
		if (last || !page_alive(tp->page) || has_ended(page_journal(tp->page), tp->pending[i]))
			write_request(t, tr, tp->page, tp->pending[i]);
		else
			tp->pending[kept++] = tp->pending[i];
	}
	tp->pending_count = kept;
}

/* ---- both ---- */

static void take_event(struct trace *tr, struct trace_page *tp, const struct observed *e)
{
	if (e->kind != OBSERVED_REQUEST)
		events_write_message(tr, tp->page, e);
	else if (tp->pending_count < LIMIT_OBSERVED_COUNT)
		tp->pending[tp->pending_count++] = e->seq;
}

static void read_journal(struct trace *tr, struct trace_page *tp)
{
	static const struct journal_query wanted = { .kinds = OBSERVED_MESSAGES | OBSERVED_REQUEST };
	const struct journal *j = page_journal(tp->page);
	uint64_t missed = journal_missed(j, tp->from);
	const struct observed *e;

	if (missed)
		trace_note(tr, "%llu events of %s came and were dropped between two calls", (unsigned long long)missed,
			   page_url(tp->page));
	while ((e = journal_next(j, &wanted, &tp->from)))
		take_event(tr, tp, e);
}

void trace_collect(struct task *t, _kept_ struct trace *tr, struct tabs *tabs, bool last)
{
	struct trace_page *tp;

	add_new_pages(tr, tabs);
	TAILQ_FOREACH(tp, &tr->pages, link) {
		read_journal(tr, tp);
		write_ended_requests(t, tr, tp, last);
	}
	drop_ended_pages(tr);
}

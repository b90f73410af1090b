#include "people/focus.h"

#include <string.h>

#include "base/limits.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "page/modal.h"
#include "people/cards.h"
#include "people/shown.h"
#include "people/titles.h"

#define EARLIER_EVENTS 400 /* of a page, when somebody begins to look */
#define TEXT_SHOWN 2000    /* bytes of a console message */
#define ADDRESS_SHOWN 500
#define WORD_SHOWN 80
#define TABS_SHOWN 50

void focus_begin(struct focus *f, const struct session_key *key)
{
	focus_done(f);
	f->key = *key;
}

void focus_done(struct focus *f)
{
	str_done(&f->tabs);
	str_done(&f->running);
	str_done(&f->target);
	*f = (struct focus){};
}

/* A text that is masked already, as a member. */
static void append_clipped(struct str *out, const char *name, const char *text, size_t max)
{
	_cleanup_(str_done) struct str shown = {};

	if (!text)
		return;
	shown_clip(&shown, text, max);
	str_json(out, ", ?: ?", name, str_text(&shown));
}

static void focus_append_masked(struct str *out, const char *name, const char *text, size_t max)
{
	_cleanup_(str_done) struct str shown = {};

	shown_text(&shown, text, max);
	str_json(out, ", ?: ?", name, str_text(&shown));
}

/* ---- tabs ---- */

static void append_tab(struct str *out, const struct titles *titles, const struct page *p, bool current)
{
	const char *dialog = page_dialog_type(p);

	str_json(out, "{id: ?, title: ?, current: ?, crashed: ?, chooser: ?", page_target_id(p),
		 titles_find(titles, page_target_id(p)), current, (bool)!page_alive(p), page_has_chooser(p));
	focus_append_masked(out, "url", page_url(p), ADDRESS_SHOWN);
	if (dialog) {
		str_json(out, ", dialog: {type: ?", dialog);
		focus_append_masked(out, "message", page_dialog_message(p), TEXT_SHOWN);
		str_append_char(out, '}');
	}
	str_append_char(out, '}');
}

static void append_sleeping_tab(struct str *out, const struct session *s)
{
	const char *url, *title;

	if (!session_sleeping_page(s, &url, &title))
		return;
	str_append(out, "{\"id\":\"\",\"current\":true");
	focus_append_masked(out, "title", title, LIMIT_SEEN_TITLE);
	focus_append_masked(out, "url", url, ADDRESS_SHOWN);
	str_append_char(out, '}');
}

static void append_tabs(struct str *out, const struct titles *titles, const struct session *s)
{
	const struct page *current = session_current_page(s);
	struct page *p = NULL;
	unsigned n = 0;

	append_sleeping_tab(out, s);
	while (n < TABS_SHOWN && (p = session_next_page(s, p))) {
		str_append(out, n++ ? "," : "");
		append_tab(out, titles, p, p == current);
	}
}

/* Appends the member if its elements differ from those that were sent last. */
static bool append_if_changed(struct str *out, const char *name, struct str *sent, struct str *elements)
{
	if (sent->data && !strcmp(str_text(sent), str_text(elements)))
		return false;
	str_json(out, ", ?: [", name);
	str_append(out, str_text(elements));
	str_append_char(out, ']');
	str_set(sent, str_text(elements));
	return true;
}

/* ---- calls ---- */

static bool focus_append_calls(struct focus *f, const struct calls *calls, struct str *out)
{
	const struct seen_call *call;
	bool any = false;

	while ((call = calls_next(calls, f->key.owner, f->key.session, f->calls))) {
		str_append(out, any ? "," : ",\"calls\":[");
		cards_append_call(out, call);
		f->calls = call->number;
		any = true;
	}
	if (any)
		str_append_char(out, ']');
	return any;
}

/* ---- the page ---- */

static void focus_append_message(struct str *out, const struct observed *e)
{
	static const char *const levels[] = { "error", "warning", "info", "debug" };
	_cleanup_(str_done) struct str place = {};

	str_json(out, "{n: ?, level: ?", e->seq, levels[e->message.level]);
	append_clipped(out, "text", e->message.text, TEXT_SHOWN);
	if (e->url && *e->url) {
		shown_clip(&place, e->url, ADDRESS_SHOWN);
		str_appendf(&place, ":%d", e->message.line + 1);
		str_json(out, ", at: ?", place.data);
	}
	str_append_char(out, '}');
}

static void append_end_of_request(struct str *out, const struct journal *j, const struct observed *request)
{
	const struct observed *response = request_response(j, request), *end = journal_at(j, request->sent.end);

	if (response)
		str_json(out, ", status: ?", response->response.status);
	if (end && end->kind == OBSERVED_FAILED)
		append_clipped(out, "error", end->failure.error, WORD_SHOWN);
	if (end && end->time >= request->time)
		str_json(out, ", ms: ?", (int64_t)((end->time - request->time) * 1000));
}

static void append_request(struct str *out, const struct journal *j, const struct observed *request)
{
	str_json(out, "{n: ?", request->seq);
	append_clipped(out, "method", request->sent.method, WORD_SHOWN);
	append_clipped(out, "url", journal_url(j, request), ADDRESS_SHOWN);
	append_clipped(out, "type", request->sent.type, WORD_SHOWN);
	append_end_of_request(out, j, request);
	str_append_char(out, '}');
}

struct page_news {
	struct str console, requests;
};

static void news_take(struct page_news *news, const struct journal *j, const struct observed *e)
{
	const struct observed *request = e->kind & (OBSERVED_MESSAGES | OBSERVED_WEBSOCKET) ? NULL : journal_request(j, e);

	if (e->kind & OBSERVED_MESSAGES) {
		str_append(&news->console, news->console.len ? "," : "");
		focus_append_message(&news->console, e);
	} else if (request && request->kind == OBSERVED_REQUEST && request->sent.number) {
		str_append(&news->requests, news->requests.len ? "," : "");
		append_request(&news->requests, j, request);
	}
}

static void news_done(struct page_news *news)
{
	str_done(&news->console);
	str_done(&news->requests);
}

/* Another page is current, or its journal has a new document. */
static bool focus_follow(struct focus *f, const struct page *p, const struct journal *j, struct str *out)
{
	if (!strcmp(str_text(&f->target), page_target_id(p)))
		return false;
	str_set(&f->target, page_target_id(p));
	f->event = journal_end(j) > EARLIER_EVENTS ? journal_end(j) - EARLIER_EVENTS : 0;
	f->event = MAX(f->event, journal_first(j));
	str_json(out, ", page: ?", ++f->pages);
	return true;
}

static bool append_page_news(struct focus *f, struct page *p, struct str *out)
{
	static const struct journal_query query = { .kinds = OBSERVED_MESSAGES | OBSERVED_NETWORK };
	const struct journal *j = page_journal(p);
	_cleanup_(news_done) struct page_news news = {};
	const struct observed *e = NULL;
	bool changed = focus_follow(f, p, j, out);
	uint64_t missed = journal_missed(j, f->event);

	for (unsigned n = 0; n < LIMIT_FOCUS_EVENTS_COUNT && (e = journal_next(j, &query, &f->event)); n++)
		news_take(&news, j, e);
	if (missed)
		str_json(out, ", missed: ?", missed);
	if (news.console.len)
		str_json(out, ", console: [?]", JSON_RAW(news.console.data));
	if (news.requests.len)
		str_json(out, ", requests: [?]", JSON_RAW(news.requests.data));
	return changed || missed || news.console.len || news.requests.len;
}

bool focus_append(struct focus *f, const struct calls *calls, const struct titles *titles, const struct session *s, struct str *out)
{
	_cleanup_(str_done) struct str tabs = {}, running = {};
	struct page *p = session_current_page(s);
	bool changed;

	append_tabs(&tabs, titles, s);
	cards_append_running(&running, calls, s);
	changed = append_if_changed(out, "tabs", &f->tabs, &tabs);
	changed |= append_if_changed(out, "running", &f->running, &running);
	changed |= focus_append_calls(f, calls, out);
	if (p)
		changed |= append_page_news(f, p, out);
	return changed;
}

/*
 * Answers in the compact form (docs/answers.md): what the tool says, then what is new of tabs, dialogs and events, then the page: a view,
 * or what has changed since the client has last seen it.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/display.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/notation.h"
#include "observe/journal.h"
#include "page/modal.h"
#include "reply/code.h"
#include "reply/picture.h"
#include "reply/response_internal.h"
#include "reply/webmcp.h"
#include "session/views.h"
#include "view/difference.h"
#include "view/fold.h"
#include "view/found.h"

#define DIFFERENCE_SHARE 0.7  /* of a view, from which on a view is shown instead */
#define DIFFERENCE_LEAST 600u /* bytes of a difference that is shown in any case */
#define RESULT_LEAST 1000u    /* bytes of what the tool says, whatever else there is */
#define MESSAGE_MAX 160u      /* bytes of a console message */
#define DIALOG_MAX 1000u      /* bytes of the message of a dialog */
#define TITLE_MAX 300u        /* bytes of the title of a page */
#define ADDRESS_MAX 1000u     /* bytes of its address */
#define DATA_MAX 100u         /* bytes of the data of one */
#define PICTURE_QUALITY 80    /* of a JPEG: small text stays legible */
#define ERROR_INDENT "  "     /* of the further lines of an error */

static size_t budget_of(const struct response *r)
{
	return r->view.budget ? MIN(r->view.budget, (size_t)VIEW_BUDGET_MAX) : LIMIT_VIEW;
}

/* The text without its secrets and what is behind `max` bytes. */
static void compact_shorten(const struct response *r, const char *text, size_t max, struct str *out)
{
	str_append(out, text);
	response_hide_secrets(r, out);
	if (out->len <= max)
		return;
	str_truncate(out, whole_characters(out->data, out->len, max));
	str_append(out, "...");
}

static void quote_short(const struct response *r, const char *text, size_t max, struct str *out)
{
	_cleanup_(str_done) struct str shown = {};

	compact_shorten(r, text, max, &shown);
	notation_quote(out, str_text(&shown), shown.len);
}

/* ---- the page ---- */

/* Of a data: address the data are not worth their length. */
static void append_address(const struct response *r, const char *url, struct str *out)
{
	const char *data = starts_with(url, "data:") ? strchr(url, ',') : NULL;
	_cleanup_(str_done) struct str shown = {};

	compact_shorten(r, url, data ? MIN((size_t)(data - url) + DATA_MAX, (size_t)ADDRESS_MAX) : ADDRESS_MAX, &shown);
	notation_word(out, str_text(&shown));
}

/* `http://host/path "Title"` */
static int page_line(struct response *r, struct page *p, struct str *out)
{
	struct navigation nav = r->shown;
	int res = nav.title ? 0 : response_describe(r->t, p, &nav);

	if (res < 0)
		return res;
	append_address(r, nav.url, out);
	if (*nav.title) {
		str_append_char(out, ' ');
		quote_short(r, nav.title, TITLE_MAX, out);
	}
	return 0;
}

static unsigned add_cursor(void *data, struct outline *c, size_t first, size_t end)
{
	return cursors_add_rows(data, c, first, end, 0);
}

/* Whether the last answer about a page was of this tab, and had the same address and title. */
static bool compact_is_shown(const struct tabs *tabs, const struct tab *tab, const char *page)
{
	return tabs->shown == tab && strcmp(str_text(&tab->shown_page), page) == 0;
}

/*
 * Names what is shown. A revision stands for what a page says: it stays the same until that changes, so that an answer says whether what the
 * client knows is still right.
 */
static void give_revision(struct tabs *tabs, const struct tab *tab, struct outline *c, const char *page)
{
	const struct outline *seen = history_seen(&tab->views);

	if (seen && seen->revision == tabs->cursors.revision && compact_is_shown(tabs, tab, page) && outline_equals(seen, c))
		c->revision = seen->revision;
	else
		c->revision = ++tabs->cursors.revision;
}

/* The first line of a view or difference: its revision, and what is new of the page. */
static void begin_view(struct tabs *tabs, struct tab *tab, struct outline *c, const char *page, bool whole, struct str *out)
{
	give_revision(tabs, tab, c, page);
	str_appendf(out, "r%u", c->revision);
	if (whole || !compact_is_shown(tabs, tab, page))
		str_appendf(out, " %s", page);
	str_set(&tab->shown_page, page);
	tabs->shown = tab;
}

/*
 * Whether later answers may be compared with it: not with a part of the page, nor with one that says more of it than they do. Such a view
 * has a revision, but is not what the client has seen last.
 */
static bool is_usual(const struct response *r)
{
	return !r->options.depth && !r->options.urls && r->options.boxes == r->settings->boxes;
}

static void write_view(struct response *r, struct tabs *tabs, struct tab *tab, struct outline *c, const char *page,
		       struct sections *to)
{
	_cleanup_(outline_unrefp) struct outline *shown = NULL;

	begin_view(tabs, tab, c, page, true, &to->heading);
	shown = r->snapshot == SNAPSHOT_INLINE ? outline_ref(c) : history_shorten(&tab->views, c, add_cursor, &tabs->cursors);
	if (!c->count)
		str_append(&to->snapshot, "The page is empty.");
	if (r->view.budget)
		fold_rows(&tabs->cursors, shown, 0, shown->count, 0, budget_of(r), &to->snapshot);
	else
		fold_briefly(&tabs->cursors, shown, LIMIT_VIEW, &to->snapshot);
	if (is_usual(r))
		history_add(&tab->views, c);
}

/* False: a view says more with less, and nothing was written. */
static bool write_difference(struct response *r, struct tabs *tabs, struct tab *tab, const struct outline *base, struct outline *c,
			     const char *page, struct str *out)
{
	_cleanup_(str_done) struct str text = {};
	size_t whole = MIN(c->text.len, budget_of(r)), left_out = 0;
	enum difference kind =
		difference_write(&tabs->cursors, base, c, r->view.since,
				 MAX((size_t)(DIFFERENCE_SHARE * (double)whole), (size_t)DIFFERENCE_LEAST), &text, &left_out);

	if (kind == DIFFERENCE_NONE && compact_is_shown(tabs, tab, page)) {
		str_appendf(out, "Nothing changed since r%u%s", base->revision, left_out ? "" : ".");
		if (left_out)
			str_appendf(out, " but %zu line%s by %s.", left_out, left_out == 1 ? "" : "s",
				    left_out == 1 ? "itself" : "themselves");
		return true;
	}
	if (kind == DIFFERENCE_UNKNOWN || kind == DIFFERENCE_TOO_LONG)
		return false;
	begin_view(tabs, tab, c, page, false, out);
	str_appendf(out, ", changed since r%u:%s%s", base->revision,
		    kind == DIFFERENCE_FOCUS ? " only the focus, now on " :
		    text.len                 ? "\n" :
					       " nothing else",
		    str_text(&text));
	history_add(&tab->views, c);
	return true;
}

/* r5 -> 5; 0 for anything else. */
static unsigned parse_revision(const char *name)
{
	unsigned long number;
	char *end;

	if (name[0] != 'r' || !isdigit((unsigned char)name[1]))
		return 0;
	number = strtoul(name + 1, &end, 10);
	return *end || number > UINT_MAX ? 0 : (unsigned)number;
}

static int fail_since(struct response *r, const struct tabs *tabs, const struct tab *tab, unsigned number)
{
	const char *what = !number                         ? "is no revision, which is written as in an answer, r5" :
			   number > tabs->cursors.revision ? "was never shown" :
							     "is not kept any more, or is of another tab";
	_cleanup_(str_done) struct str kept = {};

	history_list(&tab->views, &kept);
	return task_fail(r->t, -ERR_INVALID_PARAMETERS,
			 "since: %.32s %s; kept of this tab: %s. Without since you get the whole page",
			 response_line(r->t, r->view.since), what, kept.data);
}

/* The outline that the answer's is compared with, a reference; NULL: it is a view. */
static int choose_base(struct response *r, const struct tabs *tabs, const struct tab *tab, struct outline **ret)
{
	unsigned number;

	if (!r->view.since)
		*ret = r->snapshot == SNAPSHOT_INLINE ? NULL : outline_ref(history_seen(&tab->views));
	if (!r->view.since)
		return 0;
	if (!is_usual(r))
		return task_fail(r->t, -ERR_INVALID_PARAMETERS, "since: cannot be combined with depth, urls or boxes");
	number = parse_revision(r->view.since);
	*ret = number ? history_find(&tab->views, number) : NULL;
	return *ret ? 0 : fail_since(r, tabs, tab, number);
}

/* The whole page goes to the file that the call names. */
static int save_view(struct response *r, struct outline *c, struct str *out)
{
	_cleanup_(str_done) struct str text = {};
	struct output_file f;
	struct cursors none;
	int res;

	cursors_init(&none);
	fold_rows(&none, c, 0, c->count, 0, SIZE_MAX, &text);
	cursors_done(&none);
	str_append_char(&text, '\n');
	res = output_choose(r->t, r->files, r->filename, "page", "txt", &f);
	if (res == 0)
		res = response_write(r, &f, str_text(&text), text.len, false);
	if (res < 0)
		return response_explain_unsaved(r, res, out);
	str_appendf(out, "saved %s", output_shown(r->t, r->files, f.path));
	return 0;
}

/* `rows` is of scripts/outline.js. */
static int show_outline(struct response *r, struct tabs *tabs, struct tab *tab, struct str *rows, const char *page,
			struct sections *to)
{
	_cleanup_(outline_unrefp) struct outline *c = NULL, *base = NULL;
	int res = capture_outline(r, tabs, rows, &c);

	if (res == 0)
		res = choose_base(r, tabs, tab, &base);
	if (res < 0)
		return res;
	if (r->filename)
		return save_view(r, c, &to->snapshot);
	if (r->root)
		fold_rows(&tabs->cursors, c, 0, c->count, 0, budget_of(r), &to->snapshot);
	else if (!base || !write_difference(r, tabs, tab, base, c, page, &to->snapshot)) {
		if (base)
			capture_pause(r, c);
		write_view(r, tabs, tab, c, page, to);
	}
	return 0;
}

static int append_view(struct response *r, struct tabs *tabs, struct tab *tab, _kept_ struct page *p, const char *page,
		       struct sections *to)
{
	_cleanup_(str_done) struct str rows = {}, tools = {};
	int res = response_take_snapshot(r, p, &rows);

	if (res < 0)
		return response_explain_busy(r, res, &to->snapshot);
	if (page_blocked(p)) {
		str_append(&to->snapshot, page);
		return 0;
	}
	res = show_outline(r, tabs, tab, &rows, page, to);
	append_tool_list(r->t, p, &tools);
	if (res == 0 && tools.len && (!r->acts || r->snapshot == SNAPSHOT_INLINE))
		response_add(&to->snapshot, "%s", tools.data);
	return res;
}

/* ---- what else is new ---- */

/* Errors that no answer has counted: `console: 2 errors, 1 warning, first "..." (browser_console_messages)`. */
static void compact_append_console(struct response *r, struct tab *tab, struct str *out)
{
	struct journal *j = page_journal(tab->page);
	const struct journal_query q = { .kinds = OBSERVED_MESSAGES };
	_cleanup_(str_done) struct str first = {};
	const struct observed *e;
	unsigned errors = 0, warnings = 0;

	if (tab->was_reset)
		response_add(out, "The page before had crashed.");
	tab->was_reset = false;
	while ((e = journal_next(j, &q, &tab->console_reported))) {
		if (e->message.level == MESSAGE_ERROR && errors++ == 0)
			quote_short(r, e->message.text, MESSAGE_MAX, &first);
		warnings += e->message.level == MESSAGE_WARNING;
	}
	if (!errors)
		return;
	response_add(out, "console: %u error%s, %u warning%s", errors, errors == 1 ? "" : "s", warnings, warnings == 1 ? "" : "s");
	if (first.len)
		str_appendf(out, ", first %s", first.data);
	str_append(out, " (browser_console_messages)");
}

/* Behind a link, a form or a script, as browser_navigate says it of its own. */
static void compact_append_failure(struct response *r, const struct page *p, struct str *out)
{
	const char *error, *address = page_failed_address(p, &error);

	if (!address)
		return;
	response_add(out, "The navigation failed: %s%s", error, *error ? " at " : "");
	append_address(r, address, out);
}

static void append_page_state(struct response *r, struct page *p, struct str *out)
{
	const char *text;
	int status = page_http_status(p, &text);

	if (page_crashed(p))
		response_add(out, "The page has crashed; browser_navigate opens a new one.");
	compact_append_failure(r, p, out);
	if (!status || (status >= 200 && status <= 299))
		return;
	response_add(out, "HTTP status: %d%s", status, *text ? " " : "");
	notation_text(out, text);
}

static void append_modal_state(const struct response *r, const struct page *p, struct str *out)
{
	_cleanup_(str_done) struct str message = {};

	if (page_dialog_type(p))
		quote_short(r, page_dialog_message(p), DIALOG_MAX, &message);
	response_append_modal_state(p, str_text(&message), out);
}

/* What a session begins with: no client has been there. */
static bool compact_is_blank(const struct page *p, const struct tab *tab)
{
	return !tab->shown_page.len && strcmp(page_url(p), "about:blank") == 0;
}

static void prepend_line(struct str *lines, const struct str *line)
{
	if (lines->len)
		str_prepend(lines, "\n", 1);
	str_prepend(lines, str_text(line), line->len);
}

static int list_tabs(struct response *r, struct session *s, struct str *out)
{
	str_append(out, "tabs:");
	return response_tabs(r->t, s, out);
}

static void compact_append_part(struct str *out, const struct str *part)
{
	if (!part->len)
		return;
	if (out->len)
		str_append_char(out, '\n');
	display_block(out, str_text(part));
}

static int compact_compile(struct response *r, struct session *s, struct tab *tab, struct sections *to)
{
	_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);
	struct tabs *tabs = session_tabs(s);
	_cleanup_(str_done) struct str page = {};
	bool with_view = response_has_snapshot(r) && page_alive(p);
	bool changed;
	int res = 0;

	if (with_view) { /* the snapshot also returns the page's address and title */
		_cleanup_(str_done) struct str rows = {};

		res = response_take_snapshot(r, p, &rows);
		if (res < 0)
			return response_explain_busy(r, res, &to->snapshot);
		str_move(&r->shown_text, &rows);
	}
	res = page_line(r, p, &page);
	if (res < 0)
		return res;
	append_page_state(r, p, &to->page);
	changed = response_tabs_changed(s, &page);
	if (with_view)
		res = append_view(r, tabs, tab, p, str_text(&page), to);
	else if (changed && !r->tabs_printed && !compact_is_blank(p, tab))
		prepend_line(&to->page, &page);
	if (r->recorded) {
		compact_append_part(&to->plain_snapshot, &to->heading);
		compact_append_part(&to->plain_snapshot, &to->snapshot);
	}
	if (res == 0 && changed && !r->tabs_printed && tabs_count(tabs) != 1)
		res = list_tabs(r, s, &to->tabs);
	append_modal_state(r, p, &to->modal);
	if (res == 0 && tabs->current == tab)
		compact_append_console(r, tab, &to->events);
	return res;
}

/* ---- the answer ---- */

static size_t compact_count_lines(const struct str *text)
{
	size_t count = 0;

	for (size_t i = 0; i < text->len; i++)
		count += text->data[i] == '\n';
	return count;
}

/* What is behind the first line is indented, so that an error ends where a line is not. */
static void append_indented(const char *text, struct str *out)
{
	while (*text) {
		size_t len = strcspn(text, "\n"), line = len + (text[len] == '\n');

		str_append_len(out, text, line);
		text += line;
		if (line > len && *text && !strchr(" \n", *text))
			str_append(out, ERROR_INDENT);
	}
}

/* Without the escape sequences of call logs. */
static void compact_append_error(const char *message, struct str *out)
{
	static const char *const colours[] = { "\x1b[2m", "\x1b[22m" };
	_cleanup_(str_done) struct str text = {}, shown = {};

	while (*message) {
		size_t skip = 0;

		for (size_t i = 0; i < ARRAY_SIZE(colours); i++)
			if (starts_with(message, colours[i]))
				skip = strlen(colours[i]);
		if (!skip)
			str_append_char(&text, *message);
		message += skip ? skip : 1;
	}
	while (text.len && text.data[text.len - 1] == '\n')
		str_truncate(&text, text.len - 1);
	display_message(&shown, str_text(&text));
	str_append(out, starts_with(str_text(&shown), "Error:") ? "" : "Error: ");
	append_indented(str_text(&shown), out);
}

/* What the tool says, as far as the rest of the answer leaves room, and a cursor to more. */
static void compact_append_result(struct response *r, struct tabs *tabs, size_t others, size_t lines, struct str *out)
{
	_cleanup_(str_done) struct str result = {};
	size_t room = LIMIT_ANSWER > others + RESULT_LEAST ? LIMIT_ANSWER - others : RESULT_LEAST;

	compact_append_part(&result, &r->result);
	if (r->block.len)
		str_appendf(&result, "%s%s", result.len ? "\n" : "", r->block.data);
	if (r->code.len && r->settings->code != CODE_NONE)
		compact_append_part(&result, &r->code);
	response_hide_secrets(r, &result);
	cursors_cut_text(&tabs->cursors, str_text(&result), result.len, room,
			 LIMIT_ANSWER_LINES_COUNT > lines + 20 ? LIMIT_ANSWER_LINES_COUNT - lines : 20, true, out);
}

static void write_answer(struct response *r, struct session *s, struct sections *parts, struct str *out)
{
	_cleanup_(str_done) struct str rest = {}, all = {};
	struct tabs *tabs = session_tabs(s);

	compact_append_part(&rest, &parts->heading);
	compact_append_part(&rest, &parts->tabs);
	compact_append_part(&rest, &parts->page);
	compact_append_part(&rest, &parts->modal);
	compact_append_part(&rest, &parts->events);
	compact_append_part(&rest, &parts->snapshot);
	if (r->error.len) {
		compact_append_error(r->error.data, &all);
		str_append_char(&all, '\n');
	}
	compact_append_result(r, tabs, rest.len + all.len, compact_count_lines(&rest), &all);
	if (all.len && rest.len && all.data[all.len - 1] != '\n')
		str_append_char(&all, '\n');
	str_append_len(&all, str_text(&rest), rest.len);
	response_hide_secrets(r, &all);
	cursors_cut_text(&tabs->cursors, str_text(&all), all.len, LIMIT_ANSWER, LIMIT_ANSWER_LINES_COUNT, false, out);
	if (!out->len && !r->image)
		str_append(out, "Done.");
	session_limit_views(s);
}

/* ---- searching and cutting ---- */

static int compact_find(struct response *r, struct session *s, _kept_ struct page *p, const char *query, const char *shown,
			size_t max, struct str *out)
{
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	_cleanup_(str_done) struct str rows = {};
	struct snapshot_options options = { .outline = true, .query = query };
	int res;

	task_set_deadline(r->t, clock_now() + MAX(r->timeouts->action, r->timeouts->navigation));
	res = frame_snapshot(r->t, page_main_frame(p), &options, &rows, NULL);
	if (res == 0)
		res = capture_outline(r, session_tabs(s), &rows, &c);
	if (res == 0)
		found_write(&session_tabs(s)->cursors, c, shown, max ? max : FOUND_SHOWN, out);
	return res;
}

static unsigned compact_keep_rest(struct response *r, struct session *s, const char *text, size_t len)
{
	_cleanup_(str_done) struct str rest = {};

	str_append_len(&rest, text, len);
	response_hide_secrets(r, &rest);
	return cursors_add_text(&session_tabs(s)->cursors, str_text(&rest), rest.len);
}

static int compact_fail_ref(struct response *r, const struct tab *tab, const char *ref, bool gone)
{
	unsigned revision = history_find_ref(&tab->views, ref);

	if (gone)
		return task_fail(r->t, -ERR_REF_NOT_FOUND,
				 "Ref %s: its element was removed from the page. browser_snapshot shows what is there now", ref);
	if (revision)
		return task_fail(
			r->t, -ERR_REF_NOT_FOUND,
			"Ref %s was on the page of r%u, which has been left. browser_snapshot shows the refs of the page that is there now",
			ref, revision);
	return task_fail(
		r->t, -ERR_REF_NOT_FOUND,
		"Ref %s: there is no such ref on this page, nor in the last views of the tab. browser_snapshot shows all refs",
		ref);
}

static void compact_cut(struct session *s, const struct str *text, size_t max, unsigned max_lines, struct str *out)
{
	cursors_cut_text(&session_tabs(s)->cursors, str_text(text), text->len, max, max_lines, true, out);
}

/* Models see a picture at a limited size, so it is scaled down to that. A file has all of it. */
static void compact_plan_picture(const struct picture_wish *wish, struct capture *c)
{
	if (wish->file && !wish->part)
		return;
	c->longest = LIMIT_PICTURE_SIDE;
	c->device_scale = c->device_scale && wish->scale;
	c->keeps_scale = wish->scale || wish->file;
	c->part = (unsigned)wish->part;
	c->or_jpeg = !wish->type && !wish->file;
	if (c->or_jpeg)
		c->quality = PICTURE_QUALITY;
}

const struct answer_writer compact_writer = {
	.shows_pages = true,
	.beside = BESIDE_NOTATION,
	.bullet = "",
	.closed = CLOSED_MEANWHILE,
	.compile = compact_compile,
	.write = write_answer,
	.fail = compact_append_error,
	.find = compact_find,
	.cut = compact_cut,
	.keep_rest = compact_keep_rest,
	.fail_ref = compact_fail_ref,
	.plan_picture = compact_plan_picture,
	.append_name = notation_text,
};

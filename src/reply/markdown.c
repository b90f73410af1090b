/* Answers in the form of @playwright/mcp: sections of Markdown, with pages as YAML, in files unless the options say otherwise. */
#include <string.h>

#include "base/display.h"
#include "base/error.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "page/modal.h"
#include "reply/code.h"
#include "reply/response_internal.h"
#include "reply/webmcp.h"

#define LOG_LINES_MAX 1000 /* console messages printed in one answer */

static void begin_section(struct str *out, const char *title)
{
	if (out->len)
		str_append_char(out, '\n');
	str_appendf(out, "### %s\n", title);
}

/* The body may contain text of pages, which must not be able to begin a section of its own. */
static void markdown_append_section(struct str *out, const char *title, const char *body)
{
	if (!*body)
		return;
	begin_section(out, title);
	display_block(out, body);
}

/* An error has no rows of its own. */
static void markdown_append_error(const char *message, struct str *out)
{
	if (!*message)
		return;
	begin_section(out, "Error");
	display_message(out, message);
}

/* markdown_append_section() for a body that already contains fences (display_code()). */
static void append_fenced_section(struct str *out, const char *title, const struct str *body)
{
	if (!body->len)
		return;
	begin_section(out, title);
	str_append_len(out, body->data, body->len);
}

/* Answers that show no page have exactly what those of the reference have. */
static void markdown_append_failure(const struct response *r, const struct page *p, struct str *out)
{
	const char *error, *address = page_failed_address(p, &error);

	if (address)
		response_add(out, "- Navigation failed: %s%s%s", error, *error ? " at " : "", response_line(r->t, address));
}

static int describe_page(struct response *r, struct page *p, const char *context_name, struct str *out)
{
	struct navigation nav = r->shown;
	int res = 0;

	if (!nav.title)
		res = response_describe(r->t, p, &nav);
	if (res < 0)
		return res;
	response_add(out, "- Page URL: %s", response_line(r->t, nav.url));
	if (*nav.title)
		response_add(out, "- Page Title: %s", response_line(r->t, nav.title));
	if (context_name)
		response_add(out, "- Isolated context: %s", response_line(r->t, context_name));
	response_append_status(r->t, p, out);
	if (response_has_snapshot(r))
		markdown_append_failure(r, p, out);
	return 0;
}

static const char *dialog_message(struct task *t, const struct page *p)
{
	return page_dialog_type(p) ? arena_printf(task_arena(t), "\"%s\"", response_line(t, page_dialog_message(p))) : "";
}

/* Appends the section's text: a link to the file. */
static int save_snapshot(struct response *r, const struct str *text, struct str *out)
{
	struct output_file f;
	int res;

	res = output_choose(r->t, r->files, r->filename, "page", "yml", &f);
	if (res == 0)
		res = response_write(r, &f, str_text(text), text->len, false);
	if (res < 0)
		return response_explain_unsaved(r, res, out);
	str_appendf(out, "- [Snapshot](%s)", output_shown(r->t, r->files, f.path));
	return 0;
}

/* The snapshot itself is in the answer, not a link to it. */
static bool is_inline(const struct response *r)
{
	if (r->filename)
		return false;
	return r->snapshot == SNAPSHOT_INLINE || r->settings->snapshots == ACTION_SNAPSHOTS_INLINE || !r->files->may_write;
}

/* `plain` gets the snapshot as it is, for the log of calls. */
static int append_snapshot(struct response *r, struct page *p, struct str *out, struct str *plain)
{
	_cleanup_(str_done) struct str text = {}, tools = {};
	int res = response_take_snapshot(r, p, &text);

	if (res < 0)
		return response_explain_busy(r, res, out);
	append_tool_list(r->t, p, &tools);
	if (tools.len)
		str_prepend(&text, tools.data, tools.len);
	str_append_len(plain, str_text(&text), r->recorded ? text.len : 0);
	if (is_inline(r)) {
		display_code(out, "yaml", str_text(&text));
		return 0;
	}
	return save_snapshot(r, &text, out);
}

static unsigned markdown_count_lines(const struct str *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n;
}

/* Writes the console messages since the last answer to a file; each navigation by a call begins a new file. */
static int markdown_append_console(struct response *r, struct tab *tab, struct str *out)
{
	struct journal *j = page_journal(tab->page);
	const struct journal_query q = { .kinds = OBSERVED_MESSAGES };
	int64_t began = journal_restarted_at(j);
	_cleanup_(str_done) struct str lines = {};
	const struct message_form form = response_message_form(r->settings);
	const struct observed *e;
	struct output_file f;
	unsigned first, count;
	int res;

	if (tab->was_reset)
		str_append(&lines, "[       0ms] Error: Page crashed and was reset to about:blank.\n");
	tab->was_reset = false;
	for (int i = 0; i < LOG_LINES_MAX && (e = journal_next(j, &q, &tab->console_reported)); i++) {
		if ((int)e->message.level > r->settings->console_level)
			continue;
		message_time(&lines, e, began);
		message_line(&lines, e, &form);
		str_append_char(&lines, '\n');
	}
	if (!lines.len)
		return 0;
	if (!r->files->may_write) {
		response_add(out, "- New console entries: %u, see browser_console_messages", markdown_count_lines(&lines));
		return 0;
	}
	if (tab->console_log != began) {
		tab->console_log = began;
		tab->console_lines = 0;
	}
	res = output_at(r->t, r->files, "console", began, "log", &f);
	if (res == 0)
		res = response_write(r, &f, lines.data, lines.len, true);
	if (res < 0) { /* a file of another server has this name, so refer to the tool that lists the messages */
		response_add(out, "- New console entries: %u, see browser_console_messages", markdown_count_lines(&lines));
		return 0;
	}
	first = tab->console_lines + 1;
	count = markdown_count_lines(&lines);
	tab->console_lines += count;
	response_add(out, "- New console entries: %s#L%u", output_shown(r->t, r->files, f.path), first);
	if (count > 1)
		str_appendf(out, "-L%u", first + count - 1);
	return 0;
}

static int markdown_compile(struct response *r, struct session *s, struct tab *tab, struct sections *to)
{
	_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);
	bool with_snapshot = response_has_snapshot(r);
	int res = 0;

	if (with_snapshot && page_alive(p)) /* the snapshot also returns the page's URL and title */
		res = append_snapshot(r, p, &to->snapshot, &to->plain_snapshot);
	if (res == 0)
		res = describe_page(r, p, session_context_name(s, session_context(s)), &to->page);
	if (res < 0)
		return res;
	if ((!response_tabs_changed(s, &to->page) || r->tabs_printed) && !with_snapshot &&
	    page_alive(p)) /* a crash is always reported */
		str_reset(&to->page);
	else if (tabs_count(session_tabs(s)) != 1)
		res = response_tabs(r->t, s, &to->tabs);
	response_append_modal_state(p, dialog_message(r->t, p), &to->modal);
	if (res == 0 && session_tabs(s)->current == tab)
		res = markdown_append_console(r, tab, &to->events);
	return res;
}

/* A part of the result, for which the lines of the result may be missing. */
static void markdown_append_block(const struct response *r, struct str *out)
{
	if (!r->block.len)
		return;
	if (r->result.len)
		str_append(out, "\n\n");
	else
		begin_section(out, "Result");
	str_append(out, r->block.data);
}

static void markdown_append_code(const struct response *r, struct str *out)
{
	_cleanup_(str_done) struct str fenced = {};

	if (!r->code.len || r->settings->code == CODE_NONE)
		return;
	display_code(&fenced, code_fence(r->settings->code), r->code.data);
	append_fenced_section(out, "Ran Playwright code", &fenced);
}

static void write_sections(struct response *r, struct session *s, struct sections *parts, struct str *out)
{
	markdown_append_error(str_text(&r->error), out);
	markdown_append_section(out, "Result", str_text(&r->result));
	markdown_append_block(r, out);
	markdown_append_code(r, out);
	markdown_append_section(out, "Open tabs", str_text(&parts->tabs));
	markdown_append_section(out, "Page", str_text(&parts->page));
	markdown_append_section(out, "Modal state", str_text(&parts->modal));
	append_fenced_section(out, "Snapshot", &parts->snapshot);
	markdown_append_section(out, "Events", str_text(&parts->events));
}

/* ---- searching and cutting ---- */

static int markdown_find(struct response *r, struct session *s, _kept_ struct page *p, const char *query, const char *shown,
			 size_t max, struct str *out)
{
	return page_find_text(r->t, p, query, out);
}

/* The length of the first lines of `text` that have at most `max` bytes together, or of a part of the first one. */
static size_t first_lines(const char *text, size_t max, unsigned max_lines)
{
	size_t len = 0, end, n;

	for (unsigned i = 0; i < max_lines && text[len]; i++) {
		end = len + strcspn(text + len, "\n");
		if (end > max)
			break;
		len = end + (text[end] == '\n');
	}
	while (len == 0 || text[len - 1] != '\n') {
		n = utf8_sequence(text + len, max - MIN(len, max));
		if (!text[len] || !n || len + n > max)
			break;
		len += n;
	}
	return len;
}

static void markdown_cut(struct session *s, const struct str *text, size_t max, unsigned max_lines, struct str *out)
{
	size_t len = MIN(text->len, first_lines(str_text(text), max, max_lines));

	str_append_len(out, str_text(text), len);
	if (len < text->len)
		str_appendf(out, "%s… %zu more bytes", len && text->data[len - 1] != '\n' ? "\n" : "", text->len - len);
}

/* There are no cursors. */
static unsigned keep_no_rest(struct response *r, struct session *s, const char *text, size_t len)
{
	return 0;
}

/* The failure is worded already. */
static int markdown_fail_ref(struct response *r, const struct tab *tab, const char *ref, bool gone)
{
	return -ERR_REF_NOT_FOUND;
}

static void markdown_plan_picture(const struct picture_wish *wish, struct capture *c)
{
}

const struct answer_writer markdown_writer = {
	.quotes_reference = true,
	.saves_pictures = true,
	.bullet = "- ",
	.closed = "### Result\n" CLOSED_MEANWHILE,
	.compile = markdown_compile,
	.write = write_sections,
	.fail = markdown_append_error,
	.find = markdown_find,
	.cut = markdown_cut,
	.keep_rest = keep_no_rest,
	.fail_ref = markdown_fail_ref,
	.plan_picture = markdown_plan_picture,
	.append_name = display_line,
};

#include "reply/response.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "act/settle.h"
#include "base/beneath.h"
#include "base/display.h"
#include "base/mask.h"
#include "base/notation.h"
#include "browser/downloads.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "page/modal.h"
#include "page/navigate.h"
#include "reply/artifacts.h"
#include "reply/owner_dirs.h"
#include "reply/code.h"
#include "reply/output.h"
#include "reply/response_internal.h"
#include "reply/url_params.h"
#include "reply/webmcp.h"
#include "session/views.h"

#define CLOSED_MEANWHILE "The page was closed meanwhile. " RESPONSE_NO_TABS
#define LOG_LINES_MAX 1000 /* console messages printed in one answer */

void response_done(struct response *r)
{
	str_done(&r->error);
	str_done(&r->result);
	str_done(&r->block);
	str_done(&r->code);
	str_done(&r->shown_text);
	str_done(&r->record);
	r->shown_by = page_unref(r->shown_by);
	result_done(&r->links);
}

void response_add(struct str *lines, const char *fmt, ...)
{
	va_list ap;

	if (lines->len)
		str_append_char(lines, '\n');
	va_start(ap, fmt);
	str_vappendf(lines, fmt, ap);
	va_end(ap);
}

static void link_to(struct response *r, const struct artifact *a)
{
	if (a && r->settings->links == LINKS_ADD)
		result_link(&r->links, a->uri, a->name, a->type, a->size);
}

void response_link_file(struct response *r, const struct output_file *f)
{
	link_to(r, artifacts_find(r->files->output->artifacts, r->files->owner, f));
}

/* Binary files (pictures, archives) are not masked. */
static bool is_text(const char *data, size_t len)
{
	for (size_t n, at = 0; at < len; at += n) {
		n = utf8_sequence(data + at, len - at);
		if (!n || !data[at])
			return false;
	}
	return true;
}

int response_write(struct response *r, const struct output_file *f, const void *data, size_t len, bool append)
{
	_cleanup_(str_done) struct str masked = {};
	int res;

	if ((mask_active() || r->settings->redacted_params) && is_text(data, len)) {
		str_append_len(&masked, data, len);
		mask_text(&masked);
		url_params_redact(r->settings->redacted_params, &masked);
		data = str_text(&masked);
		len = masked.len;
	}
	res = output_write(r->t, r->files, f, data, len, append);
	if (res == 0)
		link_to(r, artifacts_find(r->files->output->artifacts, r->files->owner, f));
	return res;
}

int response_write_base64(struct response *r, const struct output_file *f, const char *base64)
{
	int res = output_write_base64(r->t, r->files, f, base64);

	if (res == 0)
		link_to(r, artifacts_find(r->files->output->artifacts, r->files->owner, f));
	return res;
}

/* Registers a downloaded file. Returns false if it no longer exists or has been replaced. */
static bool take_download(struct response *r, const char *path)
{
	struct output_file f;
	struct stat st;
	int fd;

	if (output_find(r->t, r->files, path, &f) < 0)
		return false;
	fd = beneath_look(f.root, f.rest, &st);
	if (fd < 0)
		return false;
	close(fd);
	owner_dirs_add(r->files->output->owner_dirs, r->files->owner, st.st_size, 1);
	link_to(r, S_ISREG(st.st_mode) ? artifacts_add(r->files->output->artifacts, r->files->owner, &f, &st) : NULL);
	return S_ISREG(st.st_mode);
}

static void begin_section(struct str *out, const char *title)
{
	if (out->len)
		str_append_char(out, '\n');
	str_appendf(out, "### %s\n", title);
}

/* The body may contain text of pages, which must not be able to begin a section of its own. */
static void append_section(struct str *out, const char *title, const char *body)
{
	if (!*body)
		return;
	begin_section(out, title);
	display_block(out, body);
}

/* An error has no rows of its own. */
static void append_error(struct str *out, const char *message)
{
	if (!*message)
		return;
	begin_section(out, "Error");
	display_message(out, message);
}

/* append_section() for a body that already contains fences (display_code()). */
static void append_fenced_section(struct str *out, const char *title, const struct str *body)
{
	if (!body->len)
		return;
	begin_section(out, title);
	str_append_len(out, body->data, body->len);
}

const char *response_row(struct task *t, const char *text)
{
	_cleanup_(str_done) struct str row = {};

	display_row(&row, text);
	return arena_strdup(task_arena(t), str_text(&row));
}

const char *response_text(struct task *t, const char *text)
{
	_cleanup_(str_done) struct str shown = {};

	display_text(&shown, text);
	return arena_strdup(task_arena(t), str_text(&shown));
}

const char *response_line(struct task *t, const char *text)
{
	_cleanup_(str_done) struct str line = {};

	display_line(&line, text);
	return arena_strdup(task_arena(t), str_text(&line));
}

int response_describe(struct task *t, struct page *p, struct navigation *ret)
{
	*ret = (struct navigation){ .url = arena_strdup(task_arena(t), page_url(p)), .title = "" };
	if (!page_alive(p) || page_blocked(p))
		return 0;
	int r = page_describe(t, p, ret);
	return r == -ECANCELED ? r : 0;
}

static const char *context_note(struct task *t, const struct session *s, const struct context *c)
{
	const char *name = session_context_name(s, c);

	return name ? arena_printf(task_arena(t), " [isolatedContext: %s]", response_line(t, name)) : "";
}

int response_tabs(struct task *t, struct session *s, struct str *out)
{
	const struct tabs *tabs = session_tabs(s);
	const struct tab *tab;

	for (unsigned i = 0; (tab = tabs_nth(tabs, i)); i++) {
		_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);
		const char *note = context_note(t, s, tab->context);
		bool current = tab == tabs->current;
		struct navigation nav;
		int r;

		r = response_describe(t, p, &nav);
		if (r < 0)
			return r;
		response_add(out, "- %u:%s [%s](%s)%s%s", i, current ? " (current)" : "", response_link_title(t, nav.title),
			     response_link_address(t, nav.url), page_crashed(p) ? " [crashed]" : "", note);
	}
	return 0;
}

void response_append_status(struct task *t, struct page *p, struct str *out)
{
	const struct message_counts *counts = journal_counts(page_journal(p));
	const char *text;
	int status = page_http_status(p, &text);

	if (page_crashed(p))
		response_add(out, "- Page status: crashed");
	append_tool_count(p, out);
	if (status && (status < 200 || status > 299))
		response_add(out, "- HTTP status: %d%s%s", status, *text ? " " : "", response_line(t, text));
	if (counts->errors || counts->warnings)
		response_add(out, "- Console: %u errors, %u warnings", counts->errors, counts->warnings);
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
	return 0;
}

void response_append_modal_state(const struct page *p, const char *message, struct str *out)
{
	if (page_dialog_type(p))
		response_add(out, "- [\"%s\" dialog with message %s]: can be handled by browser_handle_dialog", page_dialog_type(p),
			     message);
	if (page_has_chooser(p))
		response_add(out, "- [File chooser]: can be handled by browser_file_upload");
}

static const char *dialog_message(struct task *t, const struct page *p)
{
	return page_dialog_type(p) ? arena_printf(task_arena(t), "\"%s\"", response_line(t, page_dialog_message(p))) : "";
}

/* The action of the call has been done, and agents would repeat it after an error. */
int response_explain_unsaved(struct response *r, int res, struct str *out)
{
	if (r->filename || task_cancelled(r->t))
		return res;
	str_appendf(out, "- The snapshot was not saved (%s); browser_snapshot answers it",
		    response_line(r->t, task_error_message(r->t) ? task_error_message(r->t) : strerror(-res)));
	task_forget_failure(r->t);
	return 0;
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

bool response_has_snapshot(const struct response *r)
{
	if (r->settings->form == ANSWERS_COMPACT && r->acts && r->settings->snapshots != ACTION_SNAPSHOTS_NONE)
		return true;
	return r->snapshot == SNAPSHOT_INLINE || (r->snapshot == SNAPSHOT_LINK && r->settings->snapshots != ACTION_SNAPSHOTS_NONE);
}

bool response_has_page_snapshot(const struct response *r)
{
	return response_has_snapshot(r) && !r->root;
}

/* A call that asks for a page waits for it like a navigation: on a loaded machine, a large page takes longer than an action may. */
static usec_t snapshot_timeout(const struct response *r)
{
	if (r->settings->form == ANSWERS_COMPACT && r->snapshot == SNAPSHOT_INLINE)
		return MAX(r->timeouts->action, r->timeouts->navigation);
	return r->timeouts->action;
}

int response_take_snapshot(struct response *r, struct page *p, struct str *text)
{
	struct frame *f = r->root ? r->root->frame : page_main_frame(p);
	int res;

	if (r->shown_text.len) {
		str_move(text, &r->shown_text);
		return 0;
	}
	res = settle_loading(r->t, p, r->timeouts->settle);
	if (res < 0)
		return res;
	task_set_deadline(r->t, clock_now() + snapshot_timeout(r));
	if (!page_blocked(p))
		res = frame_snapshot(r->t, f, &r->options, text, r->root ? NULL : &r->shown);
	task_set_deadline(r->t, USEC_NEVER);
	if (res < 0)
		r->shown = (struct navigation){};
	return res == -EINTR || res == -ESTALE ? 0 : res;
}

/* An action that was done succeeds without a snapshot when the page is too busy to return one; an error would make agents repeat it. */
int response_explain_busy(struct response *r, int res, struct str *out)
{
	if (res != -ETIMEDOUT || r->snapshot == SNAPSHOT_INLINE || task_cancelled(r->t))
		return res;
	str_appendf(out, "- No snapshot: the page is still busy and has not replied for %llu ms; browser_snapshot shows it later",
		    (unsigned long long)(r->timeouts->action / USEC_PER_MSEC));
	task_forget_failure(r->t);
	return 0;
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

static unsigned count_lines(const struct str *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->data[i] == '\n';
	return n;
}

/* Writes the console messages since the last answer to a file; each navigation by a call begins a new file. */
static int append_console(struct response *r, struct tab *tab, struct str *out)
{
	struct journal *j = page_journal(tab->page);
	const struct journal_query q = { .kinds = OBSERVED_MESSAGES };
	int64_t began = journal_restarted_at(j);
	_cleanup_(str_done) struct str lines = {};
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
		message_line(&lines, e, r->settings->exact_places);
		str_append_char(&lines, '\n');
	}
	if (!lines.len)
		return 0;
	if (!r->files->may_write) {
		response_add(out, "- New console entries: %u, see browser_console_messages", count_lines(&lines));
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
		response_add(out, "- New console entries: %u, see browser_console_messages", count_lines(&lines));
		return 0;
	}
	first = tab->console_lines + 1;
	count = count_lines(&lines);
	tab->console_lines += count;
	response_add(out, "- New console entries: %s#L%u", output_shown(r->t, r->files, f.path), first);
	if (count > 1)
		str_appendf(out, "-L%u", first + count - 1);
	return 0;
}

/* The name of a file as a server gave it. */
static const char *shown_name(const struct response *r, const char *name)
{
	_cleanup_(str_done) struct str shown = {};

	if (r->settings->form != ANSWERS_COMPACT)
		return response_line(r->t, name);
	notation_text(&shown, name);
	return arena_strdup(task_arena(r->t), str_text(&shown));
}

/* Appends the state of the downloads in the context. */
static void append_downloads(struct response *r, struct context *c, struct str *out)
{
	struct download_news news;

	while (downloads_next_news(c, &news)) {
		const struct download *d = news.download;
		const char *name = shown_name(r, d->name.data);

		if (!news.ended)
			response_add(out, "- Downloading file %s ...", name);
		else if (d->state == DOWNLOAD_FAILED)
			response_add(out, "- Download of file %s failed: %s", name, response_line(r->t, d->failure.data));
		else if (take_download(r, d->path.data))
			response_add(out, "- Downloaded file %s to \"%s\"", name, output_shown(r->t, r->files, d->path.data));
	}
}

/* Whether `state` differs from the last answer about this tab. */
static bool update_reported(struct tab *tab, const char *state)
{
	if (strcmp(str_text(&tab->reported), state) == 0)
		return false;
	str_set(&tab->reported, state);
	return true;
}

bool response_tabs_changed(struct session *s, const struct str *header)
{
	const struct tabs *tabs = session_tabs(s);
	const struct tab *tab;
	bool any = false;

	for (unsigned i = 0; (tab = tabs_nth(tabs, i)); i++) {
		const struct message_counts *counts = journal_counts(page_journal(tab->page));
		_cleanup_(str_done) struct str state = {};

		if (tab == tabs->current)
			str_append(&state, str_text(header));
		else
			str_appendf(&state, "%s %u %u%s", page_url(tab->page), counts->errors, counts->warnings,
				    page_crashed(tab->page) ? " crashed" : "");
		str_appendf(&state, " %u", counts->total);
		any |= update_reported((struct tab *)tab, state.data);
	}
	return any;
}

void sections_done(struct sections *s)
{
	str_done(&s->tabs);
	str_done(&s->page);
	str_done(&s->modal);
	str_done(&s->snapshot);
	str_done(&s->plain_snapshot);
	str_done(&s->events);
}

static int compile(struct response *r, struct session *s, struct tab *tab, struct sections *to)
{
	_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);
	bool with_snapshot = response_has_snapshot(r);
	int res = 0;

	if (r->shown_by != p) {
		r->shown = (struct navigation){};
		str_reset(&r->shown_text);
	}
	if (r->settings->form == ANSWERS_COMPACT)
		return compact_compile(r, s, tab, to);
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
		res = append_console(r, tab, &to->events);
	return res;
}

/* A part of the result, for which the lines of the result may be missing. */
static void append_block(const struct response *r, struct str *out)
{
	if (!r->block.len)
		return;
	if (r->result.len)
		str_append(out, "\n\n");
	else
		begin_section(out, "Result");
	str_append(out, r->block.data);
}

static void append_code(const struct response *r, struct str *out)
{
	_cleanup_(str_done) struct str fenced = {};

	if (!r->code.len || r->settings->code == CODE_NONE)
		return;
	display_code(&fenced, code_fence(r->settings->code), r->code.data);
	append_fenced_section(out, "Ran Playwright code", &fenced);
}

/* The session's first tab, which no answer was about. */
static bool is_unused(const struct tabs *tabs)
{
	return tabs_count(tabs) == 1 && !tabs->current->reported.len && strcmp(page_url(tabs->current->page), "about:blank") == 0;
}

/* In the form of @playwright/mcp. */
static void write_sections(struct response *r, struct sections *parts, struct str *out)
{
	append_error(out, str_text(&r->error));
	append_section(out, "Result", str_text(&r->result));
	append_block(r, out);
	append_code(r, out);
	append_section(out, "Open tabs", str_text(&parts->tabs));
	append_section(out, "Page", str_text(&parts->page));
	append_section(out, "Modal state", str_text(&parts->modal));
	append_fenced_section(out, "Snapshot", &parts->snapshot);
	append_section(out, "Events", str_text(&parts->events));
}

int response_send(struct response *r, struct session *s, struct result *res)
{
	_cleanup_(sections_done) struct sections parts = {};
	_cleanup_(str_done) struct str text = {};
	struct tab *tab = session_tabs(s)->current;
	struct context *c = NULL;
	bool omitted = r->omits_unused_tab && is_unused(session_tabs(s));
	int result = tab ? compile(r, s, tab, &parts) : 0; /* an omitted tab counts as reported, too */

	if (result < 0)
		return result;
	if (omitted) {
		sections_done(&parts);
		parts = (struct sections){};
	}
	while ((c = session_next_context(s, c)))
		append_downloads(r, c, &parts.events);
	if (r->settings->form == ANSWERS_COMPACT) {
		compact_write(r, s, &parts, &text);
		session_limit_views(s);
	} else {
		write_sections(r, &parts, &text);
	}
	if (!text.len && !r->image && !tab)
		str_append(&text, r->settings->form == ANSWERS_COMPACT ? CLOSED_MEANWHILE : "### Result\n" CLOSED_MEANWHILE);
	url_params_redact(r->settings->redacted_params, &text);
	if (!r->image || r->settings->images != IMAGES_ONLY)
		result_text(res, str_text(&text));
	if (r->image && r->settings->images != IMAGES_OMIT)
		result_image(res, r->image, r->image_type);
	result_take_links(res, &r->links);
	res->is_error = r->error.len;
	if (r->recorded)
		record_answer(r, &parts);
	return 0;
}

void response_fail(const struct response_settings *settings, const char *message, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	if (settings && settings->form == ANSWERS_COMPACT)
		compact_error(message, &text);
	else
		append_error(&text, message);
	result_text(res, text.data);
	res->is_error = true;
}

#include "reply/response.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "act/settle.h"
#include "base/beneath.h"
#include "base/mask.h"
#include "base/notation.h"
#include "browser/downloads.h"
#include "loop/failure_words.h"
#include "observe/journal.h"
#include "page/address.h"
#include "page/modal.h"
#include "page/navigate.h"
#include "reply/artifacts.h"
#include "reply/owner_dirs.h"
#include "reply/output.h"
#include "reply/response_internal.h"
#include "reply/url_params.h"
#include "reply/webmcp.h"

#define FAILED_MAX 300u /* bytes of an address that could not be opened */

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

struct message_form response_message_form(const struct response_settings *s)
{
	return (struct message_form){ .exact = s->exact_places, .beside = s->writer->beside };
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
static bool response_is_text(const char *data, size_t len)
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

	if ((mask_active() || r->settings->redacted_params) && response_is_text(data, len)) {
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
		const char *error;
		int r;

		r = response_describe(t, p, &nav);
		if (r < 0)
			return r;
		response_add(out, "- %u:%s [%s](%s)%s%s", i, current ? " (current)" : "", response_link_title(t, nav.title),
			     response_link_address(t, nav.url), page_crashed(p) ? " [crashed]" : "", note);
		if (!current && page_failed_address(p, &error) && *error)
			str_appendf(out, " [%s]", error);
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

void response_append_modal_state(const struct page *p, const char *message, struct str *out)
{
	if (page_dialog_type(p))
		response_add(out, "- [\"%s\" dialog with message %s]: can be handled by browser_handle_dialog", page_dialog_type(p),
			     message);
	if (page_has_chooser(p))
		response_add(out, "- [File chooser]: can be handled by browser_file_upload");
}

/* The action of the call has been done, and agents would repeat it after an error. */
int response_explain_unsaved(struct response *r, int res, struct str *out)
{
	if (r->filename || task_cancelled(r->t))
		return res;
	str_appendf(out, "%sThe snapshot was not saved (%s); browser_snapshot answers it", r->settings->writer->bullet,
		    response_line(r->t, failure_words(r->t, res)));
	task_forget_failure(r->t);
	return 0;
}

bool response_has_snapshot(const struct response *r)
{
	if (r->settings->writer->shows_pages && r->acts && r->settings->snapshots != ACTION_SNAPSHOTS_NONE)
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
	if (r->settings->writer->shows_pages && r->snapshot == SNAPSHOT_INLINE)
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
	str_appendf(out, "%sNo snapshot: the page is still busy and has not replied for %llu ms; browser_snapshot shows it later",
		    r->settings->writer->bullet, (unsigned long long)(r->timeouts->action / USEC_PER_MSEC));
	task_forget_failure(r->t);
	return 0;
}

/* The name of a file or an address as a server gave it. */
static const char *shown_name(struct arena *a, const struct answer_writer *writer, const char *name)
{
	_cleanup_(str_done) struct str shown = {};

	writer->append_name(&shown, name);
	return arena_strdup(a, str_text(&shown));
}

/* Appends the state of the downloads in the context. */
static void append_downloads(struct response *r, struct context *c, struct str *out)
{
	const struct answer_writer *writer = r->settings->writer;
	const char *bullet = writer->bullet;
	struct download_news news;

	while (downloads_next_news(c, &news)) {
		const struct download *d = news.download;
		const char *name = shown_name(task_arena(r->t), writer, d->name.data);

		if (!news.ended)
			response_add(out, "%sDownloading file %s ...", bullet, name);
		else if (d->state == DOWNLOAD_FAILED)
			response_add(out, "%sDownload of file %s failed: %s", bullet, name,
				     response_line(r->t, d->failure.text.data));
		else if (take_download(r, d->path.data))
			response_add(out, "%sDownloaded file %s to \"%s\"", bullet, name,
				     output_shown(r->t, r->files, d->path.data));
	}
}

static bool response_is_document(const struct journal *j, const struct observed *failed)
{
	const struct observed *request = journal_request(j, failed);

	return request && request->kind == OBSERVED_REQUEST && request->sent.resource == RESOURCE_DOCUMENT;
}

/*
 * The last document since the last answer that could not be shown, for which the page has no sign: Chromium reports a request of another
 * application's address as cancelled and keeps the page, and a frame is empty. The page's own error page is described elsewhere.
 */
static const struct observed *last_failure(struct tab *tab)
{
	const struct journal_query q = { .kinds = OBSERVED_FAILED };
	const struct journal *j = page_journal(tab->page);
	const struct observed *e, *found = NULL;
	const char *error, *shown = page_failed_address(tab->page, &error);

	/* A call that navigates and fails has said why. */
	tab->failures_reported = MAX(tab->failures_reported, journal_restarted(j));
	while ((e = journal_next(j, &q, &tab->failures_reported))) {
		const char *url = journal_url(j, e);

		if (url && (address_is_foreign(url) ||
			    (response_is_document(j, e) && !e->failure.aborted && (!shown || strcmp(url, shown) != 0))))
			found = e;
	}
	return found;
}

static void response_append_failure(const struct response *r, struct tab *tab, struct str *out)
{
	const struct observed *e = last_failure(tab);
	const char *url = e ? journal_url(page_journal(tab->page), e) : "", *shown;

	if (!e)
		return;
	shown = arena_printf(task_arena(r->t), "%.*s", (int)whole_characters(url, strlen(url), FAILED_MAX), url);
	shown = shown_name(task_arena(r->t), r->settings->writer, shown);
	if (address_is_foreign(url))
		response_add(out, "%sNothing here opens %s, an address of another application", r->settings->writer->bullet, shown);
	else
		response_add(out, "%sA navigation failed: %s at %s", r->settings->writer->bullet, e->failure.error, shown);
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

static void sections_done(struct sections *s)
{
	str_done(&s->heading);
	str_done(&s->tabs);
	str_done(&s->page);
	str_done(&s->modal);
	str_done(&s->snapshot);
	str_done(&s->plain_snapshot);
	str_done(&s->events);
}

static int response_compile(struct response *r, struct session *s, struct tab *tab, struct sections *to)
{
	if (r->shown_by != tab->page) {
		r->shown = (struct navigation){};
		str_reset(&r->shown_text);
	}
	return r->settings->writer->compile(r, s, tab, to);
}

/* The session's first tab, which no answer was about. */
static bool is_unused(const struct tabs *tabs)
{
	return tabs_count(tabs) == 1 && tabs->current && !tabs->current->reported.len &&
	       strcmp(page_url(tabs->current->page), "about:blank") == 0;
}

void response_look_again(struct response *r)
{
	r->shown = (struct navigation){};
	str_done(&r->shown_text);
	r->shown_by = page_unref(r->shown_by);
	r->acts = true;
	if (r->snapshot == SNAPSHOT_NONE)
		r->snapshot = SNAPSHOT_LINK;
}

int response_send(struct response *r, struct session *s, struct result *res)
{
	_cleanup_(sections_done) struct sections parts = {};
	_cleanup_(str_done) struct str text = {};
	struct tab *tab = r->is_pageless ? NULL : session_tabs(s)->current;
	struct context *c = NULL;
	bool omitted = r->omits_unused_tab && is_unused(session_tabs(s));
	int result = tab ? response_compile(r, s, tab, &parts) : 0; /* an omitted tab counts as reported, too */

	if (result < 0)
		return result;
	if (omitted) {
		sections_done(&parts);
		parts = (struct sections){};
	}
	if (tab && tab == session_tabs(s)->current)
		response_append_failure(r, tab, &parts.events);
	while (!r->is_pageless && (c = session_next_context(s, c)))
		append_downloads(r, c, &parts.events);
	r->settings->writer->write(r, s, &parts, &text);
	if (!text.len && !r->image && !tab)
		str_append(&text, r->settings->writer->closed);
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

void response_fail(const struct answer_writer *writer, const char *message, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	writer->fail(message, &text);
	result_text(res, text.data);
	res->is_error = true;
}

/* ---- what each form does in its way ---- */

int response_find(struct response *r, struct session *s, _kept_ struct page *p, const char *query, const char *shown, size_t max,
		  struct str *out)
{
	return r->settings->writer->find(r, s, p, query, shown, max, out);
}

unsigned response_keep_rest(struct response *r, struct session *s, const char *text, size_t len)
{
	return r->settings->writer->keep_rest(r, s, text, len);
}

int response_fail_ref(struct response *r, const struct tab *tab, const char *ref, bool gone)
{
	return r->settings->writer->fail_ref(r, tab, ref, gone);
}

#include "page/modal.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/dialogs.h"
#include "observe/clip.h"
#include "observe/own_events.h"
#include "page/internal.h"

#define DIALOG_NOTE_MAX 2000   /* bytes of remembered dialogs */
#define DIALOG_MESSAGE_MAX 200 /* bytes of one dialog's text in the note */

static void note_dialog(struct page *p, const char *type, const char *message, bool accept)
{
	if (p->modal.note.len > DIALOG_NOTE_MAX)
		return;
	str_appendf(&p->modal.note, "%sa%s %.*s dialog was %s", p->modal.note.len ? "; " : "",
		    strcmp(type, "alert") == 0 ? "n" : "", DIALOG_MESSAGE_MAX, type, accept ? "accepted" : "dismissed");
	if (message && *message)
		str_appendf(&p->modal.note, ": \"%.*s%s\"", DIALOG_MESSAGE_MAX, message,
			    strlen(message) > DIALOG_MESSAGE_MAX ? "..." : "");
}

/* Accepts alerts and beforeunload dialogs, dismisses questions, and notes the dialog. */
static void answer_by_default(struct page *p, const char *type, const char *message)
{
	bool accept = strcmp(type, "alert") == 0 || strcmp(type, "beforeunload") == 0;

	engine_answer_dialog(NULL, p->target, accept, NULL);
	note_dialog(p, type, message, accept);
}

static bool keeps_modals(const struct page *p)
{
	return p->group && p->group->keeps_modals;
}

/* ---- pages that wait for each other ---- */

/* Of "scheme://host:port/path" the part before the port. */
static size_t site_length(const char *url)
{
	const char *host = strstr(url, "://");

	return host ? (size_t)(host + 3 - url) + strcspn(host + 3, ":/?#") : 0;
}

/* Such pages of one site have one thread, and those that are empty have that of their opener. */
static bool share_thread(const struct page *p, const struct page *q)
{
	const char *a = page_url(p), *b = page_url(q);
	size_t n = site_length(a), m = site_length(b);

	return strcmp(p->root_id, q->root_id) == 0 && (n == 0 || m == 0 || (n == m && strncmp(a, b, n) == 0));
}

/* The page whose dialog `p` waits for, its own first; NULL when there is none. */
static struct page *dialog_page(const struct page *p)
{
	struct page *q;

	if (p->modal.type.len)
		return (struct page *)p;
	if (p->group)
		TAILQ_FOREACH(q, &p->group->pages, link)
			if (q->modal.type.len && share_thread(p, q))
				return q;
	return NULL;
}

/*
 * Wakes the tasks that wait for the page or for a page on its thread. `interrupt`: watching tasks get -EINTR, see
 * page_watch_modals().
 */
static void wake_waiting(struct page *p, bool interrupt)
{
	struct page *q;

	waitq_wake(&p->changed);
	if (interrupt && p->modal.visitor)
		task_interrupt(p->modal.visitor, -EINTR);
	if (!p->group)
		return;
	TAILQ_FOREACH(q, &p->group->pages, link) {
		if (q == p || !share_thread(p, q))
			continue;
		if (interrupt && q->modal.visitor)
			task_interrupt(q->modal.visitor, -EINTR);
		waitq_wake(&q->changed);
	}
}

/* ---- events ---- */

static void open_dialog(struct page *p, const char *type, const char *message)
{
	_cleanup_(clip_done) struct clip kept = { .limit = LIMIT_DIALOG_MESSAGE };

	if (!keeps_modals(p)) {
		answer_by_default(p, type, message);
		waitq_wake(&p->changed);
		return;
	}
	str_reset(&p->modal.type);
	str_append_len(&p->modal.type, type, strnlen(type, LIMIT_OBSERVED_WORD));
	str_reset(&p->modal.message);
	clip_append(&kept, message);
	str_append(&p->modal.message, clip_text(&kept));
	wake_waiting(p, true);
}

static void close_dialog(struct page *p)
{
	str_reset(&p->modal.type);
	wake_waiting(p, false);
}

static void open_chooser(struct page *p, int field)
{
	if (!keeps_modals(p))
		return;
	p->modal.chooser_field = field;
	if (p->modal.visitor)
		task_interrupt(p->modal.visitor, -EINTR);
	waitq_wake(&p->changed);
}

void page_note_refused(struct page *p, unsigned what)
{
	p->modal.refused |= what;
}

unsigned page_take_refused(struct page *p)
{
	unsigned refused = p->modal.refused;

	p->modal.refused = 0;
	return refused;
}

static void on_dialog_opened(struct engine_target *s, const struct opened_dialog *d, void *data)
{
	journal_add_dialog(page_journal(data), engine_target_id(s), d->url,
			   &(const struct observed_dialog){ .opened = true, .type = d->type, .message = d->message });
	open_dialog(data, *d->type ? d->type : "unknown", d->message);
}

static void on_dialog_closed(struct engine_target *s, bool accepted, const char *input, void *data)
{
	journal_add_dialog(page_journal(data), engine_target_id(s), NULL,
			   &(const struct observed_dialog){ .accepted = accepted, .message = input });
	close_dialog(data);
}

static void on_chooser_opened(struct engine_target *s, int field, void *data)
{
	if (field)
		open_chooser(data, field);
	else
		page_note_refused(data, REFUSED_FILES);
}

const struct engine_modal_events page_modal_events = {
	.dialog_opened = on_dialog_opened,
	.dialog_closed = on_dialog_closed,
	.chooser_opened = on_chooser_opened,
};

/* As if it had not been kept; an open file chooser is cancelled. */
static void answer_open_dialog(struct page *p)
{
	p->modal.chooser_field = 0;
	if (p->modal.type.len)
		answer_by_default(p, str_text(&p->modal.type), str_text(&p->modal.message));
}

static void modal_prepare(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (kind == TARGET_PAGE && keeps_modals(p))
		engine_keep_choosers(s, true);
}

static void modal_done(struct page *p)
{
	str_done(&p->modal.type);
	str_done(&p->modal.message);
	str_done(&p->modal.note);
}

const struct page_part modal_part = {
	.prepare = modal_prepare,
	.done = modal_done,
};

const char *page_take_dialog_note(struct page *p, struct arena *a)
{
	const char *note = p->modal.note.len ? arena_strdup(a, p->modal.note.data) : NULL;

	str_reset(&p->modal.note);
	return note;
}

size_t page_dialog_note_length(const struct page *p)
{
	return p->modal.note.len;
}

void page_watch_modals(struct page *p, struct task *t)
{
	p->modal.visitor = t;
}

const char *page_dialog_type(const struct page *p)
{
	const struct page *of = dialog_page(p);

	return of ? of->modal.type.data : NULL;
}

const char *page_dialog_message(const struct page *p)
{
	const struct page *of = dialog_page(p);

	return of ? str_text(&of->modal.message) : "";
}

bool page_has_chooser(const struct page *p)
{
	return p->modal.chooser_field;
}

static int answer(struct task *t, struct page *p, bool accept, const char *text)
{
	str_reset(&p->modal.type); /* the next one may open before this one's answer is confirmed */
	return engine_answer_dialog(t, p->target, accept, text);
}

int page_answer_dialog(struct task *t, struct page *p, bool accept, const char *text)
{
	_cleanup_(page_unrefp) struct page *of = page_ref(dialog_page(p));

	return of ? answer(t, of, accept, text) : 0;
}

int page_chooser(struct task *t, struct page *p, struct chooser *ret)
{
	return engine_chooser(t, p->target, p->modal.chooser_field, ret);
}

int page_choose_files(struct task *t, struct page *p, const char *files)
{
	int field = p->modal.chooser_field;

	p->modal.chooser_field = 0;
	return files ? engine_fill_chooser(t, &p->main->at, field, files) : 0;
}

void page_group_keep_modals(struct page_group *g, bool keep)
{
	struct page *p;

	if (g->keeps_modals == keep)
		return;
	g->keeps_modals = keep;
	TAILQ_FOREACH(p, &g->pages, link) {
		engine_keep_choosers(p->target, keep);
		if (!keep)
			answer_open_dialog(p);
	}
}

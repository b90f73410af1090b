/* Lifetime of pages and frames. page_events.c handles the CDP events about them. */
#include "page/page.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "observe/journal.h"
#include "page/address.h"
#include "page/emulate.h"
#include "page/modal.h"
#include "page/options.h"
#include "page/page_observe.h"
#include "page/state.h"

void cdp_id_set(char dst[CDP_ID_SIZE], const char *id)
{
	snprintf(dst, CDP_ID_SIZE, "%s", id ? id : "");
}

void page_group_init(struct page_group *g)
{
	static const struct page_options defaults;

	*g = (struct page_group){ .options = &defaults };
	TAILQ_INIT(&g->pages);
}

void page_group_done(struct page_group *g)
{
	assert(TAILQ_EMPTY(&g->pages));
}

struct page *page_group_find_session(struct page_group *g, const char *session_id)
{
	struct page *p;

	TAILQ_FOREACH(p, &g->pages, link)
		if (session_id && strcmp(cdp_session_id(p->cdp), session_id) == 0)
			return p;
	return NULL;
}

struct page *page_group_find_target(struct page_group *g, const char *target_id)
{
	struct page *p;

	TAILQ_FOREACH(p, &g->pages, link)
		if (target_id && strcmp(p->target_id, target_id) == 0)
			return p;
	return NULL;
}

struct page *page_group_first_alive(struct page_group *g)
{
	return TAILQ_FIRST(&g->pages);
}

void page_group_gone(struct page_group *g)
{
	while (!TAILQ_EMPTY(&g->pages))
		page_gone(TAILQ_FIRST(&g->pages));
}

static void attach_children(struct cdp_session *s)
{
	cdp_post(s, "Target.setAutoAttach", "{autoAttach: true, waitForDebuggerOnStart: true, flatten: true}");
}

static void prepare_worker(struct cdp_session *s)
{
	page_observe_enable(s);
	attach_children(s);
}

/* Enables observation of a target. Workers have no Log domain and refuse it; the reply is not awaited. */
static void observe_target(struct cdp_session *s)
{
	page_observe_enable(s);
	cdp_post(s, "Log.enable", "{}");
	attach_children(s);
}

void page_observe(struct page *p)
{
	observe_target(p->cdp);
}

/* Sends everything that sets up a target, without waiting. Later requests on this CDP session are answered after these. */
static void prepare_target(struct cdp_session *s)
{
	cdp_post(s, "Page.enable", "{}");
	cdp_post(s, "Page.setLifecycleEventsEnabled", "{enabled: true}");
	/* The empty script creates the isolated world in every new document; Runtime.enable reports its execution context. */
	cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: '', worldName: '" WORLD_NAME "'}");
	page_observe_enable(s);
	cdp_post(s, "Log.enable", "{}");
	cdp_post(s, "Runtime.addBinding", "{name: '" SCRIPT_BINDING "', executionContextName: '" WORLD_NAME "'}");
	attach_children(s);
}

static void prepare_page(struct page *p)
{
	prepare_target(p->cdp);
	emulate_page(p->cdp, page_options(p));
	if (p->group->keeps_modals)
		page_intercept_choosers(p, true);
	cdp_post(p->cdp, "Runtime.runIfWaitingForDebugger", "{}");
}

struct page *page_new(struct page_group *g, struct cdp *cdp, const char *session_id, const char *target_id)
{
	struct page *p = NEW(struct page);

	p->refs = 1; /* the group's */
	p->attached = p->navigation_began = clock_now();
	p->group = g;
	cdp_id_set(p->target_id, target_id);
	TAILQ_INIT(&p->frames);
	TAILQ_INIT(&p->children);
	waitq_init(&p->changed);
	traffic_init(&p->traffic);
	p->journal = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
	journal_set_target(p->journal, p->target_id);
	p->cdp = cdp_session_new(cdp, session_id, page_event_table, p);
	p->main = page_add_frame(p, target_id, NULL, p->cdp); /* the root frame's id is the target's */
	TAILQ_INSERT_TAIL(&g->pages, p, link);
	return p;
}

const struct page_options *page_options(const struct page *p)
{
	static const struct page_options defaults;

	return p->group ? p->group->options : &defaults;
}

struct context *page_context(const struct page *p)
{
	return p->group ? p->group->context : NULL;
}

void page_attached(struct page_group *g, struct cdp *cdp, const char *session_id, const struct json *info)
{
	struct page *p = page_new(g, cdp, session_id, json_str(info, "targetId"));
	const char *url = json_str(info, "url");

	cdp_id_set(p->opener_id, json_str(info, "openerId"));
	p->reaches_opener = json_bool(info, "canAccessOpener", false);
	if (url && !address_may_stay(url, page_options(p)->files))
		page_close(p); /* without ever having run */
	else
		prepare_page(p);
}

int page_bring_to_front(struct task *t, struct page *p)
{
	return cdp_call(t, p->cdp, NULL, "Page.bringToFront", "{}");
}

void page_post_to_front(struct page *p)
{
	cdp_post(p->cdp, "Page.bringToFront", "{}");
}

int page_resize(struct task *t, struct page *p, int width, int height)
{
	emulate_size(p->cdp, page_options(p), width, height);
	p->width = width;
	p->height = height;
	return page_settle_in(t, p);
}

void page_viewport(const struct page *p, int *ret_width, int *ret_height)
{
	const struct page_options *o = page_alive(p) ? page_options(p) : NULL;

	*ret_width = p->width ? p->width : o ? o->viewport.width : 0;
	*ret_height = p->width ? p->height : o ? o->viewport.height : 0;
}

int page_settle_in(struct task *t, struct page *p)
{
	return cdp_call(t, p->cdp, NULL, "Page.getFrameTree", "{}");
}

static void prepare_frame(struct page *p, struct cdp_session *s, const char *target_id)
{
	struct frame *f = page_find_frame(p, target_id);

	if (f) {
		f->cdp = s;
		f->world = 0;
	}
	prepare_target(s);
	emulate_target(s, page_options(p));
}

static void observe_child(struct page *p, struct cdp_session *s, bool is_frame)
{
	if (is_frame ? !p->no_frames : !p->no_workers)
		observe_target(s);
}

void child_target_attached(struct page *p, const char *session_id, const char *type, const char *target_id)
{
	struct child_target *child = NEW(struct child_target);
	bool is_frame = strcmp(type, "iframe") == 0;

	child->cdp = cdp_session_new(cdp_session_connection(p->cdp), session_id, page_event_table, p);
	TAILQ_INSERT_TAIL(&p->children, child, link);
	if (p->role == PAGE_OBSERVED)
		observe_child(p, child->cdp, is_frame);
	else if (is_frame)
		prepare_frame(p, child->cdp, target_id);
	else
		prepare_worker(child->cdp);
	if (!p->handler) /* only the page itself may run there */
		cdp_post(child->cdp, "Runtime.runIfWaitingForDebugger", "{}");
}

bool *page_has_library(struct page *p, const struct cdp_session *s)
{
	struct child_target *child;

	if (p->cdp == s)
		return &p->has_library;
	TAILQ_FOREACH(child, &p->children, link)
		if (child->cdp == s)
			return &child->has_library;
	return NULL;
}

static void free_child(struct page *p, struct child_target *child)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f->cdp == child->cdp) { /* the parent's process serves the frame until the browser reports where it moved */
			f->cdp = p->cdp;
			f->world = 0;
		}
	TAILQ_REMOVE(&p->children, child, link);
	traffic_on_session_gone(&p->traffic, cdp_session_id(child->cdp));
	cdp_session_free(child->cdp);
	free(child);
}

void child_target_detached(struct page *p, const char *session_id)
{
	struct child_target *child;

	TAILQ_FOREACH(child, &p->children, link)
		if (session_id && strcmp(cdp_session_id(child->cdp), session_id) == 0) {
			free_child(p, child);
			waitq_wake(&p->changed);
			return;
		}
}

void page_gone(struct page *p)
{
	struct frame *f;

	if (!p->group)
		return;
	TAILQ_REMOVE(&p->group->pages, p, link);
	p->group = NULL;
	while (!TAILQ_EMPTY(&p->children))
		free_child(p, TAILQ_FIRST(&p->children));
	TAILQ_FOREACH(f, &p->frames, link)
		f->cdp = NULL;
	p->cdp = cdp_session_free(p->cdp);
	waitq_wake(&p->changed);
	page_unref(p);
}

void page_close(struct page *p)
{
	struct cdp_session *browser = p->group ? p->group->browser : NULL;

	if (browser)
		cdp_post(browser, "Target.closeTarget", "{targetId: %s}", p->target_id);
	page_gone(p);
}

/* If the script had ended already, the termination would hit the next script; the empty evaluation absorbs it. */
void page_interrupt(struct page *p)
{
	cdp_post(p->cdp, "Runtime.terminateExecution", "{}");
	cdp_post(p->cdp, "Runtime.evaluate", "{expression: '0', silent: true}");
}

struct page *page_ref(struct page *p)
{
	if (p)
		p->refs++;
	return p;
}

struct page *page_unref(struct page *p)
{
	if (!p || --p->refs > 0)
		return NULL;
	assert(!p->group);
	while (!TAILQ_EMPTY(&p->frames)) {
		assert(TAILQ_FIRST(&p->frames)->refs == 1);
		frame_detach(TAILQ_FIRST(&p->frames));
	}
	str_done(&p->dialog_note);
	str_done(&p->drag_data);
	str_done(&p->strayed);
	modal_done(&p->modal);
	traffic_done(&p->traffic);
	journal_free(p->journal);
	free(p);
	return NULL;
}

/* A reference from outside of the page is one to the page as well, so that `page` of a frame is always there. */
struct frame *frame_ref(struct frame *f)
{
	if (!f)
		return NULL;
	f->refs++;
	page_ref(f->page);
	return f;
}

static void drop_frame(struct frame *f)
{
	if (--f->refs > 0)
		return;
	str_done(&f->url);
	str_done(&f->status_text);
	free(f);
}

struct frame *frame_unref(struct frame *f)
{
	struct page *p = f ? f->page : NULL;

	if (f)
		drop_frame(f);
	page_unref(p);
	return NULL;
}

struct frame *page_find_frame(struct page *p, const char *frame_id)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (frame_id && strcmp(f->id, frame_id) == 0)
			return f;
	return NULL;
}

struct frame *page_add_frame(struct page *p, const char *frame_id, const char *parent_id, struct cdp_session *cdp)
{
	struct frame *f = page_find_frame(p, frame_id);

	if (f)
		return f;
	f = NEW(struct frame);
	f->refs = 1; /* the page's */
	f->page = p;
	f->cdp = cdp;
	cdp_id_set(f->id, frame_id);
	cdp_id_set(f->parent_id, parent_id);
	str_append(&f->url, "about:blank");
	TAILQ_INSERT_TAIL(&p->frames, f, link);
	return f;
}

void frame_detach(struct frame *f)
{
	TAILQ_REMOVE(&f->page->frames, f, link);
	f->detached = true;
	f->cdp = NULL;
	drop_frame(f);
}

void frame_set_loader(struct frame *f, const char *loader_id)
{
	if (!loader_id || strcmp(f->loader_id, loader_id) == 0)
		return;
	cdp_id_set(f->loader_id, loader_id);
	f->commits++;
	f->load_states = LOAD_COMMIT;
	f->number = 0;
	if (f != f->page->main)
		return;
	if (!f->page->navigating)
		f->page->navigation_began = clock_now();
	f->page->navigating = f->page->stopped = false;
	traffic_on_document(&f->page->traffic);
	journal_new_document(f->page->journal);
}

unsigned frame_number(struct frame *f)
{
	if (f->number == 0 && !f->detached)
		f->number = ++f->page->documents;
	return f->number;
}

struct frame *frame_parent(struct frame *f)
{
	return !f->detached && f->parent_id[0] ? page_find_frame(f->page, f->parent_id) : NULL;
}

struct frame *page_main_frame(struct page *p)
{
	return p->main;
}

struct page *frame_page(struct frame *f)
{
	return f->page;
}

struct cdp_session *frame_cdp(struct frame *f)
{
	return f->cdp;
}

struct cdp_session *page_cdp(struct page *p)
{
	return p->cdp;
}

struct cdp_session *page_session(struct page *p, const char *session_id)
{
	struct child_target *child;

	if (p->cdp && strcmp(cdp_session_id(p->cdp), session_id) == 0)
		return p->cdp;
	TAILQ_FOREACH(child, &p->children, link)
		if (strcmp(cdp_session_id(child->cdp), session_id) == 0)
			return child->cdp;
	return NULL;
}

const char *page_target_id(const struct page *p)
{
	return p->target_id;
}

bool page_alive(const struct page *p)
{
	return p->cdp;
}

bool page_loading(const struct page *p)
{
	return p->navigating || !((p->main->load_states & LOAD_LOAD) || p->stopped);
}

bool page_crashed(const struct page *p)
{
	return p->crashed;
}

int page_http_status(const struct page *p, const char **ret_text)
{
	const struct frame *f = p->main;
	bool ours = f->response_id[0] && strcmp(f->response_id, f->loader_id) == 0;

	*ret_text = ours ? str_text(&f->status_text) : "";
	return ours ? f->status : 0;
}

const char *page_url(const struct page *p)
{
	return str_text(&p->main->url);
}

struct waitq *page_changed(struct page *p)
{
	return &p->changed;
}

struct event_waker {
	struct journal_listener listener;
	struct task *task;
	unsigned kinds;
};

static void on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct event_waker *w = CONTAINER_OF(l, struct event_waker, listener);

	if (!w->kinds || w->kinds & e->kind)
		task_wake(w->task);
}

int page_await_event(struct task *t, struct page *p, unsigned kinds, const char *where)
{
	struct event_waker w = { .listener.observed = on_observed, .task = t, .kinds = kinds };
	int r;

	journal_listen(p->journal, &w.listener);
	r = waitq_wait(t, &p->changed, where);
	journal_unlisten(&w.listener);
	return r;
}

const char *page_take_dialog_note(struct page *p, struct arena *a)
{
	const char *note = p->dialog_note.len ? arena_strdup(a, p->dialog_note.data) : NULL;

	str_reset(&p->dialog_note);
	return note;
}

struct journal *page_journal(struct page *p)
{
	return p->journal;
}

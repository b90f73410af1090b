/* The documents in the frames of a page, and what the browser reports of both. */
#include "page/frame.h"

#include <string.h>

#include "base/limits.h"
#include "observe/clip.h"
#include "observe/journal.h"
#include "page/fence.h"
#include "page/internal.h"

static void frame_tree_detach(struct frame *f)
{
	webmcp_forget_document(f);
	traffic_on_document_gone(&f->page->traffic, f->loader_id);
	frame_remove(f);
}

static struct frame *first_leaf(struct frame *f)
{
	while (!TAILQ_EMPTY(&f->children))
		f = TAILQ_FIRST(&f->children);
	return f;
}

/* Detaches the descendants of a frame, those without children first. */
static void detach_children(struct frame *f)
{
	struct frame *leaf = first_leaf(f), *parent;

	for (; leaf != f; leaf = first_leaf(parent)) {
		parent = frame_parent(leaf);
		frame_tree_detach(leaf);
	}
}

static void detach_tree(struct frame *root)
{
	detach_children(root);
	frame_tree_detach(root);
}

/* ---- addresses and names ---- */

/* What is kept of `text`. Each frame may keep a little, and all but the main one share the rest. */
static size_t kept_length(const struct frame *f, const char *text, size_t limit)
{
	size_t used = MIN(f->page->frame_texts, (size_t)LIMIT_FRAME_TEXTS);
	size_t share = MAX(LIMIT_FRAME_TEXTS - used, (size_t)LIMIT_FRAME_TEXT_LEAST);

	if (f != f->page->main)
		limit = MIN(limit, share);
	return clip_fit(text, strlen(text), limit);
}

static void set_text(struct frame *f, struct str *s, const char *text, size_t limit)
{
	bool is_main = f == f->page->main;
	struct str kept = {};

	if (!is_main)
		f->page->frame_texts -= s->len;
	str_append_len(&kept, text, kept_length(f, text, limit));
	str_move(s, &kept);
	f->page->tree_version++;
	if (!is_main)
		f->page->frame_texts += s->len;
}

void frame_set_url(struct frame *f, const char *url, const char *fragment)
{
	_cleanup_(str_done) struct str whole = {};

	str_append(&whole, url);
	str_append(&whole, fragment);
	set_text(f, &f->url, str_text(&whole), LIMIT_FRAME_URL);
}

/* ---- documents ---- */

static bool frame_tree_is_blank(const char *url)
{
	return !*url || strcmp(url, "about:blank") == 0;
}

/*
 * The document of a frame is `loader_id` now. The browser does not report that the frames of the document before are gone when
 * another process shows the new one. The first document reported of a page may be older than the end of a navigation that led to no
 * document, such as that of a popup which became a download: it leaves the state of that navigation alone.
 */
static void frame_set_loader(struct frame *f, const char *loader_id)
{
	bool is_first = !f->loader_id[0], leaves = !is_first && !frame_tree_is_blank(str_text(&f->url));

	if (!loader_id || strcmp(f->loader_id, loader_id) == 0)
		return;
	traffic_on_document_gone(&f->page->traffic, f->loader_id);
	engine_id_set(f->loader_id, loader_id);
	f->commits++;
	f->load_states = LOAD_COMMIT;
	webmcp_forget_document(f);
	detach_children(f);
	if (f != f->page->main)
		return;
	if (leaves)
		f->number = ++f->page->last_number;
	if (!is_first || !f->page->navigation.stopped)
		navigation_committed(&f->page->navigation);
	traffic_on_document(&f->page->traffic);
	journal_new_document(f->page->record.journal);
	page_handler_changed(f->page->handler);
	cast_document_changed(f->page);
}

int page_http_status(const struct page *p, const char **ret_text)
{
	const struct frame *f = p->main;
	bool shown = f->response.loader_id[0] && strcmp(f->response.loader_id, f->loader_id) == 0;

	*ret_text = shown ? str_text(&f->response.status_text) : "";
	return shown ? f->response.status : 0;
}

/* An error page is the document of the request that it stands for. */
static const struct observed *failed_request(const struct frame *f)
{
	const struct journal_query failures = { .kinds = OBSERVED_FAILED };
	const struct journal *j = page_journal(f->page);
	const struct observed *e, *request, *found = NULL;
	uint64_t offset = 0;

	while ((e = journal_next(j, &failures, &offset))) {
		request = journal_request(j, e);
		if (request && request->sent.document && strcmp(request->sent.document, f->loader_id) == 0)
			found = e;
	}
	return found;
}

const char *page_failed_address(const struct page *p, const char **ret_error)
{
	const struct observed *e = p->main->failed.len ? failed_request(p->main) : NULL;

	*ret_error = e ? e->failure.error : "";
	return p->main->failed.len ? str_text(&p->main->failed) : NULL;
}

static void on_frame_attached(struct engine_target *s, const char *frame, const char *parent, void *data)
{
	page_add_frame(data, frame, parent, s);
}

static void on_frame_removed(struct engine_target *s, const char *frame, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, frame);

	if (f && f != p->main)
		detach_tree(f);
}

/* Notes a document that `s` has reported. Returns its frame; NULL: the id is not valid, or the page has too many frames. */
static struct frame *take_document(struct page *p, struct engine_target *s, const struct engine_document *d)
{
	struct frame *f = page_find_frame(p, d->frame);

	if (!engine_id_is_valid(d->frame))
		return NULL;
	if (!f && !d->parent && s == p->target) { /* the root frame got another id */
		f = p->main;
		frame_set_id(f, d->frame);
	}
	f = page_add_frame(p, d->frame, d->parent, s);
	if (!f)
		return NULL;
	f->at.target = s;
	frame_set_loader(f, d->id);
	frame_set_url(f, d->url, d->fragment);
	set_text(f, &f->name, d->name, LIMIT_FRAME_NAME);
	set_text(f, &f->failed, d->failed, LIMIT_FRAME_URL);
	if (f == p->main)
		throttle_on_address(p, str_text(&f->url));
	if (p->group) {
		origins_visit(&p->group->origins, str_text(&f->url));
		origin_limit_storage(p->target, str_text(&f->url), p->group->max_storage);
	}
	return f;
}

void page_take_document(const struct engine_document *d, void *page)
{
	take_document(page, ((struct page *)page)->target, d);
}

static void on_frame_navigated(struct engine_target *s, const struct engine_document *d, void *data)
{
	struct page *p = data;
	struct frame *f = take_document(p, s, d);

	if (!f)
		return;
	if (d->restored)
		f->load_states |= LOAD_DOMCONTENTLOADED | LOAD_LOAD;
	if (f == p->main && p->target && !fence_leaves(p))
		leave_forbidden_address(p, s);
	waitq_wake(&p->changed);
}

static void on_frame_moved(struct engine_target *s, const char *frame, const char *url, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, frame);

	if (!f)
		return;
	frame_set_url(f, url, "");
	waitq_wake(&p->changed);
}

static void on_frame_named(struct engine_target *s, const char *frame, const char *name, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, frame);

	if (!f)
		return;
	set_text(f, &f->name, name, LIMIT_FRAME_NAME);
	waitq_wake(&p->changed);
}

static void on_frame_loaded(struct engine_target *s, const char *frame, const char *document, enum load_state state, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, frame);

	if (!f)
		return;
	if (state == LOAD_COMMIT)
		frame_set_loader(f, document);
	if (strcmp(f->loader_id, document) != 0)
		return;
	f->load_states |= state;
	waitq_wake(&p->changed);
}

/* Only the response to a document's own request. */
void frame_on_response(struct page *p, const struct exchange_event *x)
{
	struct frame *f = page_find_frame(p, x->frame);

	if (!f || !x->document)
		return;
	engine_id_set(f->response.loader_id, x->document);
	f->response.status = x->status;
	str_reset(&f->response.status_text);
	str_append_len(&f->response.status_text, x->status_text,
		       clip_fit(x->status_text, strlen(x->status_text), LIMIT_OBSERVED_WORD));
}

const struct engine_frame_events page_frame_events = {
	.attached = on_frame_attached,
	.removed = on_frame_removed,
	.navigated = on_frame_navigated,
	.moved = on_frame_moved,
	.named = on_frame_named,
	.loaded = on_frame_loaded,
};

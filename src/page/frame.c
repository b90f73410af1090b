/* What a frame is: its references, its place in the tree of those of its page, and what was reported of it last. */
#include "page/frame.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/script.h"
#include "page/internal.h"

void frame_drop(struct frame *f)
{
	if (--f->refs > 0)
		return;
	str_done(&f->url);
	str_done(&f->name);
	str_done(&f->failed);
	str_done(&f->response.status_text);
	free(f);
}

static int frame_compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Most events of frames look one up, and a page can make as many as there may be. */
struct frame *page_find_frame(struct page *p, const char *frame_id)
{
	char *const *found = frame_id ? tfind(frame_id, &p->frames_by_id, frame_compare_ids) : NULL;

	return found ? CONTAINER_OF(*found, struct frame, at.id) : NULL;
}

void frame_set_id(struct frame *f, const char *id)
{
	if (f->at.id[0])
		tdelete(f->at.id, &f->page->frames_by_id, frame_compare_ids);
	engine_id_set(f->at.id, id);
	must(tsearch(f->at.id, &f->page->frames_by_id, frame_compare_ids));
}

struct frame *page_next_frame(struct page *p, struct frame *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&p->frames);
}

struct frame *page_main_frame(struct page *p)
{
	return p->main;
}

const char *page_url(const struct page *p)
{
	return str_text(&p->main->url);
}

uint64_t page_tree_version(const struct page *p)
{
	return p->tree_version;
}

/* ---- the tree ---- */

struct frame *frame_parent(const struct frame *f)
{
	return f->at.parent ? CONTAINER_OF(f->at.parent, struct frame, at) : NULL;
}

static bool is_below(const struct frame *f, const struct frame *ancestor)
{
	while (f && f != ancestor)
		f = frame_parent(f);
	return f;
}

static unsigned depth_of(const struct frame *f)
{
	unsigned depth = 0;

	while ((f = frame_parent(f)))
		depth++;
	return depth;
}

/* The levels below `f`, LIMIT_FRAME_DEPTH at most. */
static unsigned height_of(const struct frame *f)
{
	unsigned height = 0;
	struct frame *child;

	TAILQ_FOREACH(child, &f->children, sibling)
		height = MAX(height, 1 + height_of(child));
	return height;
}

/* A frame may be reported before its parent is known, and once more when it is. One that is too deep becomes a child further up. */
static void take_parent(struct frame *f, const char *parent_id)
{
	struct frame *parent = f->at.parent || f == f->page->main ? NULL : page_find_frame(f->page, parent_id);

	if (!parent || is_below(parent, f))
		return;
	while (parent && depth_of(parent) + 1 + height_of(f) > LIMIT_FRAME_DEPTH)
		parent = frame_parent(parent);
	if (!parent)
		return;
	f->at.parent = &parent->at;
	f->page->tree_version++;
	TAILQ_INSERT_TAIL(&parent->children, f, sibling);
}

static struct frame *new_frame(struct page *p, const char *id, struct engine_target *s)
{
	struct frame *f = NEW(struct frame);

	f->refs = 1; /* the page's */
	f->page = p;
	p->tree_version++;
	f->at.target = s;
	TAILQ_INIT(&f->children);
	frame_set_id(f, id);
	str_append(&f->url, "about:blank");
	if (p->main) {
		f->number = ++p->last_number;
		p->frame_texts += f->url.len;
	}
	TAILQ_INSERT_TAIL(&p->frames, f, link);
	p->frame_count++;
	return f;
}

struct frame *page_add_frame(struct page *p, const char *frame_id, const char *parent_id, struct engine_target *s)
{
	struct frame *f = page_find_frame(p, frame_id);

	if (!f && (!engine_id_is_valid(frame_id) || p->frame_count >= LIMIT_FRAMES_COUNT))
		return NULL;
	if (!f)
		f = new_frame(p, frame_id, s);
	take_parent(f, parent_id);
	return f;
}

static void leave_tree(struct frame *f)
{
	struct frame *child;

	while ((child = TAILQ_FIRST(&f->children))) {
		TAILQ_REMOVE(&f->children, child, sibling);
		child->at.parent = NULL;
	}
	if (f->at.parent)
		TAILQ_REMOVE(&frame_parent(f)->children, f, sibling);
	f->at.parent = NULL;
}

void frame_remove(struct frame *f)
{
	struct page *p = f->page;

	TAILQ_REMOVE(&p->frames, f, link);
	tdelete(f->at.id, &p->frames_by_id, frame_compare_ids);
	p->frame_count--;
	p->tree_version++;
	if (f != p->main)
		p->frame_texts -= f->url.len + f->name.len + f->failed.len;
	leave_tree(f);
	f->detached = true;
	f->at.target = NULL;
	frame_drop(f);
}

/* ---- what was reported of it ---- */

const char *frame_id(const struct frame *f)
{
	return f->at.id;
}

struct page *frame_page(struct frame *f)
{
	return f->page;
}

struct engine_frame *frame_engine(struct frame *f)
{
	return &f->at;
}

struct engine_target *frame_target(struct frame *f)
{
	return f->at.target;
}

bool frame_alive(const struct frame *f)
{
	return f->at.target;
}

bool frame_detached(const struct frame *f)
{
	return f->detached;
}

const char *frame_url(const struct frame *f)
{
	return str_text(&f->url);
}

const char *frame_name(const struct frame *f)
{
	return str_text(&f->name);
}

unsigned frame_commits(const struct frame *f)
{
	return f->commits;
}

unsigned frame_load_states(const struct frame *f)
{
	return f->load_states;
}

int frame_world(const struct frame *f)
{
	return f->at.own_world;
}

bool frame_called_library(const struct frame *f)
{
	return f->at.own_world && f->worlds.library == f->at.own_world;
}

int frame_page_world(const struct frame *f)
{
	return f->at.page_world;
}

bool frame_has_listeners_function(const struct frame *f)
{
	return f->worlds.listeners == f->at.page_world;
}

void frame_set_listeners_function(struct frame *f, bool installed)
{
	f->worlds.listeners = installed ? f->at.page_world : 0;
}

enum press_fate frame_press(const struct frame *f)
{
	return f->press;
}

void frame_reset_press(struct frame *f)
{
	f->press = PRESS_UNKNOWN;
}

bool frame_set_receiver(struct frame *f, struct frame_receiver *r)
{
	if (f->receiver)
		return false;
	f->receiver = r;
	return true;
}

void frame_unset_receiver(struct frame *f, struct frame_receiver *r)
{
	if (f->receiver == r)
		f->receiver = NULL;
}

void frame_interrupt(struct frame *f)
{
	engine_interrupt(f->at.target);
}

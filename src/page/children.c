/* The targets that belong to a page beside its own: its frames in other processes, and its workers. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "page/internal.h"

static int compare_children(const void *a, const void *b)
{
	return strcmp(((const struct child_target *)a)->session_id, ((const struct child_target *)b)->session_id);
}

/* A page can have as many as it likes, and each of its requests, messages and ends names one. */
static struct child_target *find_child(const struct page *p, const char *session_id)
{
	const struct child_target wanted = { .session_id = session_id };
	struct child_target *const *found = session_id ? tfind(&wanted, &p->children_by_id, compare_children) : NULL;

	return found ? *found : NULL;
}

void children_add(struct page *p, struct engine_target *s, bool is_worker)
{
	struct child_target *child = NEW(struct child_target);

	child->target = s;
	child->session_id = engine_target_id(s);
	child->is_worker = is_worker;
	TAILQ_INSERT_TAIL(&p->children, child, link);
	must(tsearch(child, &p->children_by_id, compare_children));
}

bool *page_has_library(struct page *p, const struct engine_target *s)
{
	struct child_target *child;

	if (p->target == s)
		return &p->has_library;
	child = s ? find_child(p, engine_target_id(s)) : NULL;
	return child && child->target == s ? &child->has_library : NULL;
}

static void free_child(struct page *p, struct child_target *child)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target ==
		    child->target) { /* the parent's process serves the frame until the browser reports where it moved */
			f->at.target = p->target;
			f->at.own_world = 0;
		}
	TAILQ_REMOVE(&p->children, child, link);
	tdelete(child, &p->children_by_id, compare_children);
	renderer_done(&child->renderer);
	traffic_on_session_gone(&p->traffic, engine_target_id(child->target));
	engine_target_free(child->target);
	free(child);
}

void children_remove(struct page *p, const char *session_id)
{
	struct child_target *child = find_child(p, session_id);

	if (!child)
		return;
	free_child(p, child);
	waitq_wake(&p->changed);
}

void children_drop(struct page *p)
{
	while (!TAILQ_EMPTY(&p->children))
		free_child(p, TAILQ_FIRST(&p->children));
}

bool page_has_child_targets(const struct page *p)
{
	return !TAILQ_EMPTY(&p->children);
}

struct engine_target *page_session(struct page *p, const char *session_id)
{
	const struct child_target *child;

	if (p->target && strcmp(engine_target_id(p->target), session_id) == 0)
		return p->target;
	child = find_child(p, session_id);
	return child ? child->target : NULL;
}

/* References to pages and frames, and how pages end with the last one. */
#include <assert.h>
#include <stdlib.h>

#include "page/frame.h"
#include "page/internal.h"

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
		frame_remove(TAILQ_FIRST(&p->frames));
	}
	TELL_PARTS(p->parts, done, p);
	free(p);
	return NULL;
}

/* A reference to a frame is also one to its page, so that `page` of a frame is never NULL. */
struct frame *frame_ref(struct frame *f)
{
	if (!f)
		return NULL;
	f->refs++;
	page_ref(f->page);
	return f;
}

struct frame *frame_unref(struct frame *f)
{
	struct page *p = f ? f->page : NULL;

	if (f)
		frame_drop(f);
	page_unref(p);
	return NULL;
}

void page_list_frames(struct page *p, struct frame_list *ret)
{
	struct frame *f;
	size_t count = 0;

	TAILQ_FOREACH(f, &p->frames, link)
		count++;
	*ret = (struct frame_list){ .items = must(calloc(count, sizeof(struct frame *))) };
	TAILQ_FOREACH(f, &p->frames, link)
		ret->items[ret->count++] = frame_ref(f);
}

void frame_list_done(struct frame_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		frame_unref(list->items[i]);
	free(list->items);
}

struct frame *frame_list_item(const struct frame_list *list, size_t i)
{
	return list->items[i];
}

#include "page/drag.h"

#include "engine/input.h"
#include "page/internal.h"

struct page_mouse *page_mouse(struct page *p)
{
	return &p->mouse;
}

void page_set_drag_receiver(struct page *p, struct drag_receiver *r)
{
	p->drag_receiver = r;
	engine_report_drags(p->target, r != NULL);
}

static void drag_on_reported(struct engine_target *s, const char *what, void *data)
{
	struct page *p = data;

	if (!p->drag_receiver)
		return;
	p->drag_receiver->started(p->drag_receiver, what);
	waitq_wake(&p->changed);
}

const struct engine_drag_events page_drag_events = {
	.started = drag_on_reported,
};

static void mouse_done(struct page *p)
{
	str_done(&p->mouse.drag);
}

const struct page_part mouse_part = {
	.done = mouse_done,
};

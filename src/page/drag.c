#include "page/drag.h"

#include "page/internal.h"

struct page_mouse *page_mouse(struct page *p)
{
	return &p->mouse;
}

void page_set_drag_receiver(struct page *p, struct drag_receiver *r)
{
	p->drag_receiver = r;
	cdp_post(p->cdp, "Input.setInterceptDrags", "{enabled: ?}", (bool)(r != NULL));
}

static void on_drag_intercepted(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;

	if (!p->drag_receiver)
		return;
	p->drag_receiver->started(p->drag_receiver, json_get(params, "data"));
	waitq_wake(&p->changed);
}

const struct cdp_event drag_event_table[] = {
	{ "Input.dragIntercepted", on_drag_intercepted },
	{},
};

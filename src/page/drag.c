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

static void on_drag_intercepted(struct engine_target *s, const struct json *params, void *data)
{
	_cleanup_(str_done) struct str text = {};
	struct page *p = data;

	if (!p->drag_receiver)
		return;
	json_print(&text, json_get(params, "data"));
	p->drag_receiver->started(p->drag_receiver, str_text(&text));
	waitq_wake(&p->changed);
}

const struct cdp_event drag_event_table[] = {
	{ "Input.dragIntercepted", on_drag_intercepted },
	{},
};

#include "act/overlay.h"

int target_highlight(struct task *t, const struct target *target, const char *locator, const char *style)
{
	_cleanup_(str_done) struct str request = {};

	str_json(&request, "{locator: ?, style: ?, ", locator, style ? style : "");
	str_append(&request, target->element + 1); /* members of an object: {ref} or {steps} */
	return frame_script(t, target->frame, NULL, "highlight", "?", JSON_RAW(request.data));
}

int target_hide_highlight(struct task *t, const struct target *target, const char *locator)
{
	return frame_script(t, target->frame, NULL, "hideHighlight", "{locator: ?}", locator);
}

void page_hide_highlights(struct page *p)
{
	page_post_script(p, "hideHighlight", "{}");
}

int page_show_chapter(struct task *t, struct page *p, const char *title, const char *description, usec_t duration)
{
	return frame_script(t, page_main_frame(p), NULL, "showChapter", "{title: ?, description: ?, duration: ?}", title,
			    description ? description : "", (int)(duration / USEC_PER_MSEC));
}

/* In the document of `f`; with `wait`, suspends until the mark has gone. */
static int mark_in(struct task *t, struct frame *f, const struct action_mark *mark, const char *title, const struct target *target,
		   bool wait)
{
	return frame_script(t, f, NULL, "markAction", "{title: ?, target: ?, duration: ?, wait: ?, ?}", title,
			    JSON_RAW(target ? target->element : "null"), (int)(mark->duration / USEC_PER_MSEC), wait,
			    JSON_RAW(mark->options));
}

int page_mark_action(struct task *t, struct page *p, const struct action_mark *mark)
{
	struct frame *main = page_main_frame(p);
	const struct target *target = mark->target;
	const char *title = mark->title ? mark->title : "";
	int r;

	if (!target || target->frame == main)
		return mark_in(t, main, mark, title, target, true);
	r = mark_in(t, target->frame, mark, "", target, false); /* a frame may be too small for the title */
	return r < 0 ? r : mark_in(t, main, mark, title, NULL, true);
}

void page_end_marks(struct page *p)
{
	page_post_script(p, "endMarks", "{}");
}

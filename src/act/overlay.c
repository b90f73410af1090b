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

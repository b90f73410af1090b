#include "page/frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/elements.h"
#include "page/internal.h"

void frame_ref_prefix(struct frame *f, char buf[REF_PREFIX_SIZE])
{
	buf[0] = '\0';
	if (f->number)
		snprintf(buf, REF_PREFIX_SIZE, "f%u", f->number);
}

/* The length of the prefix, if `target` is written as a ref (`sign` is 'e') or handle ('@'); negative: it is not. */
static int prefix_length(const char *target, char sign)
{
	const char *s = target;
	size_t digits;

	if (*s == 'f') {
		digits = strspn(s + 1, "0123456789");
		if (digits == 0)
			return -EINVAL;
		s += 1 + digits;
	}
	digits = *s == sign ? strspn(s + 1, "0123456789") : 0;
	return digits > 0 && !s[1 + digits] ? (int)(s - target) : -EINVAL;
}

bool is_ref(const char *target)
{
	return prefix_length(target, 'e') >= 0;
}

bool is_handle(const char *target)
{
	return prefix_length(target, '@') >= 0;
}

struct frame *page_frame_of_ref(struct page *p, const char *ref)
{
	bool has_prefix = prefix_length(ref, is_handle(ref) ? '@' : 'e') > 0;
	unsigned long number = has_prefix ? strtoul(ref + 1, NULL, 10) : 0;
	struct frame *f;

	if ((!is_ref(ref) && !is_handle(ref)) || (has_prefix && ref[1] == '0'))
		return NULL;
	TAILQ_FOREACH(f, &p->frames, link)
		if (f->number == number)
			return f;
	return NULL;
}

static struct frame *known_child(struct frame *parent, const char *handle)
{
	struct frame *f;

	TAILQ_FOREACH(f, &parent->children, sibling)
		if (f->owner.document == parent->commits && strcmp(f->owner.handle, handle) == 0)
			return f;
	return NULL;
}

static int fail_removed(struct task *t)
{
	return task_fail(t, -ESTALE, "the frame was removed meanwhile");
}

int frame_of_element(struct task *t, struct frame *parent, const char *handle, struct frame **ret)
{
	char id[ENGINE_ID_SIZE];
	struct frame *f;
	int r;

	if (!handle)
		return fail_removed(t);
	*ret = frame_ref(known_child(parent, handle));
	if (*ret)
		return 0;
	r = engine_frame_of(t, &parent->at, handle, id);
	if (r == -ENOENT || (r == 0 && parent->detached))
		return fail_removed(t);
	if (r < 0)
		return r;
	f = page_find_frame(parent->page, id);
	if (!f || frame_parent(f) != parent)
		return 0;
	snprintf(f->owner.handle, sizeof(f->owner.handle), "%s", handle);
	f->owner.document = parent->commits;
	*ret = frame_ref(f);
	return 0;
}

static bool has_child_frames(struct page *p)
{
	return TAILQ_FIRST(&p->frames) && TAILQ_NEXT(TAILQ_FIRST(&p->frames), link);
}

int page_frame_at(struct task *t, struct page *p, struct point at, struct frame **ret)
{
	char shown[ENGINE_ID_SIZE] = "", document[ENGINE_ID_SIZE] = "";
	struct frame *f;
	int r = has_child_frames(p) ? engine_frame_at(t, &p->main->at, at, shown, document) : 0;

	if (r < 0)
		return r;
	f = page_find_frame(p, shown);
	if (!f)
		f = page_find_frame(p, document);
	*ret = frame_ref(f ? f : p->main);
	return 0;
}

bool frame_is_named(struct frame *f)
{
	const struct frame *parent = frame_parent(f);

	return !parent || (f->owner.named_in && f->owner.named_in == parent->at.own_world);
}

void frame_set_named(struct frame *f)
{
	const struct frame *parent = frame_parent(f);

	if (parent)
		f->owner.named_in = parent->at.own_world;
}

const char *frame_owner(const struct frame *f)
{
	return f->owner.handle;
}

int frame_owner_script(struct task *t, struct frame *f, const char *function, const char *point, struct json **ret)
{
	_cleanup_(frame_unrefp) struct frame *parent = frame_ref(frame_parent(f));
	int r;

	if (!parent)
		return fail_removed(t);
	r = frame_script(t, parent, NULL, "prepared", "{}"); /* makes the world that the element is asked for in */
	if (r < 0)
		return r;
	return frame_parent(f) ? engine_owner_script(t, &f->at, function, point, ret) : fail_removed(t);
}

static void take_obstacle(struct task *t, const struct json *obstacle, const char **ret)
{
	_cleanup_(str_done) struct str text = {};

	if (!obstacle || !ret || *ret)
		return;
	json_print(&text, obstacle);
	*ret = arena_strdup(task_arena(t), text.data);
}

/* `levels` above `f`; NULL when there are not so many. */
static struct frame *ancestor(struct frame *f, int64_t levels)
{
	while (levels-- > 0 && f)
		f = frame_parent(f);
	return f;
}

int frame_to_page(struct task *t, struct frame *f, const struct json *offset, struct point *at, const char **ret_obstacle)
{
	_cleanup_(frame_unrefp) struct frame *outermost = frame_ref(ancestor(f, json_int(offset, "levels", 0))), *parent = NULL;
	_cleanup_(json_freep) struct json *next = NULL;
	_cleanup_(str_done) struct str point = {};
	int r;

	if (!json_bool(offset, "open", false))
		return 0;
	if (!outermost)
		return fail_removed(t);
	if (ret_obstacle)
		str_json(&point, "{x: ?, y: ?}", at->x, at->y);
	/* As far as the parent can tell, parents of the same origin included: contentOrigin() of scripts/point.js. */
	r = frame_owner_script(t, outermost, "contentOrigin", point.len ? point.data : "null", &next);
	if (r < 0)
		return r;
	take_obstacle(t, json_get(next, "obstacle"), ret_obstacle);
	*at = (struct point){
		json_num(next, "a", 1) * at->x + json_num(next, "c", 0) * at->y + json_num(next, "x", 0),
		json_num(next, "b", 0) * at->x + json_num(next, "d", 1) * at->y + json_num(next, "y", 0),
	};
	parent = frame_ref(frame_parent(outermost));
	return parent ? frame_to_page(t, parent, next, at, ret_obstacle) : fail_removed(t);
}

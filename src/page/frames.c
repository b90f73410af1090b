#include "page/frames.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cdp/cdp.h"
#include "page/internal.h"

#define COORDINATE_MAX 1e9

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

/* The browser's handle of an element, in the arena. */
static int element_object(struct task *t, struct frame *f, const char *ref, const char **ret_id)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *id;
	int r;

	r = cdp_call(t, f->at.target, &reply, "Runtime.callFunctionOn",
		     "{functionDeclaration: 'a=>browserd.element(a)', arguments: [{value: {ref: ?}}], executionContextId: ?, "
		     "objectGroup: 'browserd'}",
		     ref, f->at.own_world);
	if (r < 0)
		return r;
	id = json_str(reply, "result.result.objectId");
	if (!id || json_get(reply, "result.exceptionDetails"))
		return fail_removed(t);
	*ret_id = arena_strdup(task_arena(t), id);
	return 0;
}

int frame_of_element(struct task *t, struct frame *parent, const char *handle, struct frame **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *object = NULL;
	struct frame *f;
	int r;

	if (!handle)
		return fail_removed(t);
	*ret = frame_ref(known_child(parent, handle));
	if (*ret)
		return 0;
	r = element_object(t, parent, handle, &object);
	if (r < 0)
		return r;
	r = cdp_call(t, parent->at.target, &reply, "DOM.describeNode", "{objectId: ?}", object);
	cdp_post(parent->at.target, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	if (r < 0)
		return r;
	if (parent->detached)
		return fail_removed(t);
	f = page_find_frame(parent->page, json_str(reply, "result.node.frameId"));
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

/* In whole pixels, as this method wants it; places come from scripts of pages. */
static int coordinate(double n)
{
	return (int)fmin(fmax(n, -COORDINATE_MAX), COORDINATE_MAX);
}

int page_frame_at(struct task *t, struct page *p, struct point at, struct frame **ret)
{
	_cleanup_(json_freep) struct json *hit = NULL, *node = NULL;
	struct frame *f = NULL;
	int r = 0;

	if (has_child_frames(p))
		r = cdp_call(t, p->target, &hit, "DOM.getNodeForLocation", "{x: ?, y: ?}", coordinate(at.x), coordinate(at.y));
	if (r == 0 && hit)
		r = cdp_call(t, p->target, &node, "DOM.describeNode", "{backendNodeId: ?}",
			     json_int(hit, "result.backendNodeId", 0));
	if (r < 0 && r != -EREMOTE) /* refused: there is no element at the point */
		return r;
	if (node)
		f = page_find_frame(p, json_str(node, "result.node.frameId")); /* the frame that this element shows */
	if (!f && hit)
		f = page_find_frame(p, json_str(hit, "result.frameId"));
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

int frame_page_object(struct task *t, struct frame *f, const char *ref, const char **ret_id)
{
	_cleanup_(json_freep) struct json *node = NULL, *resolved = NULL;
	const char *ours = NULL, *id;
	int r;

	r = element_object(t, f, ref, &ours);
	if (r < 0)
		return r;
	r = cdp_call(t, f->at.target, &node, "DOM.describeNode", "{objectId: ?}", ours);
	if (r < 0)
		return r;
	r = cdp_call(t, f->at.target, &resolved, "DOM.resolveNode", "{backendNodeId: ?, objectGroup: 'browserd'}",
		     json_int(node, "result.node.backendNodeId", 0));
	if (r < 0)
		return r;
	id = json_str(resolved, "result.object.objectId");
	if (!id)
		return task_fail(t, -ESTALE, "the element was removed meanwhile");
	*ret_id = arena_strdup(task_arena(t), id);
	return 0;
}

int frame_owner_script(struct task *t, struct frame *f, const char *function, const char *point, struct json **ret)
{
	_cleanup_(json_freep) struct json *owner = NULL, *node = NULL;
	_cleanup_(frame_unrefp) struct frame *parent = frame_ref(frame_parent(f));
	const char *declaration =
		arena_printf(task_arena(t), "function(point){return browserd.%s({frame: this, point})}", function);
	int r;

	if (!parent)
		return fail_removed(t);
	r = cdp_call(t, parent->at.target, &owner, "DOM.getFrameOwner", "{frameId: ?}", f->at.id);
	if (r < 0)
		return r;
	r = frame_script(t, parent, NULL, "prepared", "{}"); /* makes the world that the element is asked for in */
	if (r < 0)
		return r;
	r = cdp_call(t, parent->at.target, &node, "DOM.resolveNode",
		     "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
		     json_int(owner, "result.backendNodeId", 0), parent->at.own_world);
	if (r < 0)
		return r;
	r = cdp_call(t, parent->at.target, ret, "Runtime.callFunctionOn",
		     "{functionDeclaration: ?, objectId: ?, arguments: [{value: ?}], returnByValue: true}", declaration,
		     json_str(node, "result.object.objectId"), JSON_RAW(point));
	cdp_post(parent->at.target, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r;
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
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str point = {};
	const struct json *next;
	int r;

	if (!json_bool(offset, "open", false))
		return 0;
	if (!outermost)
		return fail_removed(t);
	if (ret_obstacle)
		str_json(&point, "{x: ?, y: ?}", at->x, at->y);
	/* As far as the parent can tell, parents of the same origin included: contentOrigin() of scripts/point.js. */
	r = frame_owner_script(t, outermost, "contentOrigin", point.len ? point.data : "null", &reply);
	if (r < 0)
		return r;
	next = json_get(reply, "result.result.value");
	take_obstacle(t, json_get(next, "obstacle"), ret_obstacle);
	*at = (struct point){
		json_num(next, "a", 1) * at->x + json_num(next, "c", 0) * at->y + json_num(next, "x", 0),
		json_num(next, "b", 0) * at->x + json_num(next, "d", 1) * at->y + json_num(next, "y", 0),
	};
	parent = frame_ref(frame_parent(outermost));
	return parent ? frame_to_page(t, parent, next, at, ret_obstacle) : fail_removed(t);
}

#include "act/target.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "page/frames.h"
#include "page/frame.h"

/* Appends the elements of the array `steps` to `list`, the elements of a JSON array without the brackets. */
static void append_steps(struct str *list, const struct json *steps)
{
	json_foreach(step, steps) {
		if (list->len)
			str_append_char(list, ',');
		json_print(list, step);
	}
}

static const char *as_array(struct task *t, const struct str *list)
{
	return arena_printf(task_arena(t), "[%s]", str_text(list));
}

/* The locator that the page returned is complete if no frame is on the path. */
static void take_locator(struct task *t, struct target *ret)
{
	const char *locator = json_str(ret->answer, "locator");

	if (locator && !frame_parent(ret->frame))
		ret->locator = arena_strdup(task_arena(t), locator);
}

/* The steps from the page to `f`. */
static int steps_to_frame(struct task *t, struct frame *f, struct str *list)
{
	_cleanup_(json_freep) struct json *steps = NULL;
	_cleanup_(frame_unrefp) struct frame *parent = frame_ref(frame_parent(f));
	bool knows_owner = *frame_owner(f); /* otherwise the browser finds the element that shows the frame */
	int r;

	if (!parent)
		return 0;
	r = steps_to_frame(t, parent, list);
	if (r < 0)
		return r;
	if (knows_owner)
		r = frame_script(t, parent, &steps, "generate", "{ref: ?}", frame_owner(f));
	else
		r = frame_owner_script(t, f, "generateFor", "null", &steps);
	if (r < 0)
		return r;
	append_steps(list, steps);
	str_json(list, ", {type: 'frame'}");
	return 0;
}

static int fail_unknown_ref(struct task *t, const char *ref)
{
	return task_fail_because(t, -ERR_REF_NOT_FOUND, REASON_REF_UNKNOWN, "{ref: ?}", ref);
}

/*
 * Resolves the part of the target that lies in one document; `question` has members of the argument of scripts/resolve.js.
 * Only the main document looks for the click point: frames are first scrolled into view.
 */
static int resolve_in_frame(struct task *t, const char *question, struct target *ret)
{
	struct frame *f = ret->frame;
	bool is_main = !frame_parent(f);
	char prefix[REF_PREFIX_SIZE];
	int r;

	ret->reply = json_free(ret->reply);
	if (is_main && json_type(ret->known) == JSON_OBJECT && ret->known_document == frame_commits(f)) {
		ret->answer = ret->known;
		return 0;
	}
	frame_ref_prefix(f, prefix);
	if (is_main && ret->click)
		r = frame_script(t, f, &ret->reply, "resolveForClick", "{?, refPrefix: ?, click: ?}", JSON_RAW(question), prefix,
				 JSON_RAW(ret->click));
	else
		r = frame_script(t, f, &ret->reply, "resolve", "{?, refPrefix: ?, any: ?}", JSON_RAW(question), prefix, ret->any);
	ret->answer = ret->reply;
	return r;
}

static int resolve_ref(struct task *t, struct page *p, const char *ref, struct target *ret)
{
	_cleanup_(str_done) struct str steps = {}, question = {}, element = {};
	int r;

	ret->frame = frame_ref(page_frame_of_ref(p, ref));
	if (!ret->frame)
		return fail_unknown_ref(t, ref);
	str_json(&question, "target: ?", ref);
	r = resolve_in_frame(t, question.data, ret);
	if (r == 0)
		r = steps_to_frame(t, ret->frame, &steps);
	if (r < 0)
		return r;
	append_steps(&steps, json_get(ret->answer, "steps"));
	str_json(&element, "{ref: ?}", ref);
	ret->ref = arena_strdup(task_arena(t), json_str(ret->answer, "ref"));
	ret->steps = as_array(t, &steps);
	ret->element = arena_strdup(task_arena(t), element.data);
	take_locator(t, ret);
	return 0;
}

static int enter_frame(struct task *t, struct target *ret)
{
	_cleanup_(frame_unrefp) struct frame *inner = NULL;
	int r;

	r = frame_of_element(t, ret->frame, json_str(ret->answer, "frame"), &inner);
	if (r < 0)
		return r;
	if (!inner)
		return task_fail(t, -ERR_ELEMENT_NOT_FOUND, "the frame that \"%s\" leads into shows no document", ret->written);
	frame_unref(ret->frame);
	ret->frame = TAKE_PTR(inner);
	return 0;
}

/*
 * Walks from the page to the last document on the path, whose answer to `what`, members of a JSON object, is
 * `ret->answer` in the end. `element`: how that document finds the element again, as members of a JSON object.
 */
static int walk(struct task *t, struct page *p, const char *what, struct target *ret, struct str *steps, struct str *element)
{
	int r;

	ret->frame = frame_ref(ret->root ? ret->root : page_main_frame(p));
	str_json(element, "target: ?", ret->written);
	for (;;) {
		const struct json *inner;

		str_append(element, what);
		r = resolve_in_frame(t, element->data, ret);
		if (r < 0)
			return r;
		inner = json_get(ret->answer, "frame");
		append_steps(steps, json_get(ret->answer, inner ? "outer" : "steps"));
		str_reset(element);
		str_append(element, "\"steps\":");
		json_print(element, json_get(ret->answer, "steps"));
		if (!inner)
			return 0;
		str_json(steps, ", {type: 'frame'}");
		r = enter_frame(t, ret);
		if (r < 0)
			return r;
	}
}

static int resolve_selector(struct task *t, struct page *p, struct target *ret)
{
	_cleanup_(str_done) struct str element = {}, steps = {};
	int r;

	r = walk(t, p, "", ret, &steps, &element);
	if (r < 0)
		return r;
	ret->ref = arena_strdup(task_arena(t), json_str(ret->answer, "ref"));
	ret->steps = as_array(t, &steps);
	ret->element = arena_printf(task_arena(t), "{%s}", element.data);
	take_locator(t, ret);
	return 0;
}

static int find_first_in(struct task *t, struct frame *f, const char *wanted, struct target *ret)
{
	_cleanup_(json_freep) struct json *found = NULL;
	_cleanup_(str_done) struct str steps = {};
	int r;

	r = frame_script(t, f, &found, "generateForFirst", "{steps: ?}", JSON_RAW(wanted));
	if (r < 0)
		return r;
	if (!found)
		return -ERR_ELEMENT_NOT_FOUND;
	r = steps_to_frame(t, f, &steps);
	if (r < 0)
		return r;
	append_steps(&steps, found);
	ret->frame = frame_ref(f);
	ret->steps = as_array(t, &steps);
	return 0;
}

/* Frames that are removed or replaced meanwhile have no such element. */
int target_find_first(struct task *t, struct page *p, const char *steps, struct target *ret)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	int r = -ERR_ELEMENT_NOT_FOUND;

	page_list_frames(p, &frames);
	for (size_t i = 0; i < frames.count && r == -ERR_ELEMENT_NOT_FOUND; i++) {
		r = find_first_in(t, frame_list_item(&frames, i), steps, ret);
		if (r == -ESTALE && i > 0)
			r = -ERR_ELEMENT_NOT_FOUND;
	}
	return r;
}

int target_list(struct task *t, struct page *p, struct frame *root, const char *target, const char *what, const char *name,
		const char **ret_json)
{
	_cleanup_(str_done) struct str element = {}, steps = {}, list = {}, value = {};
	_cleanup_(target_done) struct target at = { .written = target, .root = root };
	int r;

	str_json(&list, ", list: {what: ?, name: ?}", what, name);
	r = walk(t, p, list.data, &at, &steps, &element);
	if (r < 0)
		return r;
	json_print(&value, json_get(at.answer, "list"));
	*ret_json = arena_strdup(task_arena(t), value.data);
	return 0;
}

int target_resolve_all(struct task *t, struct page *p, const char *targets, struct target_answers *ret)
{
	struct frame *f = page_main_frame(p);
	char prefix[REF_PREFIX_SIZE];

	frame_ref_prefix(f, prefix);
	ret->document = frame_commits(f);
	return frame_script(t, f, &ret->answers, "resolveAll", "{targets: [?], refPrefix: ?}", JSON_RAW(targets), prefix);
}

/* Removes the prefix that refs have in Playwright's call logs, where they are printed as selectors. */
static const char *without_engine(const char *target)
{
	static const char engine[] = "aria-ref=";
	const char *ref = target + strlen(engine);

	return strncmp(target, engine, strlen(engine)) == 0 && is_ref(ref) ? ref : target;
}

int target_resolve(struct task *t, struct page *p, const char *target, struct target *ret)
{
	int r;

	target = without_engine(target);
	ret->written = arena_strdup(task_arena(t), target);
	r = is_ref(target) || is_handle(target) ? resolve_ref(t, p, target, ret) : resolve_selector(t, p, ret);
	if (r < 0)
		target_done(ret);
	return r;
}

static int resolve_any(struct task *t, struct page *p, struct target *ret)
{
	_cleanup_(str_done) struct str element = {}, steps = {};
	int r;

	r = walk(t, p, ", \"list\":{\"what\":\"count\"}", ret, &steps, &element);
	if (r < 0)
		return r;
	if (json_int(ret->answer, "list", 0) == 0)
		return task_fail_because(t, -ERR_ELEMENT_NOT_FOUND, REASON_NOT_MATCHING, "{target: ?}", ret->written);
	ret->steps = as_array(t, &steps);
	ret->element = arena_printf(task_arena(t), "{%s}", element.data);
	return 0;
}

int target_resolve_any(struct task *t, struct page *p, const char *target, struct target *ret)
{
	int r;

	target = without_engine(target);
	if (is_ref(target))
		return target_resolve(t, p, target, ret);
	ret->written = arena_strdup(task_arena(t), target);
	r = resolve_any(t, p, ret);
	if (r < 0)
		target_done(ret);
	return r;
}

void target_done(struct target *target)
{
	target->frame = frame_unref(target->frame);
	target->reply = json_free(target->reply);
	target->answer = NULL;
}

int target_locator(struct task *t, struct page *p, const struct target *target, const char *language, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	if (target->locator && strcmp(language, "typescript") == 0) {
		*ret = target->locator;
		return 0;
	}
	r = frame_script(t, page_main_frame(p), &value, "printLocator", "{steps: ?, language: ?}", JSON_RAW(target->steps),
			 language);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, NULL));
	return r;
}

int frame_locator(struct task *t, struct page *printer, struct frame *f, const char *steps, const char *language, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	_cleanup_(str_done) struct str all = {};
	int r;

	if (f != page_main_frame(frame_page(f)) && frame_detached(f))
		return task_fail(t, -ERR_ELEMENT_NOT_FOUND, "the frame has gone");
	r = steps_to_frame(t, f, &all);
	if (r < 0)
		return r;
	if (all.len)
		str_append_char(&all, ',');
	str_append_len(&all, steps + 1, strlen(steps) - 2);
	r = frame_script(t, page_main_frame(printer), &value, "printLocator", "{steps: [?], language: ?}", JSON_RAW(all.data),
			 language);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, NULL));
	return r;
}

int target_preview(struct task *t, const struct target *target, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	r = frame_script(t, target->frame, &value, "preview", "{ref: ?}", target->ref);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, "text"));
	return r;
}

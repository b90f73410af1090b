#include "act/target.h"

#include <string.h>

#include "base/error.h"
#include "page/frames.h"
#include "page/state.h"

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
static void take_locator(struct task *t, const struct json *value, struct target *ret)
{
	const char *locator = json_str(value, "locator");

	if (locator && !frame_parent(ret->frame))
		ret->locator = arena_strdup(task_arena(t), locator);
}

/* The steps from the page to `f`. */
static int steps_to_frame(struct task *t, struct frame *f, struct str *list)
{
	_cleanup_(json_freep) struct json *steps = NULL;
	_cleanup_(frame_unrefp) struct frame *parent = frame_ref(frame_parent(f));
	int r;

	if (!parent)
		return 0;
	r = steps_to_frame(t, parent, list);
	if (r < 0)
		return r;
	r = frame_script(t, parent, &steps, "generate", "{ref: %s}", f->owner_ref);
	if (r < 0)
		return r;
	append_steps(list, steps);
	str_json(list, ", {type: 'frame'}");
	return 0;
}

static int fail_unknown_ref(struct task *t, const char *ref)
{
	return task_fail(t, -ERR_REF_NOT_FOUND, "Ref %s not found in the current page snapshot. Try capturing new snapshot.", ref);
}

/* Takes the reply that was requested ahead, if the document is still the same. */
static bool take_answer(struct task *t, struct target *target, struct json **ret)
{
	struct target_question *asked = target->asked;
	struct frame *f = target->frame;
	_cleanup_(json_freep) struct json *value = NULL;

	target->asked = NULL;
	if (!asked || asked->frame != f || frame_script_await(t, f, &asked->call, &value) < 0 || asked->document != f->commits)
		return false;
	*ret = TAKE_PTR(value);
	return true;
}

static int resolve_ref(struct task *t, struct page *p, const char *ref, struct target *ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	_cleanup_(str_done) struct str steps = {}, element = {};
	struct frame *f = ret->frame = frame_ref(page_frame_of_ref(p, ref));
	int r;

	if (!f)
		return fail_unknown_ref(t, ref);
	r = steps_to_frame(t, f, &steps);
	if (r < 0)
		return r;
	if (!take_answer(t, ret, &value))
		r = frame_script(t, f, &value, "resolve", "{target: %s}", ref);
	if (r < 0)
		return r;
	append_steps(&steps, json_get(value, "steps"));
	str_json(&element, "{ref: %s}", ref);
	ret->ref = arena_strdup(task_arena(t), ref);
	ret->steps = as_array(t, &steps);
	ret->element = arena_strdup(task_arena(t), element.data);
	take_locator(t, value, ret);
	return 0;
}

/* Resolves the part of the target that lies in one document. `question` has members of the argument of scripts/resolve.js. */
static int resolve_in(struct task *t, struct frame *f, const char *question, struct json **ret)
{
	char prefix[REF_PREFIX_SIZE];

	frame_ref_prefix(f, prefix);
	return frame_script(t, f, ret, "resolve", "{%p, refPrefix: %s}", question, prefix);
}

static int enter_frame(struct task *t, const struct json *value, struct target *ret)
{
	_cleanup_(frame_unrefp) struct frame *inner = NULL;
	int r;

	r = frame_of_element(t, ret->frame, json_str(value, "frame"), &inner);
	if (r < 0)
		return r;
	if (!inner)
		return task_fail(t, -ERR_ELEMENT_NOT_FOUND, "the frame that \"%s\" leads into shows no document", ret->written);
	frame_unref(ret->frame);
	ret->frame = TAKE_PTR(inner);
	return 0;
}

/*
 * Walks from the page to the last document on the path. `ret_value` is what that document answers to `what`, members
 * of a JSON object.
 */
static int walk(struct task *t, struct page *p, const char *what, struct target *ret, struct str *steps, struct str *question,
		struct json **ret_value)
{
	int r = 0;

	ret->frame = frame_ref(page_main_frame(p));
	str_json(question, "target: %s", ret->written);
	for (;;) {
		_cleanup_(json_freep) struct json *value = NULL;

		str_append(question, what);
		if (!take_answer(t, ret, &value))
			r = resolve_in(t, ret->frame, question->data, &value);
		if (r < 0)
			return r;
		append_steps(steps, json_get(value, json_get(value, "frame") ? "outer" : "steps"));
		str_reset(question);
		str_append(question, "\"steps\":");
		json_print(question, json_get(value, "steps"));
		if (!json_get(value, "frame")) {
			*ret_value = TAKE_PTR(value);
			return 0;
		}
		str_json(steps, ", {type: 'frame'}");
		r = enter_frame(t, value, ret);
		if (r < 0)
			return r;
	}
}

static int resolve_selector(struct task *t, struct page *p, struct target *ret)
{
	_cleanup_(str_done) struct str question = {}, steps = {};
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	r = walk(t, p, "", ret, &steps, &question, &value);
	if (r < 0)
		return r;
	ret->ref = arena_strdup(task_arena(t), json_str(value, "ref"));
	ret->steps = as_array(t, &steps);
	ret->element = arena_printf(task_arena(t), "{%s}", question.data);
	take_locator(t, value, ret);
	return 0;
}

int target_list(struct task *t, struct page *p, const char *target, const char *what, const char **ret_json)
{
	_cleanup_(str_done) struct str question = {}, steps = {}, list = {}, value = {};
	_cleanup_(json_freep) struct json *answer = NULL;
	struct target at = { .written = target };
	int r;

	str_json(&list, ", list: %s", what);
	r = walk(t, p, list.data, &at, &steps, &question, &answer);
	target_done(&at);
	if (r < 0)
		return r;
	json_print(&value, json_get(answer, "list"));
	*ret_json = arena_strdup(task_arena(t), value.data);
	return 0;
}

/* Removes the prefix that refs have in Playwright's call logs, where they are printed as selectors. */
static const char *without_engine(const char *target)
{
	static const char engine[] = "aria-ref=";
	const char *ref = target + strlen(engine);

	return strncmp(target, engine, strlen(engine)) == 0 && is_ref(ref) ? ref : target;
}

void target_ask(struct task *t, struct page *p, const char *target, struct target_question *ret)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	char prefix[REF_PREFIX_SIZE];

	target = without_engine(target);
	f = frame_ref(is_ref(target) ? page_frame_of_ref(p, target) : page_main_frame(p));
	if (!f)
		return;
	frame_ref_prefix(f, prefix);
	if (frame_script_send(t, f, &ret->call, "resolve", "{target: %s, refPrefix: %s}", target, prefix) < 0)
		return;
	ret->document = f->commits;
	ret->frame = TAKE_PTR(f);
}

void target_question_done(struct target_question *q)
{
	cdp_call_done(&q->call);
	q->frame = frame_unref(q->frame);
}

int target_resolve(struct task *t, struct page *p, const char *target, struct target *ret)
{
	int r;

	target = without_engine(target);
	ret->written = arena_strdup(task_arena(t), target);
	r = is_ref(target) ? resolve_ref(t, p, target, ret) : resolve_selector(t, p, ret);
	if (r < 0)
		target_done(ret);
	return r;
}

void target_done(struct target *target)
{
	target->frame = frame_unref(target->frame);
}

int target_locator(struct task *t, struct page *p, const struct target *target, const char *language, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	if (target->locator && strcmp(language, "typescript") == 0) {
		*ret = target->locator;
		return 0;
	}
	r = frame_script(t, page_main_frame(p), &value, "printLocator", "{steps: %p, language: %s}", target->steps, language);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, NULL));
	return r;
}

int target_preview(struct task *t, const struct target *target, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	r = frame_script(t, target->frame, &value, "preview", "{ref: %s}", target->ref);
	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, "text"));
	return r;
}

/* Calling page scripts in the isolated world of a frame. */
#include <errno.h>

#include "base/error.h"
#include "engine/script.h"
#include "loop/patience.h"
#include "page/modal.h"
#include "page/options.h"
#include "page/internal.h"
#include "scripts/scripts.h"

static int script_fail_gone(struct task *t)
{
	return task_fail(t, -ESTALE, "the page navigated or was closed during the call; look at it again, then repeat the call");
}

static int create_world(struct task *t, struct frame *f)
{
	int world, r = engine_make_world(t, &f->at, f->page->world_name, &world);

	if (r < 0)
		return r == -EREMOTE ? script_fail_gone(t) : r;
	if (f->at.own_world == 0) /* the browser has not reported it before its reply */
		f->at.own_world = world;
	return 0;
}

/* What the page scripts find in their world when they begin. */
static void append_settings(struct str *out, const struct page *p)
{
	const char *attribute = page_options(p)->test_id_attribute;

	if (page_options(p)->extended_snapshots) { /* scripts/functions/listeners.js is called by that name */
		str_append(out, "globalThis.browserdExtended = true;\nglobalThis.browserdListeners = ");
		str_json(out, "?", p->target_id);
		str_append(out, ";\n");
	}
	if (page_options(p)->follows_0_0_84)
		str_append(out, "globalThis.browserdFollows0084 = true;\n");
	if (page_options(p)->renews_refs)
		str_append(out, "globalThis.browserdRenewsRefs = true;\n");
	if (!attribute)
		return;
	str_append(out, "globalThis.browserdTestIdAttribute = ");
	str_json(out, "?", attribute);
	str_append(out, ";\n");
}

static void append_library(struct str *out, const struct page *p)
{
	append_settings(out, p);
	str_append(out, page_scripts);
}

/*
 * Gives the library once to each target, before its first call, for present and future documents. Targets that are only observed or navigated
 * never receive it.
 */
static void install_library(struct frame *f)
{
	_cleanup_(str_done) struct str text = {};
	bool *there = page_has_library(f->page, f->at.target);

	if (!there || *there)
		return;
	append_library(&text, f->page);
	engine_add_library(f->at.target, text.data, f->page->world_name);
	*there = true;
}

/*
 * Now and then, Chromium has not run the library in the first document of a new frame, although it was registered before. Calls
 * find that out (SCRIPT_MISSING), and this sends the library to the one world.
 */
static void install_missing_library(struct frame *f)
{
	_cleanup_(str_done) struct str text = {};

	append_library(&text, f->page);
	engine_run(f->at.target, f->at.own_world, text.data);
}

/* Documents that are older than the attachment have no isolated world yet. */
static int ensure_world(struct task *t, struct frame *f)
{
	int r;

	if (!f->at.target)
		return task_fail(t, -ESTALE, ENGINE_PAGE_GONE);
	if (f->at.own_world != 0)
		return 0;
	r = create_world(t, f);
	if (r < 0)
		return r;
	return f->at.target && f->at.own_world != 0 ? 0 : script_fail_gone(t);
}

/* What hides passwords is said with each call, because a document may begin at any time, and Firefox makes worlds anew. */
static const char *add_hiding(struct task *t, const struct frame *f, const char *argument)
{
	if (!f->page->hides_passwords || *argument != '{')
		return argument;
	return arena_printf(task_arena(t), "{\"hidesPasswords\":true%s%s", argument[1] == '}' ? "" : ",", argument + 1);
}

/* `argument` is JSON text. */
static int script_send_script(struct task *t, struct frame *f, struct engine_call *call, bool is_gesture, const char *function,
			      const char *argument)
{
	int r = ensure_world(t, f);

	if (r < 0)
		return r;
	install_library(f);
	f->worlds.library = f->at.own_world;
	engine_call_script(t, &f->at, call, function, add_hiding(t, f, argument), is_gesture);
	return 0;
}

int frame_script_send_values(struct task *t, struct frame *f, struct engine_call *call, const char *function, uint64_t types,
			     const char *template, ...)
{
	_cleanup_(str_done) struct str argument = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&argument, types, template, ap);
	va_end(ap);
	return script_send_script(t, f, call, false, function, argument.data);
}

static int fail_as_script_says(struct task *t, const struct json *failure)
{
	const struct json *facts = json_get(failure, "facts");
	int code = error_from_name(json_str(failure, "code"));
	enum reason reason = reason_from_name(json_str(failure, "reason"));

	return facts ? task_fail_because(t, code, reason, "?", facts) : task_fail_because(t, code, reason, "{}");
}

/* -ENOENT: the library is missing in the world of the frame. */
static int await_value(struct task *t, struct frame *f, struct engine_call *call, struct json **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	struct script_outcome outcome;
	int r = engine_await_script(t, call, &outcome);

	if (r == -ETIMEDOUT)
		f->page->busy = true;
	if (r < 0)
		return r;
	value = outcome.value;
	if (outcome.end == SCRIPT_LOST)
		return script_fail_gone(t);
	if (outcome.end == SCRIPT_THREW)
		return task_fail(t, -ERR_BROWSER_ERROR, "a page script failed: %s", outcome.thrown);
	if (outcome.end == SCRIPT_MISSING)
		return -ENOENT;
	if (json_get(value, "failure"))
		return fail_as_script_says(t, json_get(value, "failure"));
	if (ret)
		*ret = TAKE_PTR(value);
	return 0;
}

int frame_script_await(struct task *t, struct frame *f, struct engine_call *call, struct json **ret)
{
	int r;

	r = await_value(t, f, call, ret);
	if (r != -ENOENT)
		return r;
	install_missing_library(f);
	return script_fail_gone(t);
}

static int call_script(struct task *t, struct frame *f, struct json **ret, bool is_gesture, const char *function,
		       const char *argument)
{
	_cleanup_(engine_call_done) struct engine_call call = {}, again = {};
	int r;

	r = script_send_script(t, f, &call, is_gesture, function, argument);
	if (r == 0)
		r = await_value(t, f, &call, ret);
	if (r != -ENOENT)
		return r;
	install_missing_library(f);
	r = script_send_script(t, f, &again, is_gesture, function, argument);
	return r < 0 ? r : frame_script_await(t, f, &again, ret);
}

int frame_script_values(struct task *t, struct frame *f, struct json **ret, const char *function, uint64_t types,
			const char *template, ...)
{
	_cleanup_(str_done) struct str argument = {};
	va_list ap;

	va_start(ap, template);
	str_vjson(&argument, types, template, ap);
	va_end(ap);
	return call_script(t, f, ret, false, function, argument.data);
}

int frame_gesture(struct task *t, struct frame *f, struct json **ret, const char *function, const char *argument)
{
	return call_script(t, f, ret, true, function, argument);
}

void page_set_busy(struct page *p)
{
	p->busy = true;
}

void page_watch_effects(struct page *p, struct frame *f)
{
	p->watched = f;
}

void page_note_effect(struct page *p)
{
	const struct frame *f = p->watched;

	if (f && f->at.target && f->at.own_world)
		engine_run(f->at.target, f->at.own_world, "browserd.noteElsewhere()");
}

static void record_in(struct page *p, struct engine_target *s)
{
	_cleanup_(str_done) struct str text = {};

	append_library(&text, p);
	str_append(&text, "\n;browserd.startRecording({});");
	engine_add_script(s, text.data, p->world_name);
}

void page_record_actions(struct page *p)
{
	const struct child_target *child;

	if (p->target)
		record_in(p, p->target);
	TAILQ_FOREACH(child, &p->children, link)
		if (child->has_library)
			record_in(p, child->target);
}

void page_post_script(struct page *p, const char *function, const char *argument)
{
	_cleanup_(str_done) struct str expression = {};
	const struct frame *f;

	str_appendf(&expression, "void browserd.%s(%s)", function, argument);
	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target && frame_called_library(f))
			engine_run(f->at.target, f->at.own_world, expression.data);
}

int frame_probe(struct task *t, struct frame *f, struct json **ret, const char *expression)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	r = ensure_world(t, f);
	if (r < 0)
		return r;
	engine_ask(t, &f->at, &call, expression);
	return frame_script_await(t, f, &call, ret);
}

int frame_probe_promise(struct task *t, struct frame *f, struct json **ret, const char *expression)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + FRAME_BRIEF_TIME));
	int r;

	*ret = NULL;
	r = frame_probe(t, f, NULL, "0"); /* its world is there from now on */
	if (r == 0 && f->at.target)
		r = engine_ask_promise(t, &f->at, expression, ret);
	task_set_deadline(t, outer);
	return r;
}

int frame_probe_briefly(struct task *t, struct frame *f, usec_t until, struct json **ret, const char *expression)
{
	usec_t outer = task_deadline(t), now = clock_now(), end = MIN(until, now + patience(FRAME_BRIEF_TIME));
	int r;

	if (page_dialog_type(f->page) || now >= until)
		return -EBUSY;
	task_set_deadline(t, MIN(outer, end));
	r = frame_probe(t, f, ret, expression);
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT && clock_now() < outer ? -EBUSY : r;
}

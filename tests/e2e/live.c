/*
 * Live pictures of a page in a real browser, and the input of a person to it, with Chromium or (BROWSERD_ENGINE=firefox) Firefox. The browser is
 * driven by the loop of this process; the tests wait for pictures and for what the page says, and never sleep.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "act/evaluate.h"
#include "act/person.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/browser.h"
#include "browser/context.h"
#include "engine/capture.h"
#include "loop/failure_words.h"
#include "page/cast.h"
#include "page/navigate.h"
#include "page/rest.h"

#define FORM \
	"data:text/html,<body style='margin:0'><style>*{position:absolute}</style>" \
	"<input id=field style='left:10px;top:10px;width:200px;height:20px'>" \
	"<button id=button style='left:10px;top:50px;width:100px;height:30px' onclick='clicks=(window.clicks||0)+1'>Press</button>" \
	"<select id=list style='left:10px;top:100px;width:100px;height:20px'><option>red<option>green<option disabled>blue</select>" \
	"<textarea id=area style='left:10px;top:150px;width:200px;height:40px'></textarea>" \
	"<div id=tall style='top:2000px;width:10px;height:10px'></div>" \
	"<script>log=[];for(const type of ['keydown','keyup','paste','compositionstart','compositionupdate','compositionend','dblclick','contextmenu'])" \
	"addEventListener(type,e=>log.push(type+':'+(e.clipboardData?e.clipboardData.getData('text/plain'):e.key||e.data||'')),true)</script>"

static struct loop *loop;
static struct browser *browser;
static struct context *context;
static struct page *page;
static bool is_firefox;

/* A step of a test, run as a task. */
struct step {
	const char *url, *script;
	int (*fn)(struct task *t);
	struct str value;
	int result;
	bool done;
};

static int run_step(struct task *t, void *data)
{
	struct step *s = data;
	struct navigation nav;
	const char *json;
	int r;

	task_set_deadline(t, clock_now() + 60 * USEC_PER_SEC);
	if (s->fn)
		return s->fn(t);
	if (s->url)
		return page_navigate(t, page, s->url, WAIT_LOAD, 60 * USEC_PER_SEC, &nav);
	r = page_evaluate(t, page, s->script, &json);
	if (r == 0)
		str_set(&s->value, json);
	return r;
}

static void on_done(struct task *t, int result, void *data)
{
	struct step *s = data;

	if (result < 0)
		print_message("%s\n", failure_words(t, task_error(t)));
	s->result = result;
	s->done = true;
}

static void run(struct step *s)
{
	assert_int_equal(task_start(loop, "step", run_step, on_done, s, NULL), 0);
	while (!s->done)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(s->result, 0);
}

static void open_url(const char *url)
{
	run(&(struct step){ .url = url });
}

static void evaluate(const char *script)
{
	struct step s = { .script = script };

	run(&s);
	str_done(&s.value);
}

/* Until the expression has this value, as JSON. */
static void await_value(const char *script, const char *value)
{
	_cleanup_(str_done) struct str last = {};
	usec_t end = clock_now() + 60 * USEC_PER_SEC;

	while (!last.len || strcmp(last.data, value) != 0) {
		struct step s = { .script = script };

		run(&s);
		str_move(&last, &s.value);
		if (clock_now() > end)
			fail_msg("%s is %s instead of %s", script, last.data, value);
	}
}

/* ---- pictures ---- */

struct watcher {
	struct cast_viewer viewer;
	unsigned count;
	struct cast_picture *last;
};

static void show(struct cast_viewer *v, struct cast_picture *picture)
{
	struct watcher *w = (struct watcher *)v;

	w->count++;
	cast_picture_unref(w->last);
	w->last = cast_picture_ref(picture);
}

static struct watcher look(void)
{
	return (struct watcher){ .viewer = { .size = { 640, 400 }, .credit = 1000, .show = show } };
}

static void watcher_done(struct watcher *w)
{
	cast_leave(&w->viewer);
	cast_picture_unref(w->last);
}

static void await_pictures(const struct watcher *w, unsigned count)
{
	while (w->count < count)
		assert_int_equal(loop_step(loop), 0);
}

static bool is_jpeg(const struct cast_picture *p)
{
	return p->size > 4 && memcmp(p->jpeg, "\xff\xd8\xff", 3) == 0 && memcmp(p->jpeg + p->size - 2, "\xff\xd9", 2) == 0;
}

static void a_change_of_the_page_is_shown(void **state)
{
	struct watcher w = look(), other = look();

	open_url(FORM);
	cast_join(&w.viewer, page);
	await_pictures(&w, 1);
	assert_true(is_jpeg(w.last));
	assert_true(w.last->width > 400 && w.last->height > 300);
	cast_join(&other.viewer, page);
	evaluate("document.body.style.background = 'green'");
	await_pictures(&w, 2);
	await_pictures(&other, 2);
	assert_int_equal(cast_count(), 1);
	watcher_done(&other);
	watcher_done(&w);
	while (cast_count())
		assert_int_equal(loop_step(loop), 0);
}

static void another_document_is_shown(void **state)
{
	struct watcher w = look();

	open_url(FORM);
	cast_join(&w.viewer, page);
	await_pictures(&w, 1);
	open_url("data:text/html,<title>other</title>");
	while (w.last->document != page_commits(page))
		assert_int_equal(loop_step(loop), 0);
	open_url("data:text/html,<title>another, which looks the same</title>");
	while (w.last->document != page_commits(page))
		assert_int_equal(loop_step(loop), 0);
	watcher_done(&w);
}

static void on_begun(struct engine_call *call, void *data)
{
}

/* A session of CDP has one screencast, which a recording takes up. */
static void a_page_that_is_recorded_is_shown(void **state)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str stream = {}, reason = {};
	struct watcher w = look();

	if (is_firefox)
		skip();
	open_url(FORM);
	assert_int_equal(engine_video_begin(page_target(page), &(const struct video_size){ 640, 400, 10 }, &call, on_begun, NULL),
			 0);
	while (call.target)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(engine_video_begun(&call, &stream, &reason), 0);
	cast_join(&w.viewer, page);
	await_pictures(&w, 1);
	evaluate("document.body.style.background = 'red'");
	await_pictures(&w, 2);
	watcher_done(&w);
	engine_video_stop(NULL, page_target(page));
	engine_video_close(page_target(page), stream.data);
}

/* ---- input ---- */

static struct str copied, offered;

static void on_copied(const char *text, void *data)
{
	str_set(&copied, text);
}

static void on_offered(const struct json *choice, void *data)
{
	str_reset(&offered);
	json_print(&offered, choice);
}

static const struct person_handler handler = { .copied = on_copied, .offered = on_offered };

static void act(struct person *x, struct person_event e)
{
	assert_int_equal(person_add(x, &e), 0);
}

static void click_at(struct person *x, double left, double top, int count)
{
	struct point at = { left, top };

	act(x, (struct person_event){ .type = PERSON_MOVE, .at = at });
	for (int i = 1; i <= count; i++) {
		act(x, (struct person_event){ .type = PERSON_PRESS, .at = at, .count = i });
		act(x, (struct person_event){ .type = PERSON_RELEASE, .at = at, .count = i });
	}
}

static void turn(struct person *x, bool down, const char *key, const char *code, int key_code, const char *text, unsigned modifiers)
{
	act(x, (struct person_event){ .type = down ? PERSON_KEY_DOWN : PERSON_KEY_UP,
				      .key = key,
				      .code = code,
				      .key_code = key_code,
				      .text = text,
				      .modifiers = modifiers });
}

static void press_key(struct person *x, const char *key, const char *code, int key_code, const char *text, unsigned modifiers)
{
	turn(x, true, key, code, key_code, text, modifiers);
	turn(x, false, key, code, key_code, "", modifiers);
}

static void hold_control_and_press(struct person *x, const char *key, const char *code, int key_code)
{
	turn(x, true, "Control", "ControlLeft", 17, "", MODIFIER_CONTROL);
	press_key(x, key, code, key_code, key, MODIFIER_CONTROL);
	turn(x, false, "Control", "ControlLeft", 17, "", 0);
}

static void the_mouse_presses_and_scrolls(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);

	open_url(FORM);
	click_at(x, 60, 65, 1);
	await_value("window.clicks", "1");
	click_at(x, 60, 65, 2);
	await_value("[clicks, log.filter(name => name === 'dblclick:').length]", "[3,1]");
	for (int i = 0; i < 3; i++)
		act(x, (struct person_event){ .type = PERSON_WHEEL, .at = { 300, 200 }, .delta = { 0, 100 } });
	await_value("scrollY > 0", "true");
	person_free(x);
}

static void keys_of_any_layout_type(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);

	open_url(FORM);
	click_at(x, 60, 20, 1);
	press_key(x, "z", "KeyY", 90, "z", 0); /* of a German keyboard */
	press_key(x, "\xc3\xa9", "Digit2", 50, "\xc3\xa9", 0);
	turn(x, true, "Shift", "ShiftLeft", 16, "", MODIFIER_SHIFT);
	press_key(x, "A", "KeyA", 65, "A", MODIFIER_SHIFT);
	turn(x, false, "Shift", "ShiftLeft", 16, "", 0);
	press_key(x, "b", "KeyB", 66, "b", 0);
	press_key(x, "Backspace", "Backspace", 8, "", 0);
	await_value("field.value", "\"z\xc3\xa9"
				   "A\"");
	press_key(x, "Tab", "Tab", 9, "", 0);
	await_value("document.activeElement.id", "\"button\"");
	press_key(x, "Enter", "Enter", 13, "\r", 0);
	await_value("window.clicks", "1");
	person_free(x);
}

static void texts_are_composed_and_pasted(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);

	open_url(FORM);
	click_at(x, 60, 20, 1);
	act(x, (struct person_event){ .type = PERSON_COMPOSE, .text = "\xe3\x81\xab", .start = 1, .end = 1 });
	act(x, (struct person_event){ .type = PERSON_COMPOSE, .text = "\xe3\x81\xab\xe3\x81\xbb", .start = 2, .end = 2 });
	act(x, (struct person_event){ .type = PERSON_TEXT, .text = "\xe6\x97\xa5\xe6\x9c\xac" });
	await_value("field.value", "\"\xe6\x97\xa5\xe6\x9c\xac\"");
	if (!is_firefox)
		await_value("log.filter(name => name.startsWith('composition')).map(name => name.split(':')[0]).join()",
			    "\"compositionstart,compositionupdate,compositionupdate,compositionupdate,compositionend\"");
	act(x, (struct person_event){ .type = PERSON_PASTE, .text = " from elsewhere" });
	await_value("field.value", "\"\xe6\x97\xa5\xe6\x9c\xac from elsewhere\"");
	await_value("log.includes('paste: from elsewhere')", "true");
	person_free(x);
}

static void what_is_copied_goes_to_the_person_and_what_is_pasted_not_to_the_agent(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);

	open_url(FORM);
	str_reset(&copied);
	click_at(x, 60, 20, 1);
	act(x, (struct person_event){ .type = PERSON_TEXT, .text = "of the page" });
	hold_control_and_press(x, "a", "KeyA", 65);
	hold_control_and_press(x, "c", "KeyC", 67);
	while (strcmp(str_text(&copied), "of the page") != 0)
		assert_int_equal(loop_step(loop), 0);
	click_at(x, 60, 170, 1);
	act(x, (struct person_event){ .type = PERSON_PASTE, .text = "a secret " });
	hold_control_and_press(x, "v", "KeyV", 86);
	await_value("area.value", "\"a secret of the page\"");
	person_free(x);
}

static void lists_are_offered_and_chosen_from(void **state)
{
	_cleanup_(json_freep) struct json *choice = NULL;
	struct person *x = person_new(loop, page, &handler, NULL);
	const struct json *options;

	open_url(FORM);
	str_reset(&offered);
	click_at(x, 60, 110, 1);
	while (!offered.len)
		assert_int_equal(loop_step(loop), 0);
	assert_int_equal(json_parse(offered.data, offered.len, 16, JSON_REPLACE_UNREPRESENTABLE, &choice), 0);
	options = json_get(choice, "options");
	assert_int_equal(json_count(options), 3);
	assert_string_equal(json_text(json_first(options), "label"), "red");
	assert_true(json_bool(json_first(options), "selected", false));
	assert_int_equal((int)json_num(json_first(json_get(choice, "box")), NULL, 0), 10);
	act(x, (struct person_event){ .type = PERSON_CHOOSE, .number = (int)json_int(choice, "number", 0), .index = 1 });
	await_value("list.value", "\"green\"");
	act(x, (struct person_event){ .type = PERSON_CHOOSE, .number = (int)json_int(choice, "number", 0), .index = 2 });
	press_key(x, "ArrowUp", "ArrowUp", 38, "", 0);
	await_value("list.value", "\"red\"");
	person_free(x);
}

static void what_is_held_is_released_at_the_end(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);

	open_url(FORM);
	click_at(x, 60, 20, 1);
	turn(x, true, "Control", "ControlLeft", 17, "", MODIFIER_CONTROL);
	await_value("log.includes('keydown:Control')", "true");
	person_free(x);
	await_value("log.includes('keyup:Control')", "true");
}

static void a_page_that_does_not_keep_up_gets_a_limited_queue(void **state)
{
	struct person *x = person_new(loop, page, &handler, NULL);
	struct person_event e = { .type = PERSON_TEXT, .text = "x" };
	unsigned count = 0;

	open_url(FORM);
	while (person_add(x, &e) == 0)
		assert_true(++count <= LIMIT_INPUT_EVENTS_COUNT);
	assert_int_equal(person_add(x, &e), -ENOBUFS);
	assert_int_equal(count, LIMIT_INPUT_EVENTS_COUNT);
	person_free(x);
}

/* ---- */

static int open_page(struct task *t)
{
	int r = context_new(t, browser, NULL, &context);

	return r < 0 ? r : context_open_page(t, context, &page);
}

static int start(void **state)
{
	static struct browser_options options = {
		.start = { .headless = true, .sandbox = SANDBOX_OFF },
		.page = { .viewport = { 800, 600 }, .own_clipboards = true },
		.timeout_launch = 60 * USEC_PER_SEC,
		.endpoint_timeout = 60 * USEC_PER_SEC,
	};
	const char *engine = getenv("BROWSERD_ENGINE");

	is_firefox = engine && strcmp(engine, "firefox") == 0;
	options.start.product = is_firefox ? BROWSER_FIREFOX : BROWSER_CHROMIUM;
	log_set_level(LOG_EMERGENCY);
	assert_int_equal(loop_new(&loop), 0);
	browser = browser_new(loop, &options, NULL, NULL);
	run(&(struct step){ .fn = open_page });
	return 0;
}

static int end(void **state)
{
	page_unref(page);
	context_free(context);
	browser_free(browser);
	while (task_count() > 0)
		loop_step(loop);
	loop_free(loop);
	str_done(&copied);
	str_done(&offered);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_of_the_page_is_shown),
		cmocka_unit_test(another_document_is_shown),
		cmocka_unit_test(a_page_that_is_recorded_is_shown),
		cmocka_unit_test(the_mouse_presses_and_scrolls),
		cmocka_unit_test(keys_of_any_layout_type),
		cmocka_unit_test(texts_are_composed_and_pasted),
		cmocka_unit_test(what_is_copied_goes_to_the_person_and_what_is_pasted_not_to_the_agent),
		cmocka_unit_test(lists_are_offered_and_chosen_from),
		cmocka_unit_test(what_is_held_is_released_at_the_end),
		cmocka_unit_test(a_page_that_does_not_keep_up_gets_a_limited_queue),
	};

	return cmocka_run_group_tests(tests, start, end);
}

#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "browser/browser.h"
#include "engine/cdp/cdp.h"
#include "engine/events.h"
#include "engine/launch.h"
#include "loop/failure_words.h"

#define PAGES_MAX 16
#define KEYS_MAX 64

struct bare_page {
	struct floor *floor;
	struct engine_target *cdp;
	char *target_id;
	bool loaded;
	struct waitq changed;
};

struct floor {
	struct loop *loop;
	struct launch *launch;
	struct launch_history launches;
	struct engine_target *root; /* NULL: it is not connected yet */
	struct bare_page pages[PAGES_MAX];
	unsigned count;
	struct waitq changed;
	/* Arguments and result of the operation under way. */
	void (*once)(struct task *t, struct bare_page *p);
	const char *text, *url, *method, *params;
	unsigned calls, running;
	usec_t elapsed;
};

static void fail(const char *what)
{
	fprintf(stderr, "benchmark: the bare client failed: %s\n", what);
	exit(1);
}

static void check(int r, struct task *t)
{
	if (r < 0)
		fail(failure_has_words(t, task_error(t)) ? failure_words(t, task_error(t)) : "a call");
}

static void on_load(struct engine_target *s, const struct json *params, void *data)
{
	struct bare_page *p = data;

	p->loaded = true;
	waitq_wake(&p->changed);
}

static const struct cdp_event page_events[] = { { "Page.loadEventFired", on_load }, {} };

static void on_open(struct engine_target *root, void *data)
{
	struct floor *f = data;

	f->root = root;
	waitq_wake(&f->changed);
}

static void on_closed(const char *reason, void *data)
{
}

static void on_exited(const char *reason, void *data)
{
	fail(reason);
}

static const struct launch_handler launch_handler = {
	.connection = { .open = on_open, .closed = on_closed },
	.exited = on_exited,
};

static void finished(struct task *t, int r, void *data)
{
	struct bare_page *p = data;

	check(r, t);
	if (--p->floor->running == 0)
		loop_stop(p->floor->loop);
}

static void run(struct floor *f, int (*fn)(struct task *t, void *data), void *data)
{
	f->running = 1;
	task_start(f->loop, "bare", fn, finished, data, NULL);
	loop_run(f->loop);
}

static int load(struct task *t, struct bare_page *p, const char *url)
{
	int r;

	p->loaded = false;
	r = cdp_call(t, p->cdp, NULL, "Page.navigate", "{url: ?}", url);
	while (r == 0 && !p->loaded)
		r = waitq_wait(t, &p->changed, "load");
	return r;
}

static int open_page(struct task *t, void *data)
{
	struct bare_page *p = data;
	struct floor *f = p->floor;
	_cleanup_(json_freep) struct json *context = NULL, *target = NULL, *attached = NULL;

	while (!f->root)
		check(waitq_wait(t, &f->changed, "connection"), t);
	check(cdp_call(t, f->root, &context, "Target.createBrowserContext", "{}"), t);
	check(cdp_call(t, f->root, &target, "Target.createTarget", "{url: 'about:blank', browserContextId: ?}",
		       json_str(context, "result.browserContextId")),
	      t);
	check(cdp_call(t, f->root, &attached, "Target.attachToTarget", "{targetId: ?, flatten: true}",
		       json_str(target, "result.targetId")),
	      t);
	p->cdp = cdp_session_new(cdp_session_connection(f->root), json_str(attached, "result.sessionId"), page_events, p);
	p->target_id = strdup(json_str(target, "result.targetId"));
	check(cdp_call(t, p->cdp, NULL, "Page.enable", "{}"), t);
	return load(t, p, f->url);
}

static struct bare_page *add_page(struct floor *f)
{
	struct bare_page *p = &f->pages[f->count++];

	*p = (struct bare_page){ .floor = f };
	waitq_init(&p->changed);
	return p;
}

struct floor *floor_start(const struct browser_options *options, const char *url, usec_t *ret_elapsed)
{
	_cleanup_(str_done) struct str error = {};
	struct floor *f = calloc(1, sizeof(*f));
	struct engine_options start = options->start;
	usec_t began = clock_now();

	if (!f || loop_new(&f->loop) < 0)
		fail("no loop");
	waitq_init(&f->changed);
	start.connection = CONNECTION_PIPE;
	start.width = options->page.viewport.width;
	start.height = options->page.viewport.height;
	if (launch_start(f->loop, &start, &f->launches, &launch_handler, f, &error, &f->launch) < 0)
		fail(str_text(&error));
	if (launch_connect(f->launch) < 0)
		fail("no connection");
	f->url = url;
	run(f, open_page, add_page(f));
	*ret_elapsed = clock_now() - began;
	return f;
}

void floor_open_pages(struct floor *f, unsigned count, const char *url)
{
	f->url = url;
	while (f->count < count && f->count < PAGES_MAX)
		run(f, open_page, add_page(f));
}

int floor_port(struct floor *f)
{
	static const char mark[] = "DevTools listening on ws://127.0.0.1:";
	const char *found;

	while (!(found = strstr(launch_output(f->launch), mark)))
		loop_step(f->loop);
	return atoi(found + strlen(mark));
}

const char *floor_target(const struct floor *f)
{
	return f->pages[0].target_id;
}

void floor_stop(struct floor *f)
{
	for (unsigned i = 0; i < f->count; i++) {
		engine_target_free(f->pages[i].cdp);
		free(f->pages[i].target_id);
	}
	launch_free(f->launch);
	loop_free(f->loop);
	free(f);
}

static int timed_once(struct task *t, void *data)
{
	struct bare_page *p = data;
	usec_t start = clock_now();

	p->floor->once(t, p);
	p->floor->elapsed = clock_now() - start;
	return 0;
}

static usec_t timed(struct floor *f, void (*once)(struct task *t, struct bare_page *p))
{
	f->once = once;
	run(f, timed_once, &f->pages[0]);
	return f->elapsed;
}

static void navigate_once(struct task *t, struct bare_page *p)
{
	check(load(t, p, p->floor->url), t);
	check(cdp_call(t, p->cdp, NULL, "Runtime.evaluate", "{expression: 'document.title', returnByValue: true}"), t);
}

usec_t floor_navigate(struct floor *f, const char *url)
{
	f->url = url;
	return timed(f, navigate_once);
}

static void await_all(struct task *t, struct engine_call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check(engine_await(t, &calls[i]), t);
		engine_call_done(&calls[i]);
	}
}

static void click_once(struct task *t, struct bare_page *p)
{
	static const char *const types[] = { "mouseMoved", "mousePressed", "mouseReleased" };
	_cleanup_(json_freep) struct json *rect = NULL;
	struct engine_call calls[3] = {};
	double x, y;

	check(cdp_call(t, p->cdp, &rect, "Runtime.evaluate", "{expression: ?, returnByValue: true}",
		       "(() => { const r = document.querySelector('#b').getBoundingClientRect();"
		       "return { x: r.x + r.width / 2, y: r.y + r.height / 2 } })()"),
	      t);
	x = json_num(rect, "result.result.value.x", 0);
	y = json_num(rect, "result.result.value.y", 0);
	for (int i = 0; i < 3; i++)
		cdp_send(t, p->cdp, &calls[i], "Input.dispatchMouseEvent", "{type: ?, x: ?, y: ?, button: ?, clickCount: ?}",
			 types[i], x, y, i ? "left" : "none", i ? 1 : 0);
	await_all(t, calls, 3);
}

usec_t floor_click(struct floor *f)
{
	return timed(f, click_once);
}

static void type_once(struct task *t, struct bare_page *p)
{
	struct engine_call calls[KEYS_MAX] = {};
	size_t count = 0;

	check(cdp_call(t, p->cdp, NULL, "Runtime.evaluate", "{expression: ?}", "document.querySelector('#i').focus()"), t);
	for (const char *c = p->floor->text; *c && count + 2 <= KEYS_MAX; c++) {
		char key[2] = { *c, 0 };

		cdp_send(t, p->cdp, &calls[count++], "Input.dispatchKeyEvent",
			 "{type: 'keyDown', text: ?, key: ?, windowsVirtualKeyCode: ?}", key, key, *c & ~32);
		cdp_send(t, p->cdp, &calls[count++], "Input.dispatchKeyEvent", "{type: 'keyUp', key: ?}", key);
	}
	await_all(t, calls, count);
}

usec_t floor_type(struct floor *f, const char *text)
{
	f->text = text;
	return timed(f, type_once);
}

static void fill_once(struct task *t, struct bare_page *p)
{
	struct engine_call calls[2 * FLOOR_FIELDS] = {};

	for (int i = 0; i < FLOOR_FIELDS; i++) {
		char select[64];

		snprintf(select, sizeof(select), "document.querySelector('#f%d').select()", i);
		cdp_send(t, p->cdp, &calls[2 * i], "Runtime.evaluate", "{expression: ?}", select);
		cdp_send(t, p->cdp, &calls[2 * i + 1], "Input.insertText", "{text: ?}", p->floor->text);
	}
	await_all(t, calls, 2 * FLOOR_FIELDS);
}

usec_t floor_fill(struct floor *f, const char *text)
{
	f->text = text;
	return timed(f, fill_once);
}

static void call_once(struct task *t, struct bare_page *p)
{
	check(cdp_call(t, p->cdp, NULL, p->floor->method, "?", JSON_RAW(p->floor->params)), t);
}

usec_t floor_call(struct floor *f, const char *method, const char *params)
{
	f->method = method;
	f->params = params;
	return timed(f, call_once);
}

static int work(struct task *t, void *data)
{
	struct bare_page *p = data;

	for (unsigned i = 0; i < p->floor->calls; i++) {
		if (i % 3 == 0)
			navigate_once(t, p);
		else if (i % 3 == 1)
			click_once(t, p);
		else
			type_once(t, p);
	}
	return 0;
}

usec_t floor_work(struct floor *f, unsigned pages, unsigned calls, const char *url, const char *text)
{
	usec_t start = clock_now();

	f->calls = calls;
	f->url = url;
	f->text = text;
	f->running = pages;
	for (unsigned i = 0; i < pages; i++)
		task_start(f->loop, "bare", work, finished, &f->pages[i], NULL);
	loop_run(f->loop);
	return clock_now() - start;
}

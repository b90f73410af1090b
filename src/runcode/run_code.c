/* browser_run_code_unsafe. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "page/frame.h"
#include "page/navigate.h"
#include "reply/output.h"
#include "runcode/init_page.h"
#include "runcode/operation.h"
#include "tools/browser/tools.h"

#define ACTION_TIMEOUT (30 * USEC_PER_SEC)

struct browser_run_code_unsafe {
	const char *sessionId, *code, *filename;
};

static const struct param browser_run_code_unsafe_params[] = {
	PARAM(browser_run_code_unsafe, code, "async (page) => { ... }", .max_length = LIMIT_EXPRESSION),
	PARAM(browser_run_code_unsafe, filename, "File with the code", .empty_is_none = true),
	PARAM(browser_run_code_unsafe, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* ---- pages ---- */

int code_run_page_number(struct code_run *run, struct page *p)
{
	for (unsigned i = 0; i < run->pages_count; i++)
		if (run->pages[i] == p)
			return (int)i;
	if (run->pages_count == CODE_PAGES_MAX)
		return -1;
	run->pages[run->pages_count] = page_ref(p);
	page_watch_modals(p, run->b->t);
	return (int)run->pages_count++;
}

void code_run_number_pages(struct code_run *run)
{
	struct context *c = session_context(run->b->session);
	struct page *p = NULL;

	while (c && (p = context_next_page(c, p)))
		code_run_page_number(run, p);
}

/* The number of a child frame, which is assigned if it has none; -1: there are too many. */
static int frame_number_of(struct code_run *run, struct frame *f)
{
	for (unsigned i = 0; i < run->frames_count; i++)
		if (run->frames[i] == f)
			return (int)i;
	if (run->frames_count == CODE_FRAMES_MAX)
		return -1;
	run->frames[run->frames_count] = frame_ref(f);
	return (int)run->frames_count++;
}

static void print_frames(struct code_run *run, struct page *p, struct str *out)
{
	bool first = true;

	for (struct frame *f = page_next_frame(p, NULL); f; f = page_next_frame(p, f)) {
		struct frame *parent = frame_parent(f);
		int number = parent ? frame_number_of(run, f) : -1, above;

		if (number < 0)
			continue;
		above = parent == page_main_frame(p) ? -1 : frame_number_of(run, parent);
		str_json(out, "?{id: ?, parent: ?, name: ?, url: ?}", JSON_COMMA(!first), number, above, frame_name(f),
			 frame_url(f));
		first = false;
	}
}

/* The state of all pages that the program reads synchronously: scripts/code/page.js updatePages(). */
static void print_pages(struct code_run *run, struct str *out)
{
	code_run_number_pages(run);
	str_append_char(out, '[');
	for (unsigned i = 0; i < run->pages_count; i++) {
		int width, height;

		page_viewport(run->pages[i], &width, &height);
		str_json(out, "?{id: ?, url: ?, width: ?, height: ?, closed: ?, frames: [", JSON_COMMA(i), i,
			 page_url(run->pages[i]), width, height, (bool)!page_alive(run->pages[i]));
		print_frames(run, run->pages[i], out);
		str_append(out, "]}");
	}
	str_append_char(out, ']');
}

/* ---- operations ---- */

static const struct operation *find_in(const struct operation *table, const char *name)
{
	for (; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

static const struct operation *find_operation(const char *name)
{
	const struct operation *const tables[] = {
		element_operations, page_operations, context_operations, event_operations, download_operations,
	};
	const struct operation *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_SIZE(tables); i++)
		found = find_in(tables[i], name);
	return found;
}

/* Errors are sent with the name of their class: scripts/code/channel.js. Every one names the method but those with a text of their own. */
static void print_failure(struct operation_call *c, struct task *t, int r, struct str *out)
{
	enum browse_failure failure = c->b.failure == BROWSE_FAILURE_PLAIN ? BROWSE_FAILURE_OF_CALL : c->b.failure;

	if (r == -ESTALE && c->b.page && !page_alive(c->b.page)) {
		task_fail(t, r, "Target page, context or browser has been closed");
		failure = BROWSE_FAILURE_OF_CALL;
	}
	str_json(out, ", error: {name: ?, message: ?}", failure == BROWSE_FAILURE_TIMEOUT ? "TimeoutError" : "Error",
		 browse_failure_text(t, r, failure, c->b.caller));
}

static void answer(struct operation_call *c, struct task *t, int r)
{
	_cleanup_(str_done) struct str out = {}, pages = {};

	str_json(&out, "{id: ?", json_int(c->message, "id", 0));
	if (r < 0)
		print_failure(c, t, r, &out);
	else if (c->value.len)
		str_json(&out, ", value: ?", JSON_RAW(c->value.data));
	print_pages(c->run, &pages);
	if (strcmp(str_text(&c->run->sent_pages), pages.data) != 0) {
		str_json(&out, ", pages: ?", JSON_RAW(pages.data));
		str_reset(&c->run->sent_pages);
		str_append(&c->run->sent_pages, pages.data);
	}
	str_append_char(&out, '}');
	sandbox_answer(c->run->sandbox, out.data);
}

static void call_free(struct operation_call *c)
{
	json_free(c->message);
	page_unref(c->b.page);
	frame_unref(c->frame);
	str_done(&c->value);
	free(c);
}

int operation_begin_turn(struct operation_call *c)
{
	int r = 0;

	while (r == 0 && c->run->turn_taken)
		r = waitq_wait(c->b.t, &c->run->turns, "its turn");
	if (r == 0)
		c->run->turn_taken = true;
	return r;
}

void operation_end_turn(struct operation_call *c)
{
	c->run->turn_taken = false;
	waitq_wake(&c->run->turns);
}

static int perform(struct operation_call *c)
{
	struct page *p = c->b.page;
	unsigned commits = p ? page_commits(p) : 0;
	int r;

	if (p && !page_alive(p))
		return -ESTALE;
	if (c->frame && frame_detached(c->frame))
		return browse_fail_call(&c->b, -ERR_BROWSER_ERROR, "Frame was detached");
	r = c->operation->run(c);
	return r == 0 && c->operation->acts ? page_follow(c->b.t, p, commits, c->b.timeouts.navigation) : r;
}

static int call_main(struct task *t, void *data)
{
	struct operation_call *c = data;
	bool in_turn = c->operation->scheduling == OPERATION_IN_TURN;
	int r = 0;

	c->b.t = t;
	if (in_turn)
		r = operation_begin_turn(c);
	if (r < 0)
		return r;
	c->run->b->acted |= c->operation->acts;
	r = perform(c);
	if (in_turn)
		operation_end_turn(c);
	return r;
}

static void call_ended(struct task *t, int r, void *data)
{
	struct operation_call *c = data;
	struct code_run *run = c->run;

	if (!run->ended)
		answer(c, t, r);
	TAILQ_REMOVE(&run->calls, c, link);
	run->count--;
	run->busy -= c->operation->scheduling != OPERATION_BACKGROUND;
	task_wake(run->b->t);
	call_free(c);
}

static struct page *page_of_message(struct code_run *run, const struct json *message)
{
	int64_t number = json_int(message, "page", -1);

	return number >= 0 && number < (int64_t)run->pages_count ? run->pages[number] : NULL;
}

_kept_ struct frame *operation_child_frame(struct operation_call *c, const struct json *message)
{
	int64_t number = json_int(message, "frame", -1);

	return number >= 0 && number < (int64_t)c->run->frames_count ? c->run->frames[number] : NULL;
}

_kept_ struct frame *operation_frame(struct operation_call *c)
{
	return c->frame ? c->frame : page_main_frame(c->b.page);
}

/* The default is the reference's for run_code. 0 means no limit to the program; the server limits it to an hour. */
static void take_timeouts(struct operation_call *c)
{
	double msec = json_num(c->message, "timeout", -1);

	c->b.timeouts = c->run->b->timeouts;
	c->b.timeouts.action = ACTION_TIMEOUT;
	if (msec >= 0)
		c->b.timeouts.action = c->b.timeouts.navigation =
			(usec_t)(msec > 0 && msec < TIMEOUT_MAX_MSEC ? msec : TIMEOUT_MAX_MSEC) * USEC_PER_MSEC;
}

static void refuse(struct code_run *run, const struct json *message, const char *why)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{id: ?, error: {name: 'Error', message: ?}}", json_int(message, "id", 0), why);
	sandbox_answer(run->sandbox, out.data);
}

/* Takes ownership of `message`. */
static void start_call(struct code_run *run, struct json *message)
{
	struct operation_call *c = NEW(struct operation_call);
	const char *caller = json_str(message, "api");

	c->run = run;
	c->message = message;
	c->operation = find_operation(json_str(message, "op") ? json_str(message, "op") : "");
	c->b = (struct browse){ .app = run->b->app,
				.files = run->b->files,
				.session = run->b->session,
				.tab = run->b->tab,
				.caller = caller ? caller : "page" };
	c->b.page = page_of_message(run, message);
	if (c->b.page)
		page_ref(c->b.page);
	c->frame = frame_ref(operation_child_frame(c, message));
	take_timeouts(c);
	if (!c->operation || (!c->operation->no_page && !c->b.page) || (c->frame && frame_page(c->frame) != c->b.page))
		refuse(run, message, "there is no such operation or page");
	else if (run->count >= LIMIT_CODE_OPERATIONS_COUNT)
		refuse(run, message, "too many operations at a time; await some of them");
	else if (task_start(task_loop(run->b->t), c->operation->name, call_main, call_ended, c, &c->task) < 0)
		refuse(run, message, "the server is too busy; try again");
	else {
		TAILQ_INSERT_TAIL(&run->calls, c, link);
		run->count++;
		run->busy += c->operation->scheduling != OPERATION_BACKGROUND;
		return;
	}
	call_free(c);
}

/* ---- the run ---- */

/* `ret_end` gets the message that ends the run, owned by the caller. Malformed messages are ignored. */
static void take_message(struct code_run *run, char *text, struct json **ret_end)
{
	struct json *message = NULL;

	if (json_parse(text, strlen(text), JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &message) < 0)
		return;
	if (json_get(message, "end"))
		*ret_end = message;
	else
		start_call(run, message);
}

static int fail_unresponsive(struct code_run *run)
{
	return browse_fail(run->b,
			   "TimeoutError: the code has neither ended nor used the page for %llu ms; a loop or a promise in it may "
			   "never end",
			   (unsigned long long)(run->b->timeouts.navigation / USEC_PER_MSEC));
}

/* Handles messages until the program ends. The deadline while no call is running is the navigation time-out. */
static int handle_messages(struct code_run *run, struct json **ret_end)
{
	struct task *t = run->b->t;
	int r;

	for (;;) {
		char *message = sandbox_next(t, run->sandbox);

		if (message) {
			take_message(run, message, ret_end);
			if (*ret_end)
				return 0;
			continue;
		}
		if (!sandbox_alive(run->sandbox))
			return browse_fail(
				run->b,
				"Error: the page that the code ran in has crashed or was left by it; it may have used too much memory");
		task_set_deadline(t, run->busy ? USEC_NEVER : clock_now() + run->b->timeouts.navigation);
		r = sandbox_wait(t, run->sandbox);
		if (r == -ETIMEDOUT)
			return fail_unresponsive(run);
		if (r < 0)
			return r;
	}
}

/* Cancels the operations that are still running; their tasks have ended when this returns. */
static void finish(struct code_run *run)
{
	struct task *t = run->b->t;
	struct operation_call *c;
	bool masked = task_mask_cancel(t, true);

	run->ended = true;
	task_interrupt(t, 0);
	task_set_deadline(t, USEC_NEVER);
	TAILQ_FOREACH(c, &run->calls, link)
		task_cancel(c->task, -ECANCELED, "the code has ended");
	while (run->count > 0)
		task_wait(t, "the operations of the code");
	task_mask_cancel(t, masked);
	for (unsigned i = 0; i < run->pages_count; i++) {
		page_watch_modals(run->pages[i], NULL);
		page_unref(run->pages[i]);
	}
	for (unsigned i = 0; i < run->frames_count; i++)
		frame_unref(run->frames[i]);
	str_done(&run->sent_pages);
}

static int take_outcome(struct browse *b, const struct json *end)
{
	const char *value = json_str(end, "end.value"), *threw = json_str(end, "end.threw");

	if (threw)
		return browse_fail(b, "%s", threw);
	if (value)
		response_add(&b->response.result, "%s", value);
	return 0;
}

/* `is_module`: the default export of `code` is the function, and gets { page }. */
static void start(struct code_run *run, const char *code, bool is_module)
{
	_cleanup_(str_done) struct str facts = {};
	int current = code_run_page_number(run, run->b->page);

	print_pages(run, &run->sent_pages);
	str_json(&facts, "{pages: ?, current: ?, longest: ?, action: ?, navigation: ?, baseURL: ?, isModule: ?}",
		 JSON_RAW(run->sent_pages.data), current, LIMIT_CODE_MESSAGE, ACTION_TIMEOUT / USEC_PER_MSEC,
		 run->b->timeouts.navigation / USEC_PER_MSEC, browser_options(run->b->app->browser)->page.base_url, is_module);
	sandbox_run(run->sandbox, code, facts.data);
}

/* `ret_end`, owned by the caller, is the message that ended the run. */
static int run_program(struct browse *b, const char *code, bool is_module, struct json **ret_end)
{
	struct code_run run = { .b = b };
	struct json *end = NULL;
	struct context *c = session_context(b->session);
	int r;

	r = sandbox_enter(b->t, c, &run.sandbox);
	if (r < 0)
		return r;
	TAILQ_INIT(&run.calls);
	waitq_init(&run.turns);
	start(&run, code, is_module);
	r = handle_messages(&run, &end);
	finish(&run);
	sandbox_leave(c, end != NULL);
	*ret_end = end;
	return end ? 0 : r;
}

static int run_code(struct browse *b, const char *code)
{
	_cleanup_(json_freep) struct json *end = NULL;
	int r = run_program(b, code, false, &end);

	return r < 0 ? r : take_outcome(b, end);
}

int code_run_init_page(struct browse *b, const struct init_page *init)
{
	_cleanup_(json_freep) struct json *end = NULL;
	const char *threw;
	int r = run_program(b, init->source, true, &end);

	if (r == -EINTR)
		return browse_fail(
			b, "Error: Failed to load init page \"%s\": the page has opened a dialog that the code does not answer",
			init->path);
	if (r < 0)
		return r;
	threw = json_str(end, "end.threw");
	return threw ? browse_fail(b, "Error: Failed to load init page \"%s\": %s", init->path, threw) : 0;
}

static int read_code(struct browse *b, const char *name, const char **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct output_file f;
	int r;

	r = output_find(b->t, &b->files, name, &f);
	if (r == 0)
		r = output_read(b->t, &f, LIMIT_EXPRESSION, &text);
	if (r == 0)
		*ret = arena_strdup(task_arena(b->t), str_text(&text));
	return r;
}

static int run_code_run(struct browse *b, const void *args)
{
	const struct browser_run_code_unsafe *a = args;
	const char *code = a->code;
	int r = 0;

	if (a->filename)
		r = read_code(b, a->filename, &code);
	else if (!code)
		return task_fail(b->t, -EINVAL, "Either code or filename must be provided");
	if (r < 0)
		return r;
	response_add(&b->response.code, "await (%s)(page);", code);
	return run_code(b, code);
}

const struct tool tool_browser_run_code_unsafe =
	BROWSE_TOOL("browser_run_code_unsafe", "Run Playwright code (unsafe)", browser_run_code_unsafe,
		    "Run a JavaScript function on Playwright's page object, for several steps in one call. Give code or filename.",
		    (&(const struct browse_tool){ .run = run_code_run, .skip_first_wait = true }));

/* browser_run_code_unsafe. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "page/agent_code.h"
#include "page/navigate.h"
#include "reply/output.h"
#include "runcode/init_page.h"
#include "runcode/operation.h"
#include "tools/browser/tools.h"

struct browser_run_code_unsafe {
	const char *sessionId, *code, *filename;
};

static const struct param browser_run_code_unsafe_params[] = {
	PARAM(browser_run_code_unsafe, code, "async (page) => { ... }", .max_length = LIMIT_EXPRESSION),
	PARAM(browser_run_code_unsafe, filename, "File with the code", .empty_is_none = true, .is_rare = true),
	PARAM(browser_run_code_unsafe, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* ---- the run ---- */

static int fail_unresponsive(struct tool_call *call)
{
	return browse_fail(call,
			   "TimeoutError: the code has neither ended nor used the page for %llu ms; a loop or a promise in it may "
			   "never end",
			   (unsigned long long)(call->timeouts.navigation / USEC_PER_MSEC));
}

/* Waits until the program ends. The deadline while no call is running is the navigation time-out. */
static int run_code_await_end(struct tool_call *call, struct code_program *g)
{
	int r = 0;

	while (r == 0 && !g->end && !g->ended) {
		task_set_deadline(call->t, g->busy ? USEC_NEVER : clock_now() + call->timeouts.navigation);
		r = task_wait(call->t, "the code");
	}
	if (g->end)
		return 0;
	if (g->ended)
		return browse_fail(
			call,
			"Error: the page that the code ran in has crashed or was left by it; it may have used too much memory");
	return r == -ETIMEDOUT ? fail_unresponsive(call) : r;
}

static int take_outcome(struct browse *b, const struct json *end)
{
	const char *value = json_str(end, "end.value"), *threw = json_str(end, "end.threw");

	if (threw)
		return browse_fail(&b->call, "%s", threw);
	if (value)
		response_add(&b->response.result, "%s", response_text(&b->response, value));
	return 0;
}

/* `is_module`: the default export of `code` is the function, and gets { page }. */
static void run_code_start(struct code_program *g, struct page *p, const char *code, bool is_module)
{
	_cleanup_(str_done) struct str facts = {}, pages = {};
	int current = code_program_page_number(g, p);

	code_program_print_pages(g, true, &pages);
	str_json(&facts,
		 "{pages: ?, current: ?, longest: ?, pieceSize: ?, action: ?, navigation: ?, expect: ?, baseURL: ?, isModule: ?}",
		 JSON_RAW(pages.data), current, LIMIT_CODE_MESSAGE, LIMIT_CODE_PIECE, CODE_ACTION_TIMEOUT / USEC_PER_MSEC,
		 g->timeouts.navigation / USEC_PER_MSEC, g->timeouts.expect / USEC_PER_MSEC,
		 browser_options(g->app->browser)->page.base_url, is_module);
	sandbox_run(g->sandbox, code, facts.data);
}

/* `ret_end`, owned by the caller, is the message that ended the run. */
static int run_program(struct browse *b, struct page *p, const char *code, bool is_module, struct json **ret_end)
{
	_cleanup_(code_program_unrefp) struct code_program *g = NULL;
	struct context *c = session_context(b->session);
	struct sandbox *s;
	int r;

	r = sandbox_enter(b->call.t, c, &s);
	if (r < 0)
		return r;
	g = code_program_ref(code_program_begin_run(b, s));
	run_code_start(g, p, code, is_module);
	r = run_code_await_end(&b->call, g);
	code_program_end_run(b->call.t, g);
	*ret_end = TAKE_PTR(g->end);
	sandbox_leave(c, *ret_end != NULL);
	return *ret_end ? 0 : r;
}

static int run_code(struct browse *b, const char *code)
{
	_cleanup_(json_freep) struct json *end = NULL;
	int r = run_program(b, b->page, code, false, &end);

	return r < 0 ? r : take_outcome(b, end);
}

int code_run_init_page(struct browse *b, struct page *p, const struct init_page *init)
{
	_cleanup_(json_freep) struct json *end = NULL;
	const char *threw;
	int r = run_program(b, p, init->source, true, &end);

	if (r == -EINTR)
		return browse_fail(
			&b->call,
			"Error: Failed to load init page \"%s\": the page has opened a dialog that the code does not answer",
			init->path);
	if (r < 0)
		return r;
	threw = json_str(end, "end.threw");
	return threw ? browse_fail(&b->call, "Error: Failed to load init page \"%s\": %s", init->path, threw) : 0;
}

static int read_code(struct tool_call *call, const char *name, const char **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct output_file f;
	int r;

	r = output_find(call->t, &call->files, name, &f);
	if (r == 0)
		r = output_read(call->t, &f, LIMIT_EXPRESSION, &text);
	if (r == 0)
		*ret = arena_strdup(task_arena(call->t), str_text(&text));
	return r;
}

static int run_code_run(struct browse *b, const void *args)
{
	const struct browser_run_code_unsafe *a = args;
	const char *code = a->code;
	int r = 0;

	if (a->filename)
		r = read_code(&b->call, a->filename, &code);
	else if (!code)
		return task_fail(b->call.t, -EINVAL, "Either code or filename must be provided");
	if (r == 0)
		r = page_check_logins(b->call.t, b->page);
	if (r < 0)
		return r;
	page_note_lasting_code(b->page);
	response_add(&b->response.code, "await (%s)(page);", code);
	return run_code(b, code);
}

const struct tool tool_browser_run_code_unsafe =
	BROWSE_TOOL("browser_run_code_unsafe", "Run Playwright code (unsafe)", browser_run_code_unsafe,
		    "Run a JavaScript function on Playwright's page object, for several steps in one call. Give code or filename.",
		    (&(const struct browse_tool){ .run = run_code_run, .skip_first_wait = true }),
		    .terse = "Run Playwright code: async (page) => {...}");

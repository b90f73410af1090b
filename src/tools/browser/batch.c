/*
 * browser_batch: several calls in one, which answers once. The steps run in one turn on the session, each as if the client had called it
 * alone (mcp/steps.h), but the page is shown only after the last one. What the client cannot have foreseen ends the batch: refs and
 * dialogs that it does not know of would make further steps work on something else.
 */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/gate.h"
#include "mcp/steps.h"
#include "page/navigate.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define RESULT_INDENT 2 /* no text of a page can then be read as the line of a step */

struct browser_batch {
	const char *sessionId;
	const struct json *steps;
};

#define STEPS_SCHEMA \
	"{\"type\":\"array\",\"description\":\"Each is {tool, its arguments}\",\"items\":{\"type\":\"object\",\"properties\":{" \
	"\"tool\":{\"type\":\"string\"},\"expect\":{\"type\":\"string\",\"description\":\"Text that the page must show after it\"}}," \
	"\"required\":[\"tool\"]}}"

static const struct param browser_batch_params[] = {
	PARAM(browser_batch, steps, NULL, .required = true, .schema = STEPS_SCHEMA,
	      .terse_schema =
		      "{\"type\":\"array\",\"description\":\"[{tool: \\\"browser_click\\\", target: \\\"e5\\\", expect?: text that must appear}]\","
		      "\"items\":{\"type\":\"object\"}}",
	      .documented = "\ntool: Name of the tool"),
	PARAM(browser_batch, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

/* Steps one after another that ended in the same way and have nothing to tell: they share a line. */
struct outcome_run {
	const struct mcp_step *first;
	size_t count;
	const char *outcome;
};

struct batch {
	struct browse b;
	struct mcp_steps steps;
	struct str lines;                    /* of the steps */
	struct outcome_run run;              /* the last steps, which have no line yet */
	struct str why;                      /* it stopped; empty: it goes on */
	struct str code;                     /* of all steps */
	struct result media;                 /* pictures and the like of all steps */
	bool shows;                          /* the answer shows the page, because a step may have changed it or has shown it */
	bool shows_inline;                   /* a step has asked for a view in its answer */
	_nullable_ _kept_ struct page *page; /* that the step under way works on, a reference; NULL: the session has none yet */
	unsigned commits;                    /* documents that it has had */
};

static void batch_done(struct batch *x)
{
	browse_end(&x->b);
	mcp_steps_done(&x->steps);
	str_done(&x->lines);
	str_done(&x->why);
	str_done(&x->code);
	result_done(&x->media);
	page_unref(x->page);
}

static bool is_last(const struct batch *x, const struct mcp_step *step)
{
	return step->number == x->steps.count;
}

/* Notes what the step works on, so that check_document() can tell whether the next one may. A page that crashed is replaced by the step. */
static void note_page(struct batch *x)
{
	const struct tab *tab;

	session_update_tabs(x->b.session);
	tab = session_tabs(x->b.session)->current;
	page_unref(x->page);
	x->page = tab && page_alive(tab->page) ? page_ref(tab->page) : NULL;
	x->commits = x->page ? page_commits(x->page) : 0;
}

/* How the tool runs; NULL: it is not a tool of browse_run(). */
static const struct browse_tool *how_of(const struct tool *tool)
{
	return tool->run == browse_run ? tool->data : NULL;
}

/* ---- why a batch stops ---- */

static void batch_stop(struct batch *x, const struct mcp_step *step, const char *where, const char *fmt, ...) _printf_(4, 5);
static void batch_stop(struct batch *x, const struct mcp_step *step, const char *where, const char *fmt, ...)
{
	va_list ap;

	if (x->why.len)
		return;
	str_appendf(&x->why, "Error: Stopped %s step %u of %zu, %s: ", where, step->number, x->steps.count,
		    response_line(x->b.call.t, step->name));
	va_start(ap, fmt);
	str_vappendf(&x->why, fmt, ap);
	va_end(ap);
}

static int check_expected(struct batch *x, const struct mcp_step *step)
{
	const struct tab *tab = session_tabs(x->b.session)->current;
	_cleanup_(page_unrefp) struct page *p = tab ? page_ref(tab->page) : NULL;
	usec_t timeout = x->b.call.app->timeouts->expect;
	_cleanup_(str_done) struct str text = {};
	int r = -ERR_ELEMENT_NOT_FOUND;

	if (!step->expect)
		return 0;
	if (p)
		r = browse_await_text(&x->b.call, p, step->expect, timeout);
	if (r != -ERR_ELEMENT_NOT_FOUND)
		return r;
	str_append_quoted(&text, step->expect, strlen(step->expect));
	if (p && page_blocked(p))
		batch_stop(x, step, "after", "the page cannot be searched for %s while a dialog or file chooser is open",
			   text.data);
	else
		batch_stop(x, step, "after", "the page does not show %s (waited %llu ms)", text.data,
			   (unsigned long long)(timeout / USEC_PER_MSEC));
	return 0;
}

/* A tab that another step has made current is the client's choice; the tab that was left must be there. */
static void check_document(struct batch *x, const struct mcp_step *step)
{
	const struct tabs *tabs = session_tabs(x->b.session);
	struct page *current = tabs->current ? tabs->current->page : NULL;
	struct page *now = x->page ? x->page : current;

	if (x->page && (!page_alive(x->page) || !tabs_find(tabs, x->page)))
		batch_stop(x, step, "after", "its page %s", page_crashed(x->page) ? "crashed" : "was closed");
	else if (x->page ? page_commits(x->page) != x->commits : now && strcmp(page_url(now), "about:blank") != 0)
		batch_stop(x, step, "after",
			   "the page went to another document, %s, in which the refs of the next steps mean nothing",
			   response_line(x->b.call.t, page_url(now)));
}

static bool handles(const struct tool *tool, enum modal_handling modal)
{
	const struct browse_tool *how = how_of(tool);

	return how && how->modals == modal;
}

static void batch_check_modals(struct batch *x, const struct mcp_step *step, const struct mcp_step *next)
{
	const struct tab *tab = session_tabs(x->b.session)->current;
	const char *dialog = tab ? page_dialog_type(tab->page) : NULL;

	if (dialog && !handles(next->tool, MODAL_DIALOG))
		batch_stop(x, step, "after", "the \"%s\" dialog that is open has to be handled first, by browser_handle_dialog",
			   dialog);
	else if (!dialog && tab && page_has_chooser(tab->page) && !handles(next->tool, MODAL_CHOOSER))
		batch_stop(x, step, "after", "the file chooser that is open has to be handled first, by browser_file_upload");
}

static void check_next(struct batch *x, const struct mcp_step *step)
{
	if (is_last(x, step))
		return;
	check_document(x, step);
	batch_check_modals(x, step, step + 1);
	if (x->media.content.len > LIMIT_BATCH_MEDIA)
		batch_stop(x, step, "after",
			   "the pictures of the steps have more than %u MiB; a filename keeps them out of the answer",
			   LIMIT_BATCH_MEDIA >> 20);
}

/* ---- a step ---- */

/* A view that a step in between asks for has to be made only for a file: the answer shows the page as it is in the end. */
static int take_view(struct batch *x, const struct mcp_step *step, struct result *res, const char **note)
{
	const struct browse_tool *how = how_of(step->tool);
	struct response *r = &x->b.response;

	x->shows |= r->snapshot != SNAPSHOT_NONE || (how ? how->acts : !step->tool->read_only);
	if (r->snapshot != SNAPSHOT_INLINE || is_last(x, step))
		return 0;
	if (r->filename)
		return response_send(r, x->b.session, res);
	x->shows_inline = true;
	*note = ": the page is shown below, as it is in the end";
	return 0;
}

static void batch_end_run(struct batch *x)
{
	const struct outcome_run *run = &x->run;

	if (run->count == 1)
		response_add(&x->lines, "%u %s %s", run->first->number, response_line(x->b.call.t, run->first->name), run->outcome);
	else if (run->count)
		response_add(&x->lines, "%u to %u %s", run->first->number, run->first[run->count - 1].number, run->outcome);
	x->run = (struct outcome_run){};
}

/* The step has nothing to tell but its outcome. */
static void add_to_run(struct batch *x, const struct mcp_step *step, const char *outcome)
{
	if (x->run.count && strcmp(x->run.outcome, outcome) != 0)
		batch_end_run(x);
	if (!x->run.count)
		x->run = (struct outcome_run){ .first = step, .outcome = outcome };
	x->run.count++;
}

static void add_line(struct batch *x, const struct mcp_step *step, const char *outcome, const char *note)
{
	batch_end_run(x);
	response_add(&x->lines, "%u %s %s%s", step->number, response_line(x->b.call.t, step->name), outcome, note);
}

static int write_line(struct batch *x, const struct mcp_step *step, struct result *res)
{
	_cleanup_(str_done) struct str text = {};
	const char *note = "";
	bool failed = res->is_error;
	int r = failed ? 0 : take_view(x, step, res, &note);

	result_split(res, &text, &x->media);
	if (failed || text.len || *note)
		add_line(x, step, failed ? "failed" : "ok", note);
	else
		add_to_run(x, step, "ok");
	if (failed)
		batch_stop(x, step, "at", "%s", str_text(&text));
	else if (text.len)
		response_append_part(&x->b.response, x->b.session, text.data, RESULT_INDENT, LIMIT_BATCH_RESULT,
				     LIMIT_BATCH_RESULT_LINES, &x->lines);
	if (x->b.response.code.len)
		response_add(&x->code, "%s", x->b.response.code.data);
	return r;
}

static void batch_announce(struct batch *x, const struct mcp_step *step)
{
	_cleanup_(str_done) struct str message = {};

	str_appendf(&message, "step %u of %zu: %s", step->number, x->steps.count, step->name);
	mcp_call_progress(x->b.mcp_call, message.data);
	mcp_call_progress_of(x->b.mcp_call, step->number - 1, (double)x->steps.count);
}

static int fail_step(struct batch *x, int r, struct result *res)
{
	if (task_cancelled(x->b.call.t))
		return r;
	result_reset(res);
	result_text(res, browse_failure_text(x->b.call.t, r, BROWSE_FAILURE_PLAIN, NULL));
	res->is_error = true;
	return 0;
}

/* After a person had control the page may be another one, with other refs: what the client has planned is not for that. */
static int batch_pass_gate(struct batch *x, const struct mcp_step *step)
{
	int r = gate_pass(x->b.call.t);

	if (r > 0)
		batch_stop(x, step, "before", "a person took control of the session meanwhile, and may have changed the page");
	else if (r < 0 && !task_cancelled(x->b.call.t))
		batch_stop(x, step, "before", "%s", browse_failure_text(x->b.call.t, r, BROWSE_FAILURE_PLAIN, NULL));
	return task_cancelled(x->b.call.t) ? -ECANCELED : 0;
}

static int batch_run_step(struct batch *x, const struct mcp_step *step)
{
	_cleanup_(result_done) struct result res = {};
	int r;

	batch_announce(x, step);
	r = batch_pass_gate(x, step);
	if (r < 0 || x->why.len) {
		add_to_run(x, step, "not run");
		return r;
	}
	browse_next(&x->b);
	x->b.goes_on = !is_last(x, step) || step->expect;
	note_page(x);
	r = mcp_call_run_step(x->b.call.t, x->b.mcp_call, step, &x->b, &res);
	if (r < 0)
		r = fail_step(x, r, &res);
	if (r < 0)
		return r;
	session_update_tabs(x->b.session);
	r = write_line(x, step, &res);
	if (r == 0 && !x->why.len)
		r = check_expected(x, step);
	if (r < 0 && task_cancelled(x->b.call.t))
		return r;
	if (r < 0)
		batch_stop(x, step, "after", "%s", browse_failure_text(x->b.call.t, r, BROWSE_FAILURE_PLAIN, NULL));
	check_next(x, step);
	return 0;
}

static int run_steps(struct batch *x)
{
	size_t i = 0;
	int r = 0;

	while (r == 0 && i < x->steps.count && !x->why.len)
		r = task_cancelled(x->b.call.t) ? -ECANCELED : batch_run_step(x, &x->steps.items[i++]);
	for (; r == 0 && i < x->steps.count; i++)
		add_to_run(x, &x->steps.items[i], "not run");
	batch_end_run(x);
	return r;
}

/* ---- the answer ---- */

/* What the last step has left for the answer is how it shows the page. After a failure that is the usual way. */
static void prepare_answer(struct batch *x)
{
	struct response *r = &x->b.response;

	if (x->why.len) {
		browse_next(&x->b);
		x->shows = true;
	}
	r->acts = x->shows;
	if (r->snapshot == SNAPSHOT_NONE && x->shows)
		r->snapshot = SNAPSHOT_LINK;
	if (x->shows_inline && !r->root)
		r->snapshot = SNAPSHOT_INLINE;
	r->image = NULL;
	str_done(&r->block);
	str_done(&r->record);
	str_move(&r->error, &x->why);
	str_move(&r->result, &x->lines);
	str_move(&r->code, &x->code);
}

/* The steps have been done, whatever is wrong with the page now. */
static int answer_without_page(struct batch *x, int r, struct result *res)
{
	if (task_cancelled(x->b.call.t))
		return r;
	response_add(&x->b.response.error, "The page cannot be shown: %s",
		     browse_failure_text(x->b.call.t, r, BROWSE_FAILURE_PLAIN, NULL));
	x->b.response.snapshot = SNAPSHOT_NONE;
	result_reset(res);
	return browse_answer(&x->b, res);
}

static int batch_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct browser_batch *a = args;
	_cleanup_(batch_done) struct batch x = {};
	int r;

	r = mcp_call_steps(t, call, a->steps, &x.steps);
	if (r == 0)
		r = browse_begin(&x.b, t, call);
	if (r == 0)
		r = run_steps(&x);
	if (r < 0)
		return r;
	prepare_answer(&x);
	r = browse_answer(&x.b, res);
	if (r < 0)
		r = answer_without_page(&x, r, res);
	if (r == 0)
		result_append(res, &x.media);
	return r;
}

const struct tool tool_browser_batch = {
	.name = "browser_batch",
	.title = "Run several calls",
	.about =
		"Run several calls of tools on the page, in order, and answer once: what each did and what changed. Fill a form in one "
		"call. Stops at a failure, a new document or a dialog that the next step does not handle.",
	.terse = "Several calls in order, one answer: what each did and what changed. Best for forms",
	.params = browser_batch_params,
	.size = sizeof(struct browser_batch),
	.run = batch_run,
	.failure = browse_failure,
	.complaints = COMPLAINTS_LISTED,
	.steps = "steps",
	.task_after = TOOL_TASK_AFTER,
};

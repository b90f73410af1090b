/* What the functions of browser_* tools use. */
#include "tools/browser/browse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/overlay.h"
#include "base/error.h"
#include "loop/failure_words.h"
#include "reply/output.h"
#include "reply/writer.h"

#define PREVIEW_TIMEOUT (500 * USEC_PER_MSEC)

void browse_code(struct browse *b, const char *fmt, ...)
{
	_cleanup_(str_done) struct str line = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&line, fmt, ap);
	va_end(ap);
	response_add(&b->response.code, "await page.%s", line.data);
}

static _printf_(4, 0) int fail_as(struct tool_call *call, enum browse_failure failure, int r, const char *fmt, va_list ap)
{
	call->failure = failure;
	return task_vfail(call->t, r, fmt, ap);
}

int browse_fail(struct tool_call *call, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = fail_as(call, BROWSE_FAILURE_BARE, -ERR_BROWSER_ERROR, fmt, ap);
	va_end(ap);
	return r;
}

int browse_fail_call(struct tool_call *call, int r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r = fail_as(call, BROWSE_FAILURE_OF_CALL, r, fmt, ap);
	va_end(ap);
	return r;
}

int browse_fail_timeout(struct tool_call *call, usec_t timeout, const char *log)
{
	call->failure = BROWSE_FAILURE_TIMEOUT;
	return task_fail(call->t, -ERR_BROWSER_ERROR, "Timeout %llums exceeded.%s", (unsigned long long)(timeout / USEC_PER_MSEC),
			 log);
}

int browse_wrap(struct tool_call *call, int r, enum browse_failure form, const char *before, const char *after)
{
	if (task_error(call->t) != r)
		return r;
	call->failure = form;
	return task_wrap(call->t, r, r, before, after);
}

const char *browse_reference_caller(const struct tool_call *call)
{
	return call->app->answers->writer->quotes_reference ? REFERENCE_CALLER ": " : "";
}

const char *browse_failure_text(struct task *t, int r, enum browse_failure failure, const char *caller)
{
	const char *text = failure_has_words(t, r) ? failure_words(t, r) :
			   r == -ETIMEDOUT         ? "the page did not answer in time" :
						     strerror(-r < ERR_FIRST ? -r : EPROTO);
	bool names_caller =
		failure == BROWSE_FAILURE_OF_CALL || failure == BROWSE_FAILURE_TIMEOUT || failure == BROWSE_FAILURE_BARE_OF_CALL;

	return names_caller ? arena_printf(task_arena(t), "%s: %s", caller, text) : text;
}

int browse_complain(struct browse *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&b->response.error, fmt, ap);
	va_end(ap);
	return 0;
}

/* What the answer says is no failure of the call any more. */
static int complain_failure(struct browse *b, const char *before, int r)
{
	if (r >= 0 || task_cancelled(b->call.t))
		return r;
	browse_complain(b, "%s%s", before, browse_failure_text(b->call.t, r, BROWSE_FAILURE_PLAIN, NULL));
	b->call.failure = BROWSE_FAILURE_PLAIN;
	task_forget_failure(b->call.t);
	return 0;
}

int browse_complain_failure(struct browse *b, int r)
{
	return complain_failure(b, "", r);
}

int browse_keep_answer(struct browse *b, int r)
{
	return complain_failure(b, "Error: ", r);
}

void browse_statement(struct browse *b, const struct found_target *found, struct code_call call)
{
	_cleanup_(str_done) struct str line = {};

	if (b->call.app->answers->code == CODE_NONE)
		return;
	call.locator = found ? found->code_locator : NULL;
	code_statement(&line, b->call.app->answers->code, &call);
	response_add(&b->response.code, "%s", line.data);
}

const char *browse_quote(struct tool_call *call, const char *text)
{
	_cleanup_(str_done) struct str out = {};

	code_quote(&out, text, '\'');
	return arena_strdup(task_arena(call->t), out.data);
}

const char *browse_variable(struct tool_call *call, const char *name)
{
	_cleanup_(str_done) struct str out = {};

	code_variable(&out, call->app->answers->code == CODE_NONE ? CODE_TYPESCRIPT : call->app->answers->code, name);
	return arena_strdup(task_arena(call->t), out.data);
}

int browse_explain_ambiguity(struct tool_call *call, int r)
{
	_cleanup_(json_freep) struct json *facts = NULL;

	if (r != -ERR_ELEMENT_AMBIGUOUS)
		return r;
	facts = task_error_facts(call->t);
	return browse_wrap(call, r, BROWSE_FAILURE_OF_CALL, call->app->answers->writer->quotes_reference ? "Error: " : "",
			   arena_printf(task_arena(call->t), "\nCall log:\n" DIM "  - waiting for %s" UNDIM,
					json_text(facts, "locator")));
}

/* Scrolls the frame into view: an element may be visible in its frame's viewport, but not in the page's. */
static int browse_prepare_frame(struct browse *b, const struct target *target)
{
	int r;

	r = frame_script(b->call.t, target->frame, NULL, "bringIntoView", "{ref: ?}", target->ref);
	return r < 0 ? r : settle_watch(b->call.t, &b->settle, target->frame);
}

int browse_name_target(struct tool_call *call, struct page *p, struct found_target *found)
{
	int r;

	r = target_locator(call->t, p, &found->target, code_dialect(CODE_TYPESCRIPT), &found->locator);
	found->code_locator = found->locator;
	if (r == 0 && call->app->answers->code != CODE_TYPESCRIPT && call->app->answers->code != CODE_NONE)
		r = target_locator(call->t, p, &found->target, code_dialect(call->app->answers->code), &found->code_locator);
	return r;
}

int browse_selector_locator(struct tool_call *call, struct page *p, const char *selector, const char **ret)
{
	_cleanup_(str_done) struct str steps = {};

	str_json(&steps, "[{type: 'css', value: ?}]", selector);
	return target_locator(call->t, p, &(const struct target){ .steps = steps.data },
			      code_dialect(call->app->answers->code == CODE_NONE ? CODE_TYPESCRIPT : call->app->answers->code),
			      ret);
}

/* Returns the ref, e2, if `target` is a row of a snapshot, such as button "Buy" [ref=e2]; NULL for any other target. */
static const char *copied_ref(struct tool_call *call, const char *target)
{
	const char *at = strstr(target, "[ref="), *ref;

	if (!at && !starts_with(target, "ref="))
		return NULL;
	at = at ? at + strlen("[ref=") : target + strlen("ref=");
	ref = arena_printf(task_arena(call->t), "%.*s", (int)MIN(strcspn(at, "]"), 32U), at);
	return is_ref(ref) ? ref : NULL;
}

int browse_resolve(struct tool_call *call, struct page *p, const char *target, struct target *ret)
{
	const char *ref;
	int r;

	r = target_resolve(call->t, p, target, ret);
	ref = r == -ERR_INVALID_SELECTOR || r == -ERR_ELEMENT_NOT_FOUND ? copied_ref(call, target) : NULL;
	if (ref)
		return task_fail(call->t, r,
				 "\"%.200s\" does not match any elements: to use the ref of the snapshot, give \"%s\" alone.",
				 target, ref);
	if (r == -ERR_INVALID_SELECTOR && call->app->answers->compat >= COMPAT_0_0_84)
		return task_fail(
			call->t, r,
			"\"%s\" is not a valid target. Use a ref from the page snapshot (e.g. \"e5\"), a CSS selector, or a "
			"locator (e.g. \"getByRole('button', { name: 'Submit' })\").",
			target);
	if (r == -ERR_INVALID_SELECTOR)
		return browse_wrap(call, r, BROWSE_FAILURE_OF_CALL, "", "");
	return browse_explain_ambiguity(call, r);
}

/* A target is named by a ref that the page does not have: fails with what the client was shown of it. */
static int explain_ref(struct browse *b, int r)
{
	_cleanup_(json_freep) struct json *facts = task_error_facts(b->call.t);

	if (task_error_reason(b->call.t) != REASON_REF_UNKNOWN)
		return r;
	return response_fail_ref(&b->response, b->tab, response_line(b->call.t, json_text(facts, "ref")),
				 json_bool(facts, "isGone", false));
}

int browse_find_target(struct browse *b, const char *target, struct found_target *ret)
{
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = browse_resolve(&b->call, b->page, target, &ret->target);
	if (r == -ERR_REF_NOT_FOUND)
		r = explain_ref(b, r);
	if (r == 0)
		r = browse_name_target(&b->call, b->page, ret);
	if (r == 0 && b->settle.page && ret->target.frame != page_main_frame(b->page))
		r = browse_prepare_frame(b, &ret->target);
	if (r < 0)
		target_done(&ret->target);
	else if (!b->traced.locator)
		b->traced.locator = ret->locator;
	return r;
}

const char *browse_fill_line(struct tool_call *call, const char *text)
{
	_cleanup_(str_done) struct str quoted = {};

	str_json(&quoted, "?", text);
	return arena_printf(task_arena(call->t), "fill(%s)", quoted.data);
}

/* The failure that the call log is about outlasts one of the preview. */
static int preview(struct tool_call *call, const struct target *target, const char **ret)
{
	_cleanup_(failure_done) struct failure failure = {};
	int r;

	task_keep_failure(call->t, task_error(call->t), &failure);
	task_set_deadline(call->t, clock_now() + PREVIEW_TIMEOUT);
	r = target_preview(call->t, target, ret);
	task_fail_of(call->t, &failure);
	return r < 0 && task_cancelled(call->t) ? -ECANCELED : 0;
}

/* Appends the attempts. `action` NULL: the element was not found. */
static int append_call_log(struct tool_call *call, const struct found_target *found, const char *action, struct str *log)
{
	const char *element = NULL;
	bool by_ref = is_ref(found->target.written);

	if (found->resolve_lines && action) {
		str_appendf(log, "Call log:\n%s" DIM "  - attempting %s action" UNDIM, found->resolve_lines, action);
		return 0;
	}
	if (preview(call, &found->target, &element) < 0)
		return -ECANCELED;
	if (by_ref)
		str_appendf(log, "Call log:\n" DIM "  - waiting for locator('aria-ref=%s')" UNDIM, found->target.written);
	else
		str_appendf(log, "Call log:\n" DIM "  - waiting for %s" UNDIM, found->locator);
	if (!action)
		return 0;
	if (element)
		str_appendf(log, DIM "    - locator resolved to %s" UNDIM, response_line(call->t, element));
	if (found->action_line)
		str_appendf(log, DIM "    - %s" UNDIM, found->action_line);
	str_appendf(log, DIM "  - attempting %s action" UNDIM, action);
	return 0;
}

/* Fails with the reason why the action is impossible. `attempted`: the reason was found during an attempt. */
static int explain_refusal(struct tool_call *call, int r, const struct found_target *found, const char *action, bool attempted)
{
	_cleanup_(str_done) struct str log = {};

	str_append_char(&log, '\n');
	if (append_call_log(call, found, action, &log) < 0)
		return -ECANCELED;
	if (attempted)
		call_log_first(&log, action);
	return browse_wrap(call, r, BROWSE_FAILURE_OF_CALL, "", log.data);
}

int browse_explain(struct tool_call *call, int r, const struct found_target *found, const char *action)
{
	unsigned timeout = (unsigned)(call->timeouts.action / USEC_PER_MSEC);
	_cleanup_(json_freep) struct json *facts = NULL;
	_cleanup_(str_done) struct str log = {};
	const struct json *tried;

	str_append_char(&log, '\n');

	if (r != -ERR_ELEMENT_NOT_CLICKABLE && r != -ERR_ELEMENT_NOT_EDITABLE && r != -ERR_ELEMENT_NOT_FOUND)
		return r;
	if (task_error_reason(call->t) != REASON_ACTION_TIMEOUT)
		return explain_refusal(call, r, found, action, true);
	facts = task_error_facts(call->t);
	tried = json_get(facts, "tried");
	if (call_log_element_vanished(json_first(tried))) /* then there was no attempt to print */
		tried = NULL;
	if (append_call_log(call, found, tried ? action : NULL, &log) < 0)
		return -ECANCELED;
	call_log_attempts(&log, action, tried, timeout);
	return browse_fail_timeout(call, call->timeouts.action, log.data);
}

int browse_explain_refusal(struct tool_call *call, int r, const struct found_target *found, const char *action)
{
	return explain_refusal(call, r, found, action, false);
}

#define POINTER_MARKS "\"cursor\":\"pointer\",\"position\":\"top\",\"style\":{}"
#define POINTER_DURATION (800 * USEC_PER_MSEC)

bool browse_marks(const struct browse *b)
{
	return b->tab->marks.len || session_tabs(b->session)->pointer;
}

bool browse_read_checked(const char *word, bool *ret_checked)
{
	static const char *const words[][2] = {
		{ "false", "true" }, { "no", "yes" }, { "off", "on" }, { "unchecked", "checked" }, { "0", "1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		for (unsigned checked = 0; checked < 2; checked++)
			if (strcasecmp(word, words[i][checked]) == 0) {
				*ret_checked = checked;
				return true;
			}
	return false;
}

static const char *title_of(struct tool_call *call, const struct found_target *found, const char *what, const char *text)
{
	_cleanup_(str_done) struct str title = {};

	str_append(&title, what);
	if (text) {
		str_append_char(&title, ' ');
		str_append_quoted(&title, text, strlen(text));
	}
	if (found)
		str_appendf(&title, " %s", found->locator);
	return arena_strdup(task_arena(call->t), title.data);
}

int browse_announce(struct browse *b, const struct found_target *found, const char *what, const char *text)
{
	bool titled = b->tab->marks.len > 0;
	usec_t duration = titled ? b->tab->marks_duration : POINTER_DURATION, outer;
	int r;

	if (!browse_marks(b))
		return 0;
	outer = task_set_deadline(b->call.t, clock_now() + duration + b->call.timeouts.action);
	r = page_mark_action(b->call.t, b->page,
			     &(const struct action_mark){
				     .title = titled ? title_of(&b->call, found, what, text) : NULL,
				     .target = found ? &found->target : NULL,
				     .duration = duration,
				     .options = titled ? arena_strdup(task_arena(b->call.t), b->tab->marks.data) : POINTER_MARKS,
			     });
	task_set_deadline(b->call.t, outer == USEC_NEVER ? outer : outer + duration);
	if (r == -ECANCELED || r == -EINTR)
		return r;
	/* The action itself finds out what is wrong with the page. Effects count from here on. */
	return b->settle.page ? settle_watch(b->call.t, &b->settle, found ? found->target.frame : page_main_frame(b->page)) : 0;
}

int browse_result(struct browse *b, const char *filename, const char *title, const char *text)
{
	struct output_file f;
	int r;

	if (!filename) {
		response_add(&b->response.result, "%s", text);
		return 0;
	}
	r = output_find(b->call.t, &b->call.files, filename, &f);
	if (r < 0)
		return r;
	r = response_write(&b->response, &f, text, strlen(text), false);
	if (r == 0)
		response_add(&b->response.result, "- [%s](%s)", title, output_shown(b->call.t, &b->call.files, f.path));
	else /* for callers that keep the rest of the answer */
		response_add(&b->response.result, "%s", text);
	return r;
}

#include "devserver/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/limits.h"
#include "devserver/output.h"

#define GRACE_MSEC 2000
#define ARGS_MAX 256

struct command {
	struct process *process;
	enum contract_verb verb;
	struct str path, output, errors;
	struct contract_scan scan;
	struct json *answer;
	bool left, exited;
	int status;
	struct waitq changed;
};

static void scan_output(struct command *c, bool final)
{
	if (!c->answer)
		c->answer = contract_find(&c->scan, &c->output, final);
	waitq_wake(&c->changed);
}

/* Output after the result, or beyond the limit, is read and discarded so that the writer does not block. */
static void command_on_output(const char *text, size_t len, void *data)
{
	struct command *c = data;

	if (c->answer || c->output.len + len > LIMIT_COMMAND_OUTPUT)
		return;
	str_append_len(&c->output, text, len);
	scan_output(c, false);
}

static void command_on_errors(const char *text, size_t len, void *data)
{
	output_keep_end(&((struct command *)data)->errors, text, len, LIMIT_COMMAND_ERRORS);
}

static void command_on_left(int status, void *data)
{
	struct command *c = data;

	c->left = true;
	c->status = status;
	scan_output(c, true);
}

static void command_on_exited(int status, void *data)
{
	struct command *c = data;

	if (!c->left)
		command_on_left(status, c);
	c->exited = true;
	waitq_wake(&c->changed);
}

static const struct process_handler handler = { command_on_output, command_on_errors, command_on_left, command_on_exited };

static size_t fill_argv(const char *argv[ARGS_MAX], const struct command_plan *plan, enum contract_verb verb)
{
	size_t n = 0;

	argv[n++] = plan->path;
	argv[n++] = contract_rules[verb].argument;
	for (const char *const *arg = plan->args; arg && *arg && n < ARGS_MAX - 1; arg++)
		argv[n++] = *arg;
	argv[n] = NULL;
	return n;
}

int command_start(struct loop *l, const struct command_plan *plan, struct command **ret)
{
	_cleanup_(command_freep) struct command *c = NEW(struct command);
	const char *argv[ARGS_MAX], *stop_command[ARGS_MAX];
	int r;

	fill_argv(argv, plan, plan->verb);
	fill_argv(stop_command, plan, CONTRACT_SHUTDOWN);
	c->verb = plan->verb;
	str_append(&c->path, plan->path);
	waitq_init(&c->changed);
	r = process_start(l,
			  &(const struct process_plan){
				  .argv = argv,
				  .file = plan->file,
				  .env = plan->env,
				  .cwd = plan->cwd,
				  .daemons = true,
				  .grace_msec = GRACE_MSEC,
				  .grace_for_group = true,
				  .stop_command = plan->stop_command ? stop_command : NULL,
				  .stop_command_msec = contract_rules[CONTRACT_SHUTDOWN].seconds * 1000,
			  },
			  &handler, c, &c->process);
	if (r == 0)
		*ret = TAKE_PTR(c);
	return r;
}

void command_release(struct command *c)
{
	process_kill(c->process);
}

bool command_is_gone(const struct command *c)
{
	return c->exited;
}

struct command *command_free(struct command *c)
{
	if (!c)
		return NULL;
	process_free(c->process);
	str_done(&c->path);
	str_done(&c->output);
	str_done(&c->errors);
	json_free(c->answer);
	free(c);
	return NULL;
}

static int command_fail(struct task *t, struct command *c, const char *reason, const char *text)
{
	const char *argument = contract_rules[c->verb].argument, *errors;
	int code = c->left && WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
	static const int failures[] = {
		[CONTRACT_START] = -ERR_SERVER_START_FAILED,
		[CONTRACT_RESTART] = -ERR_SERVER_START_FAILED,
		[CONTRACT_STATUS] = -ERR_SERVER_COMMAND_FAILED,
		[CONTRACT_SHUTDOWN] = -ERR_SHUTDOWN_FAILED,
	};
	int r;

	errors = output_last_lines(str_text(&c->errors), OUTPUT_LINES_REPORTED);
	r = task_fail(t, failures[c->verb], "%s %s %s%s%s", c->path.data, argument, text, *errors ? ": " : "", errors);
	task_fail_details(t, "{reason: ?, command: ?, exitCode: ?, stderr: ?, stdout: ?}", reason, argument,
			  JSON_RAW(code >= 0 ? arena_printf(task_arena(t), "%d", code) : "null"), str_text(&c->errors),
			  output_last_lines(str_text(&c->output), OUTPUT_LINES_REPORTED));
	return r;
}

static int fail_unanswered(struct task *t, struct command *c)
{
	char how[80];

	process_describe_status(c->status, how, sizeof(how));
	if (c->status & PROCESS_NOT_EXECUTED)
		return command_fail(t, c, "command_not_found", "could not be run");
	if (!WIFEXITED(c->status) || WEXITSTATUS(c->status) != 0)
		return command_fail(t, c, "non_zero_exit", arena_printf(task_arena(t), "%s without a result", how));
	return command_fail(t, c, "invalid_json", "ended without a JSON object with a status on its standard output");
}

static int check_answer(struct task *t, struct command *c)
{
	_cleanup_(str_done) struct str wrong = {};

	if (contract_check(c->verb, c->answer, &wrong))
		return 0;
	return command_fail(t, c, "invalid_answer",
			    arena_printf(task_arena(t), "printed a result that violates the contract: %s", wrong.data));
}

int command_await(struct task *t, struct command *c, const struct json **ret)
{
	unsigned seconds = contract_rules[c->verb].seconds;
	usec_t before = task_set_deadline(t, clock_now() + seconds * USEC_PER_SEC);
	int r = 0;

	while (r == 0 && !c->answer && !c->left)
		r = waitq_wait(t, &c->changed, "the result of the server command");
	task_set_deadline(t, before);
	if (r == -ETIMEDOUT)
		return command_fail(t, c, "timeout", arena_printf(task_arena(t), "printed no result within %u s", seconds));
	if (r < 0)
		return r;
	if (!c->answer)
		return fail_unanswered(t, c);
	r = check_answer(t, c);
	if (r == 0)
		*ret = c->answer;
	return r;
}

int command_end(struct task *t, struct command *c)
{
	usec_t before = task_set_deadline(t, USEC_NEVER);
	int r = 0;

	process_end(c->process, PROCESS_SKIP_STOP_COMMAND);
	while (r == 0 && !c->exited)
		r = waitq_wait(t, &c->changed, "the end of the processes of the server command");
	task_set_deadline(t, before);
	return r;
}

const struct process *command_process(const struct command *c)
{
	return c->process;
}

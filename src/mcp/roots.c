/*
 * The client's root directories, if it declares the capability. They are requested when a tool first needs them and kept until the
 * client reports a change, over every transport; call_files() (app/app.h) decides what they are used for. Files are written at the
 * end of calls, when a modern client can no longer be asked.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "loop/failure_words.h"
#include "mcp/call.h"

#define ANSWER_TIMEOUT (5 * USEC_PER_SEC)

void roots_init(struct roots *r)
{
	waitq_init(&r->changed);
}

void roots_done(struct roots *r)
{
	str_done(&r->first);
}

static void set_first_root(struct roots *r, const char *first)
{
	r->state = ROOTS_KNOWN;
	str_set(&r->first, first ? first : "");
	waitq_wake(&r->changed);
}

void roots_forget(struct mcp_conn *c)
{
	if (c->roots.state == ROOTS_KNOWN)
		c->roots.state = ROOTS_UNKNOWN;
}

/* Requests the roots; other calls that need them wait for this one. */
static int roots_ask(struct task *t, struct mcp_call *call)
{
	struct mcp_question question = { .key = "roots", .feature = MCP_ROOTS, .params = "{}" };
	struct roots *r = &call->request.conn->roots;
	int res;

	r->state = ROOTS_ASKED;
	res = mcp_call_ask(t, call, &question, 1, ANSWER_TIMEOUT);
	if (res == -ECANCELED) {
		r->state = ROOTS_UNKNOWN;
		waitq_wake(&r->changed);
		return res;
	}
	if (res < 0)
		log_warning("%s; the client is treated as one without roots", failure_words(t, res));
	set_first_root(r, res < 0 ? NULL : json_str(json_first(json_member(question.answer, "roots")), "uri"));
	return 0;
}

int mcp_call_root(struct task *t, struct mcp_call *call, const char **ret)
{
	struct mcp_conn *c = call->request.conn;
	struct roots *r = &c->roots;
	int res = 0;

	*ret = NULL;
	if (!mcp_call_can_ask(call, MCP_ROOTS) || call->request.version->modern)
		return 0;
	while (r->state != ROOTS_KNOWN && res == 0)
		res = r->state == ROOTS_UNKNOWN ? roots_ask(t, call) :
						  waitq_wait(t, &r->changed, "the client's answer to roots/list");
	if (res == 0 && r->first.len)
		*ret = arena_strdup(task_arena(t), r->first.data);
	return res;
}

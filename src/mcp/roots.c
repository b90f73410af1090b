/*
 * The folders that the client works in, if it says that it has some: asked for when a tool wants to know, kept until the
 * client says that they have changed. The only thing that this server asks its clients.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
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

static void settle(struct roots *r, const char *first)
{
	r->state = ROOTS_KNOWN;
	str_reset(&r->first);
	str_append(&r->first, first ? first : "");
	waitq_wake(&r->changed);
}

void roots_answered(struct mcp_conn *c, const struct rpc_message *m)
{
	struct roots *r = &c->roots;

	if (r->state == ROOTS_ASKED && json_int(m->root, "id", -1) == (int64_t)r->asked)
		settle(r, json_str(json_first(json_get(m->root, "result.roots")), "uri"));
}

void roots_forget(struct mcp_conn *c)
{
	if (c->roots.state == ROOTS_KNOWN)
		c->roots.state = ROOTS_UNKNOWN;
}

static void ask(struct mcp_conn *c)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{jsonrpc: '2.0', id: %u, method: 'roots/list'}", ++c->roots.asked);
	c->roots.state = ROOTS_ASKED;
	conn_notify(c, &out);
}

int mcp_call_root(struct task *t, struct mcp_call *call, const char **ret)
{
	struct mcp_conn *c = call->request.conn;
	struct roots *r = &c->roots;
	int res = 0;

	*ret = NULL;
	if (!r->declared || !c->transport->same_machine)
		return 0;
	if (r->state == ROOTS_UNKNOWN)
		ask(c);
	task_set_deadline(t, clock_now() + ANSWER_TIMEOUT);
	while (r->state == ROOTS_ASKED && res == 0)
		res = waitq_wait(t, &r->changed, "the client's answer to roots/list");
	task_set_deadline(t, USEC_NEVER);
	if (res == -ETIMEDOUT) {
		log_warning("the client has not answered roots/list; files go into the working folder");
		settle(r, NULL);
		res = 0;
	}
	if (res == 0 && r->first.len)
		*ret = arena_strdup(task_arena(t), r->first.data);
	return res;
}

/* What others ask of a connection, and notifications to its client. */
#include "mcp/connection.h"

struct mcp_conns mcp_conns = LIST_HEAD_INITIALIZER(mcp_conns);

const struct mcp_server *mcp_conn_server(const struct mcp_conn *c)
{
	return c->server;
}

void mcp_each_conn(const struct mcp_server *server, void (*fn)(struct mcp_conn *c))
{
	struct mcp_conn *c;

	LIST_FOREACH(c, &mcp_conns, link)
		if (c->server == server)
			fn(c);
}

uint64_t mcp_conn_owner(const struct mcp_conn *c)
{
	return c->owner.number;
}

bool mcp_conn_owner_lasts(const struct mcp_conn *c)
{
	return c->owner.lasts;
}

const char *mcp_conn_owner_name(const struct mcp_conn *c)
{
	return c->owner.name;
}

void mcp_conn_leave_behind(struct mcp_conn *c)
{
	c->left_behind = c->owner.lasts && !c->server->style.sessions_hidden;
}

bool mcp_conn_left_behind(const struct mcp_conn *c)
{
	return c->left_behind;
}

bool mcp_conn_moved(const struct mcp_conn *c)
{
	return c->moved;
}

void *mcp_conn_state(struct mcp_conn *c)
{
	return c->state;
}

void mcp_conn_set_state(struct mcp_conn *c, void *state, void (*done)(void *state))
{
	c->state = state;
	c->state_done = done;
}

void conn_notify(struct mcp_conn *c, struct str *message)
{
	request_mask_message(message);
	c->transport->send(&(struct mcp_outgoing){ .text = message->data, .len = message->len, .version = c->version }, c->data);
}

/* Resources and prompts, whose reading runs in a task as tools do, and subscriptions. Private to this folder. */
#pragma once

#include "mcp/connection.h"

/* Methods of servers that have resources. */
void resources_read(struct request *q);
void resources_subscribe(struct request *q);
void resources_unsubscribe(struct request *q);
/*
 * subscriptions/listen: takes over what `q` owns, unless it answers at once. The subscription lasts until it is
 * cancelled.
 */
void subscriptions_listen(struct request *q);

/* prompts.c */
void prompts_get(struct request *q);
void completion_complete(struct request *q);

/* Whether a subscriptions/listen with this id is active. */
bool subscription_exists(struct mcp_conn *c, const struct rpc_token *id);
/* notifications/cancelled; unknown ids are ignored. */
void subscription_cancel(struct mcp_conn *c, const struct rpc_token *id);
/* Ends all subscriptions of a connection and notifies its client. */
void subscriptions_end(struct mcp_conn *c);
/* Frees all subscriptions of a connection that is freed, without notice. */
void subscriptions_drop(struct mcp_conn *c);

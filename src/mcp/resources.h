/* Resources and prompts, whose reading runs in a task as tools do, and subscriptions. Private to this folder. */
#pragma once

#include "mcp/connection.h"

/* prompts.c */
void prompts_get(struct request *q);
void completion_complete(struct request *q);

/* Methods of servers that have resources; the last two, and all below, are those of subscriptions.c. */
void resources_read(struct request *q);
void resources_subscribe(struct request *q);
void resources_unsubscribe(struct request *q);
/*
 * subscriptions/listen: takes over what `q` owns, unless it answers at once. The subscription lasts until it is
 * cancelled.
 */
void subscriptions_listen(struct request *q);

/* notifications/tasks to those who listen to this task, of which ids only its owner's connections can. `members`: JSON text. */
void subscriptions_tell_task(const char *id, const char *members);
/* Whether a subscriptions/listen with this id is active. */
bool subscription_exists(struct mcp_conn *c, const struct rpc_token *id);
/* notifications/cancelled; unknown ids are ignored. */
void subscription_cancel(struct mcp_conn *c, const struct rpc_token *id);
/* Ends all subscriptions of a connection and notifies its client. */
void subscriptions_end(struct mcp_conn *c);
/* Frees all subscriptions of a connection that is freed, without notice. */
void subscriptions_drop(struct mcp_conn *c);

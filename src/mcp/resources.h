/* Resources and prompts: getting them runs in a task, as tools do; subscriptions of both eras. For the files of this folder. */
#pragma once

#include "mcp/connection.h"

/* Methods; `resources` of the server is there. */
void resources_read(struct request *q);
void resources_subscribe(struct request *q);
void resources_unsubscribe(struct request *q);
/* subscriptions/listen: takes over what `q` holds, unless it answers at once. Lasts until it is cancelled. */
void subscriptions_listen(struct request *q);

/* prompts.c */
void prompts_get(struct request *q);
void completion_complete(struct request *q);

/* Is there such a request? */
bool subscription_exists(struct mcp_conn *c, const struct rpc_token *id);
/* notifications/cancelled; unknown ids are ignored. */
void subscription_cancel(struct mcp_conn *c, const struct rpc_token *id);
/* All of a connection, which is told of it. */
void subscriptions_end(struct mcp_conn *c);
/* All of a connection that goes. */
void subscriptions_drop(struct mcp_conn *c);

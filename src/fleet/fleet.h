/*
 * Sessions that outlive their server. When a node of a fleet ends, it saves its MCP sessions and its browser sessions in the state
 * store (store/store.h), and whichever node gets their next request goes on with them, under the ids that they have. When a proxy leads
 * the requests back to the first node later, that asks for the session, and it moves again.
 *
 * The store has a record for each session that is not, or not any more, on the node that its id names:
 *
 *	browserd:client:ID	an MCP session
 *	browserd:session:ID:OWNER	a browser session
 *	browserd:wanted:NODE	an index of what other nodes want of a node
 *
 * A record is {owner, node, place, ...}; place is "moving" while `node` is saving it, "saved", or "here" while `node` has it, which
 * expires unless the node renews it, so that nobody waits for a node that has died.
 */
#pragma once

#include "app/app.h"
#include "mcp/http.h"

struct fleet;

/* `node`: the name of this one. All must outlive it. `ttl`: of saved sessions, in seconds. */
struct fleet *fleet_new(struct loop *l, struct app *app, const char *node, unsigned ttl);
/* Cancels what is under way. To be called before the HTTP server and the sessions end. */
void fleet_stop(struct fleet *f);
/* When no task is left. */
struct fleet *fleet_free(struct fleet *f);
DEFINE_FREEP(fleet);
/* For the HTTP server, which must exist before the first request. */
const struct mcp_session_archive *fleet_archive(const struct fleet *f);
void fleet_set_http(struct fleet *f, struct mcp_http *h);

/*
 * Saves all sessions: MCP sessions first, then no request is served any more, then browser sessions as the calls on them end. `done` is
 * called once, possibly with some that could not be saved, and not after fleet_stop().
 */
void fleet_save_all(struct fleet *f, void (*done)(void *data), void *data);

/*
 * Capabilities (--caps): optional sets of tools with what belongs to them. Everything that a capability adds to the server
 * stands in its row.
 */
#pragma once

#include <stdbool.h>

#include "mcp/server.h"

struct capability {
	const char *name;
	const char *title;                     /* heading in docs/tools.md; NULL: without tools */
	const struct tool *const *tools;       /* replace tools of the same name; NULL: the capability's tools are always listed */
	const struct mcp_resources *resources; /* NULL: none */
	/* Wraps every call, instead of refusals_around(), which it must call itself; NULL: it wraps none. */
	int (*around)(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
		      struct result *res);
	void (*begin)(struct mcp_server *server); /* when the server starts; its data is the struct app; NULL: nothing to do */
	bool dev_servers; /* sessions start servers: the event loop needs a TLS client, and pages go through a proxy of the session */
};

extern const struct capability capability_table[]; /* ends with {} */

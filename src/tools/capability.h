/*
 * Capabilities: optional sets of tools with their resources and hooks. The row of a capability contains everything
 * that it adds to the server.
 */
#pragma once

#include <stdbool.h>

#include "mcp/server.h"

struct capability {
	const char *name;
	const char *same_as; /* the capability of which this is another name; NULL: none */
	const char *title;   /* heading in docs/tools.md; NULL: without tools */
	const struct tool *const
		*tools; /* they replace tools of the same name; NULL: its tools are in the lists of tools/table.h */
	const struct mcp_resources *resources; /* NULL: none */
	/* Wraps every call instead of notes_around(), which it has to call itself; NULL: no wrapper. */
	int (*around)(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
		      struct result *res);
	void (*begin)(struct mcp_server *server); /* called when the server starts, whose data is the struct app; may be NULL */
	const char *const *options;               /* names of options that enable it as well, NULL-terminated; NULL: none */
	bool options_only;                        /* and nothing else does */
	bool dev_servers; /* sessions start servers: the event loop needs a TLS client, and pages go through a proxy of the session */
};

extern const struct capability capability_table[]; /* ends with {} */
/* The capability of that name, or the one of which it is another name; NULL: unknown. */
const struct capability *capability_find(const char *name);

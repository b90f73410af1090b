/*
 * The protocol versions, newest first, and their features. Everything that depends on the version reads this table;
 * no code compares version names.
 *
 * Legacy versions begin with an `initialize` handshake that negotiates the version for the connection. In modern
 * versions every request is independent and carries its version and capabilities in `params._meta`.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

struct version {
	const char *name;
	bool modern;
	bool batches;          /* JSON-RPC arrays */
	bool titles;           /* `title` of the server */
	bool annotations;      /* hints of tools */
	bool structured;       /* outputSchema, structuredContent */
	bool completions_flag; /* capability `completions` */
	bool progress_message;
	bool elicitation;       /* the server may send elicitation requests (forms) */
	bool elicitation_modes; /* elicitation requests have a `mode` */
	bool priming;           /* clients accept an SSE event with an id and no data */
	int resource_not_found; /* JSON-RPC error code */
};

/* NULL: not supported, or `name` is NULL. */
const struct version *version_find(const char *name);
/*
 * The version that `initialize` answers with: the requested one if it is a supported legacy version, else the newest
 * legacy version.
 */
const struct version *version_negotiate(const char *name);
/* Names as JSON array elements, newest first. */
void version_names(struct str *out);

/*
 * The protocol versions, newest first, and what answers may hold in each. Everything that depends on the version
 * asks this table; nobody compares version names.
 *
 * Legacy versions begin with an `initialize` handshake that settles the version for the connection. In a modern
 * version every request stands alone and carries its version and capabilities in `params._meta`.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

struct version {
	const char *name;
	bool modern;
	bool batches;            /* JSON-RPC arrays */
	bool titles;             /* `title` of the server */
	bool annotations;        /* hints of tools */
	bool structured;         /* outputSchema, structuredContent */
	bool completions_flag;   /* capability `completions` */
	bool progress_message;
	bool elicitation;        /* clients may be asked to have a form filled in */
	bool elicitation_modes;  /* whose `mode` says that it is one */
	bool priming;            /* clients take an event that has an id and no data */
	int resource_not_found;  /* JSON-RPC error code */
};

/* NULL when we do not speak it (or `name` is NULL). */
const struct version *version_find(const char *name);
/* What `initialize` answers: the version asked for when it is a legacy one that we speak, else the newest legacy one. */
const struct version *version_negotiate(const char *name);
/* Names as JSON array elements, newest first. */
void version_names(struct str *out);

/* What clients may be asked, if they say that they can be. For the files of this folder. */
#pragma once

#include "base/json.h"
#include "mcp/server.h"

struct version;

struct feature {
	const char *capability; /* that declares it, and must then be an object */
	const char *method;
	/* Has an answer the outline that it must have? Its values are the asker's business. */
	bool (*takes)(const struct json *answer);
};

extern const struct feature feature_table[]; /* by enum mcp_feature */

/* Bits (1 << enum mcp_feature) of what these capabilities declare and the version has. */
unsigned features_declared(const struct json *capabilities, const struct version *version);

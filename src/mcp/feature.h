/* Requests that a server may send to clients which declare the capability. Private to this folder. */
#pragma once

#include "base/json.h"
#include "mcp/server.h"

struct version;

struct feature {
	const char *capability; /* the capability that declares it; its value must be an object */
	const char *method;
	/* Whether an answer has the required structure. The caller checks its values. */
	bool (*takes)(const struct json *answer);
};

extern const struct feature feature_table[]; /* indexed by enum mcp_feature */

/* The features that the capabilities declare and the version supports, as bits (1 << enum mcp_feature). */
unsigned features_declared(const struct json *capabilities, const struct version *version);

/*
 * Appends the parameters of a request that asks the question. Versions with several modes of elicitation name the mode, and the
 * id of one with an address: `elicitation`, NULL in versions whose addresses have none.
 */
void feature_write_params(const struct mcp_question *question, const struct version *version, const char *elicitation,
			  struct str *out);

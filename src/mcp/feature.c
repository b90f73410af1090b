#include "mcp/feature.h"

#include <string.h>

#include "mcp/version.h"

static bool takes_roots(const struct json *answer)
{
	return json_type(json_member(answer, "roots")) == JSON_ARRAY;
}

static bool takes_form(const struct json *answer)
{
	const char *action = json_str(answer, "action");

	if (action && !strcmp(action, "accept"))
		return json_type(json_member(answer, "content")) == JSON_OBJECT;
	return action && (!strcmp(action, "decline") || !strcmp(action, "cancel"));
}

static bool takes_sample(const struct json *answer)
{
	enum json_type type = json_type(json_member(answer, "content"));

	return type == JSON_OBJECT || type == JSON_ARRAY;
}

const struct feature feature_table[] = {
	[MCP_ROOTS] = { "roots", "roots/list", takes_roots },
	[MCP_ELICITATION] = { "elicitation", "elicitation/create", takes_form },
	[MCP_SAMPLING] = { "sampling", "sampling/createMessage", takes_sample },
};

/* {} declares forms, as in versions that had no other mode. */
static bool has_forms(const struct json *elicitation)
{
	return json_member(elicitation, "form") || !json_member(elicitation, "url");
}

unsigned features_declared(const struct json *capabilities, const struct version *version)
{
	unsigned features = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(feature_table); i++) {
		const struct json *declared = json_member(capabilities, feature_table[i].capability);

		if (json_type(declared) == JSON_OBJECT && (i != MCP_ELICITATION || (version->elicitation && has_forms(declared))))
			features |= 1u << i;
	}
	return features;
}

void feature_write_params(const struct mcp_question *question, const struct version *version, struct str *out)
{
	if (question->feature == MCP_ELICITATION && version->elicitation_modes)
		str_appendf(out, "{\"mode\":\"form\",%s", question->params + 1);
	else
		str_append(out, question->params);
}

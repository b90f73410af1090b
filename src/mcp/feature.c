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

/* Only the answer to a form has content. */
static bool takes_consent(const struct json *answer)
{
	const char *action = json_str(answer, "action");

	return action && (!strcmp(action, "accept") || !strcmp(action, "decline") || !strcmp(action, "cancel"));
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
	[MCP_ELICITATION_URL] = { "elicitation", "elicitation/create", takes_consent },
};

/* {} declares forms, as in versions that had no other mode. */
static bool has_forms(const struct json *elicitation)
{
	return json_member(elicitation, "form") || !json_member(elicitation, "url");
}

/* Whether the version and what was declared allow the feature. */
static bool feature_is_allowed(unsigned feature, const struct json *declared, const struct version *version)
{
	if (feature == MCP_ELICITATION)
		return version->elicitation && has_forms(declared);
	return feature != MCP_ELICITATION_URL ||
	       (version->elicitation_modes && json_type(json_member(declared, "url")) == JSON_OBJECT);
}

unsigned features_declared(const struct json *capabilities, const struct version *version)
{
	unsigned features = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(feature_table); i++) {
		const struct json *declared = json_member(capabilities, feature_table[i].capability);

		if (json_type(declared) == JSON_OBJECT && feature_is_allowed(i, declared, version))
			features |= 1u << i;
	}
	return features;
}

void feature_write_params(const struct mcp_question *question, const struct version *version, const char *elicitation,
			  struct str *out)
{
	bool has_address = question->feature == MCP_ELICITATION_URL;

	if (!version->elicitation_modes || (question->feature != MCP_ELICITATION && !has_address)) {
		str_append(out, question->params);
		return;
	}
	str_json(out, "{mode: ?", has_address ? "url" : "form");
	if (has_address && elicitation)
		str_json(out, ", elicitationId: ?", elicitation);
	str_appendf(out, ",%s", question->params + 1);
}

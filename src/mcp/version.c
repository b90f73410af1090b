#include "mcp/version.h"

#include <string.h>

#include "mcp/rpc.h"

static const struct version version_table[] = {
	{
		.name = "2026-07-28",
		.modern = true,
		.elicitation = true,
		.elicitation_modes = true,
		.titles = true,
		.annotations = true,
		.structured = true,
		.completions_flag = true,
		.progress_message = true,
		.resource_not_found = RPC_INVALID_PARAMS,
	},
	{
		.name = "2025-11-25",
		.elicitation = true,
		.elicitation_modes = true,
		.priming = true,
		.titles = true,
		.annotations = true,
		.structured = true,
		.completions_flag = true,
		.progress_message = true,
		.resource_not_found = RPC_RESOURCE_NOT_FOUND,
	},
	{
		.name = "2025-06-18",
		.elicitation = true,
		.titles = true,
		.annotations = true,
		.structured = true,
		.completions_flag = true,
		.progress_message = true,
		.resource_not_found = RPC_RESOURCE_NOT_FOUND,
	},
	{
		.name = "2025-03-26",
		.batches = true,
		.annotations = true,
		.completions_flag = true,
		.progress_message = true,
		.resource_not_found = RPC_RESOURCE_NOT_FOUND,
	},
	{ .name = "2024-11-05", .resource_not_found = RPC_RESOURCE_NOT_FOUND },
};

const struct version *version_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(version_table); i++)
		if (!strcmp(version_table[i].name, name))
			return &version_table[i];
	return NULL;
}

const struct version *version_negotiate(const char *name)
{
	const struct version *v = version_find(name);

	if (v && !v->modern)
		return v;
	for (v = version_table; v->modern; v++)
		;
	return v;
}

void version_names(struct str *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(version_table); i++)
		str_json(out, "? ?", JSON_COMMA(i), version_table[i].name);
}

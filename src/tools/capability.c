#include "tools/capability.h"

#include "tools/cdp/resources.h"
#include "tools/cdp/tools.h"
#include "tools/e2e/e2e.h"
#include "tools/e2e/tools.h"

const struct capability capability_table[] = {
	/* Names that @playwright/mcp accepts, without additional tools here. */
	{ "core" },
	{ "core-navigation" },
	{ "core-tabs" },
	{ "core-input" },
	{ "core-install" },

	{ "observe", .title = "Observing", .tools = cdp_tools, .resources = &resource_table, .begin = resources_begin },
	{ "e2e", .title = "Applications with their server", .tools = e2e_tools, .around = e2e_around, .dev_servers = true },
	{}
};

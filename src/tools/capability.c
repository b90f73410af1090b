#include "tools/capability.h"

#include <string.h>

#include "tools/browser/tools.h"
#include "tools/cdp/resources.h"
#include "tools/cdp/tools.h"
#include "tools/e2e/e2e.h"
#include "tools/e2e/tools.h"
#include "tools/session/tools.h"

static const char *const attach_options[] = { "attach-tabs", NULL }, *const states_options[] = { "state-dir", "state-store", NULL },
			 *const vault_options[] = { "vault", NULL };

const struct capability capability_table[] = {
	/* Names that @playwright/mcp accepts, without additional tools here. */
	{ "core" },
	{ "core-navigation" },
	{ "core-tabs" },
	{ "core-input" },
	{ "core-install" },

	/* Those of @playwright/mcp with tools, which stand in tools/browser/tools.h. */
	{ "config", .title = "The server's configuration" },
	{ "network", .title = "Mocked and blocked requests" },
	{ "pdf", .title = "PDF" },
	{ "storage", .title = "Cookies and storage" },
	{ "testing", .title = "Assertions and locators for tests" },
	{ "vision", .title = "Mouse input at coordinates" },
	{ "devtools", .title = "Traces, videos and highlights" },
	{ "tracing", .same_as = "devtools" },

	{ "observe", .title = "Observing", .tools = cdp_tools, .resources = &resource_table, .begin = resources_begin },
	{ "e2e", .title = "Applications with their server", .tools = e2e_tools, .around = e2e_around, .dev_servers = true },
	{ "people", .title = "People who see the browser", .tools = people_tools },
	{ "attach", .title = "Tabs that a person lends", .tools = attach_tools, .options = attach_options, .options_only = true },
	{ "states", .title = "Named login states", .tools = state_tools, .options = states_options },
	{ "vault", .title = "Logins of a vault", .tools = vault_tools, .options = vault_options, .options_only = true },
	{}
};

const struct capability *capability_find(const char *name)
{
	const struct capability *c = capability_table;

	while (c->name && strcmp(c->name, name) != 0)
		c++;
	if (!c->name)
		return NULL;
	return c->same_as ? capability_find(c->same_as) : c;
}

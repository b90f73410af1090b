/* browser_get_config. */
#include <errno.h>
#include <string.h>

#include "app/app.h"
#include "base/json.h"
#include "base/limits.h"
#include "tools/browser/browse.h"

struct browser_get_config {
	const char *sessionId;
};

static const struct param browser_get_config_params[] = { PARAM(browser_get_config, sessionId, NULL, .schema = BROWSE_SESSION),
							  {} };

/* Needs no session: nothing of the browser is in the answer. */
static int config_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(json_freep) struct json *config = NULL;
	_cleanup_(str_done) struct str text = {};
	const char *merged = call_app(call)->config ? call_app(call)->config : "{}";

	if (json_parse(merged, strlen(merged), LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &config) < 0)
		return task_fail(t, -EPROTO, "the configuration cannot be shown");
	str_append(&text, "### Result\n");
	json_print_indented(&text, config);
	result_text(res, text.data);
	return 0;
}

const struct tool tool_browser_get_config = {
	.name = "browser_get_config",
	.title = "Get config",
	.about = "The server's configuration, merged from command line, environment and config file.",
	.params = browser_get_config_params,
	.size = sizeof(struct browser_get_config),
	.run = config_run,
	.failure = browse_failure,
	.complaints = COMPLAINTS_LISTED,
	.capability = "config",
	.read_only = true,
};

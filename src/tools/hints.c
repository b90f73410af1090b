#include "tools/hints.h"

const struct hint tool_hints[] = {
	{ "begin", "create_session or a browser_* tool" },
	{ "create", "create_session" },
	{ "close", "close_session" },
	{ "listTabs", "list_tabs" },
	{ "closeBrowser", "browser_close" },
	{ "listTargets", "cdp_list_targets" },
	{ "observe", "cdp_observe" },
	{ "stopObserving", "cdp_stop_observe" },
	{ "readEvents", "cdp_read_events" },
	{ "clearEvents", "cdp_clear_events" },
	{},
};

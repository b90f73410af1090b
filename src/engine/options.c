#include "engine/options.h"

#include <stddef.h>

const char *const browser_product_table[] = {
	"auto",       "chromium",      "chrome",  "chrome-beta", "chrome-dev", "chrome-canary", "msedge", "msedge-beta",
	"msedge-dev", "msedge-canary", "firefox", "moz-firefox", NULL,
};

const char *engine_name(const struct engine_options *o)
{
	return o->product == BROWSER_FIREFOX ? "firefox" : "chromium";
}

const char *const browser_connection_table[] = {
	[CONNECTION_AUTO] = "auto",
	[CONNECTION_PORT] = "port",
	[CONNECTION_PIPE] = "pipe",
	NULL,
};

/* The server's life: MCP on two descriptors until the client has gone or a signal asks for the end. */
#pragma once

#include "browser/browser.h"
#include "main/options.h"

/* Signals, descriptors and the browser are set up and taken down inside. Returns 0, or a negative errno when it could
 * not start. `out` is where messages go; stdout itself must be something else by then. */
int serve(const struct options *o, const struct option_profile *profile, int in, int out);

/* What the options mean for the browser; borrowed from them. */
struct browser_options options_for_browser(const struct options *o);

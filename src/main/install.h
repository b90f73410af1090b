/* browserd install-browser: the command by which scripts for @playwright/mcp make sure that there is a browser. Nothing is downloaded. */
#pragma once

#include "main/options.h"

/*
 * Writes the name and path of the installed browser to the descriptor `out`. False: none is installed, and the command that installs
 * one is written to stderr.
 */
bool install_browser(const struct options *o, int out);

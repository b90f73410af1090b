/* The figures of the browser_* tools: the same pages by bare calls, and goals that come from @playwright/mcp. */
#pragma once

struct floor;

/* `url` is the root of the page server. The floor's page 0 is left somewhere else. */
void bench_browser_tools(const char *program, struct floor *f, const char *url);

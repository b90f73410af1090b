/*
 * The tools of a server and how it presents them: which it offers (--caps, --lazy-sessions, --profile, --tools, --no-run-code), the
 * style of their list, and its instructions, which follow the form of the answers. A tool that is not offered does not exist for
 * clients, whichever way they call it, because the server's table is the only one that calls look in.
 */
#pragma once

#include "main/options.h"

/* -EINVAL: --tools names something that this server cannot offer; `error` says which and why. */
int tool_list_check(const struct options *o, const struct option_profile *profile, struct str *error);
/* Whether clients may see and call the tools that pages register. */
bool tool_list_has_page_tools(const struct options *o);
/*
 * What the engine cannot do of what the tool needs, in words (engine/features.h); NULL: nothing, or there is no such tool. `options`:
 * the struct options of the server.
 */
const char *tool_list_missing(const char *name, const void *options);
/* The tools, in the order of tools/list; NULL-terminated. The caller frees the result. */
const struct tool **tool_list_new(const struct options *o, const struct option_profile *profile);
struct tool_style tool_list_style(const struct options *o, const struct option_profile *profile);
/* What clients are told about these tools; nothing is appended if they are told nothing. */
void tool_list_instructions(const struct options *o, const struct option_profile *profile, const struct tool *const *tools,
			    struct str *out);

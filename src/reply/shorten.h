/*
 * Answers of all tools in the length that clients show: LIMIT_ANSWER bytes and LIMIT_ANSWER_LINES_COUNT lines. The browser_* tools keep
 * to it themselves in the compact form, so this is for the others, whose answers are mostly JSON.
 */
#pragma once

#include "mcp/result.h"
#include "view/cursors.h"

/* The cursors to these rests: a3. */
void rests_init(struct cursors *rests);
void rests_done(struct cursors *rests);
/*
 * Cuts the texts of a result that has more, and adds one that names the cursor of `rests` which leads to the rest. Structured content stays
 * whole, as programs read it; a failure whose text is a JSON object gets it.
 */
void answer_shorten(struct cursors *rests, struct result *res);

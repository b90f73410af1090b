/* The tools that a page registers by WebMCP (page/webmcp.h), as answers describe them. */
#pragma once

#include "base/str.h"
#include "loop/task.h"
#include "page/page.h"

/* The line of the page's description that counts them; nothing if there are none. */
void append_tool_count(const struct page *p, struct str *out);
/* What stands in front of a snapshot: a list of them, with an empty line behind; nothing if there are none. */
void append_tool_list(struct task *t, const struct page *p, struct str *out);

/*
 * The names by which a client knows the tools of its page. A name stands for one tool of one document, also after that tool was
 * removed: no other frame or document gets calls that were meant for it. Names are forgotten when the page shows another document.
 */
#pragma once

#include <stdbool.h>

#include "base/limits.h"
#include "page/webmcp.h"

#define WEBMCP_PREFIX "webmcp_"
#define WEBMCP_LISTED_SIZE 129 /* MCP allows 128 characters */

/* A tool, whether it still exists or not. Registered once more by the same document, it is the same. */
struct webmcp_known {
	char listed[WEBMCP_LISTED_SIZE];
	char name[LIMIT_WEBMCP_NAME + 1]; /* that the page gave it */
	char frame_id[ENGINE_ID_SIZE];
	unsigned document;
	bool exists; /* when the names were last updated */
};

struct webmcp_names {
	/* The document of the main frame when they were last updated. */
	char frame_id[ENGINE_ID_SIZE];
	unsigned document;
	unsigned count;
	struct webmcp_known known[LIMIT_WEBMCP_NAMES_COUNT];
};

/* Gives each tool of the page a name. */
void webmcp_names_update(struct webmcp_names *names, struct page *p);
/* NULL: none has the name. Borrowed until the next change of the names; accepts NULL for `names`. */
const struct webmcp_known *webmcp_names_find(const struct webmcp_names *names, const char *listed);
/* The name of a tool that was there at the last update. */
const char *webmcp_names_listed(const struct webmcp_names *names, const struct webmcp_tool *tool);
void webmcp_names_forget(struct webmcp_names *names, const char *listed);
/* The tool of the page that `known` stands for; NULL: it was removed, or is that of another page. Borrowed until the next wait. */
const struct webmcp_tool *webmcp_find_known(const struct page *p, const struct webmcp_known *known);

/*
 * WebMCP: tools that documents of the page register for agents, by document.modelContext or by forms with a `toolname`. Their names,
 * texts, schemas and results come from the page and must not be trusted. Chromium reports them if it was
 * started with --enable-features=WebMCP; in others no page has tools.
 *
 * A tool that is above a limit, or whose schema MCP clients would not accept (webmcp_schema.c), does not become one of the page.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "base/json.h"
#include "page/frame.h"

struct webmcp_tool {
	TAILQ_ENTRY(webmcp_tool) link;
	/* What registered it; a tool ends with its document. */
	char *frame_id;
	unsigned document;                 /* frame_commits() */
	unsigned place;                    /* of its frame among those of the page; 0: the main frame */
	char *name, *description;          /* UTF-8 */
	char *schema;                      /* JSON text of an object schema that MCP clients accept; NULL: the page gave none */
	bool read_only, untrusted_content; /* according to the page */
};

/* To be notified when the tools of a page have changed. */
struct webmcp_watch {
	void (*changed)(struct webmcp_watch *w);
};

/* The next tool after `after` (NULL: the first): those of the main frame first, of each frame by name. Borrowed until the next wait. */
const struct webmcp_tool *page_next_tool(const struct page *p, const struct webmcp_tool *after);
unsigned page_tool_count(const struct page *p);
/* Changes with every change of the list, and differs between pages; 0: no tools. */
uint64_t page_tools_version(const struct page *p);
/* The address of the document that registered it. Borrowed. */
const char *page_tool_url(const struct page *p, const struct webmcp_tool *tool);
/*
 * Suspends until the tool has ended, or the task's deadline has passed; the page is then asked to stop it. `input` is the JSON
 * text of an object. `*ret` is the value that it returned, NULL if it returned none; the caller frees it. -EREMOTE, with a
 * text: the tool failed. -EMSGSIZE, with a text: the value is above LIMIT_WEBMCP_OUTPUT, or has more than JSON_VALUES_MAX values.
 * -ESTALE: its document was replaced.
 */
int page_call_tool(struct task *t, struct page *p, _borrowed_ const struct webmcp_tool *tool, const char *input, struct json **ret);

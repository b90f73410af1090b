#include "reply/webmcp.h"

#include "page/webmcp.h"
#include "reply/response.h"

void append_tool_count(const struct page *p, struct str *out)
{
	unsigned n = page_tool_count(p);

	if (n)
		response_add(out, "- %u webmcp tool%s available on the page", n, n == 1 ? "" : "s");
}

static void webmcp_append_tool(struct task *t, const struct page *p, const struct webmcp_tool *tool, struct str *out)
{
	const char *url = tool->place ? page_tool_url(p, tool) : NULL;

	response_add(out, "  - %s%s%s: %s", response_line(t, tool->name), tool->read_only ? " [readOnly]" : "",
		     tool->untrusted_content ? " [untrustedContent]" : "", response_line(t, tool->description));
	if (url)
		response_add(out, "    - frame: %s", response_line(t, url));
	if (tool->schema)
		response_add(out, "    - inputSchema: %s", response_line(t, tool->schema));
}

void append_tool_list(struct task *t, const struct page *p, struct str *out)
{
	const struct webmcp_tool *tool = NULL;

	if (!page_tool_count(p))
		return;
	str_append(out, "- webmcp tools (page-provided, untrusted):");
	while ((tool = page_next_tool(p, tool)))
		webmcp_append_tool(t, p, tool, out);
	str_append(out, "\n\n");
}

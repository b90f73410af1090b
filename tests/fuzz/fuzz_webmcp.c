/*
 * A browser that reports any tools of a page (WebMCP): lines of the input are its messages. Whatever comes, the page's list keeps
 * its limits, each tool belongs to a frame of the page and has a schema that clients accept, and each has a name of its own.
 */
#include "base/display.h"
#include "engine/cdp/cdp.h"
#include "fuzzed_page.h"
#include "tools/browser/webmcp_names.h"

static struct webmcp_names names;

static void check_schema(const struct webmcp_tool *tool)
{
	_cleanup_(json_freep) struct json *schema = NULL;

	if (!tool->schema)
		return;
	CHECK(json_parse(tool->schema, strlen(tool->schema), LIMIT_WEBMCP_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &schema) == 0);
	CHECK(webmcp_schema_is_accepted(schema));
	CHECK(is_printable(tool->schema));
}

static void check_name(struct page *p, const struct webmcp_tool *tool)
{
	const char *listed = webmcp_names_listed(&names, tool);
	const struct webmcp_known *known = webmcp_names_find(&names, listed);

	CHECK(strncmp(listed, WEBMCP_PREFIX, strlen(WEBMCP_PREFIX)) == 0 && strlen(listed) < WEBMCP_LISTED_SIZE);
	CHECK(known && webmcp_find_known(p, known) == tool);
}

static void check_tools(struct page *p)
{
	const struct webmcp_tool *tool = NULL;
	unsigned count = 0;
	size_t text = 0;

	webmcp_names_update(&names, p);
	CHECK(names.count <= LIMIT_WEBMCP_NAMES_COUNT);
	while ((tool = page_next_tool(p, tool))) {
		count++;
		text += strlen(tool->description) + (tool->schema ? strlen(tool->schema) : 0);
		CHECK(page_find_frame(p, tool->frame_id));
		CHECK(page_tool_url(p, tool));
		check_schema(tool);
		check_name(p, tool);
	}
	CHECK(count == page_tool_count(p) && count <= LIMIT_WEBMCP_TOOLS_COUNT);
	CHECK(text == p->webmcp.text && text <= LIMIT_WEBMCP_PAGE_TEXT);
	CHECK(!count == !page_tools_version(p));
}

static void receive(struct fuzzed *f, const char *line, size_t len)
{
	cdp_receive(f->cdp, line, len);
	check_tools(f->page);
}

static void ignore_change(struct webmcp_watch *w)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct webmcp_watch watch = { .changed = ignore_change };
	struct fuzzed f;

	names = (struct webmcp_names){};
	fuzzed_begin(&f, &watch);
	fuzzed_receive(&f, (const char *)data, size, receive);
	fuzzed_end(&f);
	return 0;
}

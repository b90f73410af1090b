/* list_tabs: the tabs that a person lends to sessions (browser/lent.h). */
#include "app/app.h"
#include "browser/lent.h"
#include "tools/session/tools.h"

static void attach_append_tab(struct mcp_call *call, const struct target_info *tab, struct str *list)
{
	const struct app *app = call_app(call);
	const char *session = registry_session_of(app->registry, call_owner(call), tab->id);

	str_json(list, "?{tabId: ?, url: ?, title: ?, lent: ?", JSON_COMMA(list->len), tab->id, tab->url,
		 tab->title ? tab->title : "", lent_is_taken(app->browser, tab->id));
	if (session)
		str_json(list, ", sessionId: ?", session);
	str_append_char(list, '}');
}

static int list_tabs_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(target_list_done) struct target_list tabs = {};
	_cleanup_(str_done) struct str list = {};
	int r;

	(void)args;
	r = lent_tabs(t, call_app(call)->browser, &tabs);
	if (r < 0)
		return r;
	for (size_t i = 0; i < tabs.count; i++)
		attach_append_tab(call, &tabs.items[i], &list);
	result_json(res, "{tabs: [?], count: ?}", JSON_RAW(str_text(&list)), (unsigned)tabs.count);
	return 0;
}

const struct tool tool_list_tabs = {
	.name = "list_tabs",
	.terse = "List the tabs that a person lends; create_session opens one by attach",
	.about =
		"List the tabs of a person's browser that may be used. create_session with attach opens a session in one of them; the rest of that "
		"browser cannot be reached.",
	.read_only = true,
	.run = list_tabs_run,
};

const struct tool *const attach_tools[] = { ATTACH_TOOLS(TOOL_ROW) NULL };

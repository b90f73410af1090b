#include "act/print.h"

#include "base/error.h"
#include "cdp/cdp.h"

int page_print(struct task *t, struct page *p, const char *options, const char **ret_base64)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	r = cdp_call(t, page_cdp(p), &reply, "Page.printToPDF", "?", JSON_RAW(options));
	if (r < 0)
		return r;
	if (!json_str(reply, "result.data"))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no PDF");
	*ret_base64 = arena_strdup(task_arena(t), json_str(reply, "result.data"));
	return 0;
}

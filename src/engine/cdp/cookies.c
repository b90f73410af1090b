#include "engine/cookies.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/str.h"
#include "engine/cdp/cdp.h"

static struct cookies parse_all(struct json *reply)
{
	const struct json *list = json_get(reply, "result.cookies");
	struct cookies all = { .items = must(calloc(json_count(list) + 1, sizeof(struct cookie))), .reply = reply };

	json_foreach(cookie, list)
		all.items[all.count++] = cookie_read(cookie);
	return all;
}

/* `members`: of the parameters, before that for the context. */
static int call_browser(struct task *t, _borrowed_ struct engine_target *root, const char *context, struct cookies *ret,
			const char *method, const char *members)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str params = {};
	int r;

	str_append(&params, members);
	if (*context)
		str_appendf(&params, "%s\"browserContextId\":\"%s\"", params.len ? "," : "", context);
	cdp_send(t, root, &call, method, "{?}", JSON_RAW(str_text(&params)));
	r = engine_await(t, &call);
	if (r == -EREMOTE)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Protocol error (%s): %s", method,
				 json_text(call.reply, "error.message"));
	if (r == 0 && ret)
		*ret = parse_all(TAKE_PTR(call.reply));
	return r;
}

int engine_cookies(struct task *t, struct engine_target *root, const char *context, struct cookies *ret)
{
	return call_browser(t, root, context, ret, "Storage.getCookies", "");
}

int engine_cookies_for(struct task *t, struct engine_target *s, const char *urls, struct cookies *ret)
{
	struct json *reply = NULL;
	int r = cdp_call(t, s, &reply, "Network.getCookies", "{urls: ?}", JSON_RAW(urls));

	if (r == 0)
		*ret = parse_all(reply);
	return r;
}

int engine_set_cookies(struct task *t, struct engine_target *root, const char *context, const char *list)
{
	_cleanup_(str_done) struct str members = {};

	str_appendf(&members, "\"cookies\":%s", list);
	return call_browser(t, root, context, NULL, "Storage.setCookies", members.data);
}

int engine_clear_cookies(struct task *t, struct engine_target *root, const char *context)
{
	return call_browser(t, root, context, NULL, "Storage.clearCookies", "");
}

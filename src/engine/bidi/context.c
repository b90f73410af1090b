/* User contexts: BiDi's browser contexts. */
#include "engine/context.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/str.h"
#include "engine/bidi/internal.h"

/* The id of the browser's own. */
static const char *user_context(const char *context)
{
	return *context ? context : "default";
}

/*
 * A proxy, "scheme://host:port", in BiDi's form. Requests to this machine go through it as well, as network.proxy.allow_hijacking_localhost is
 * set (preferences.c).
 */
static void append_proxy(struct str *out, const char *proxy)
{
	const char *address = strstr(proxy, "://");
	bool is_socks = strncmp(proxy, "socks", strlen("socks")) == 0;

	address = address ? address + strlen("://") : proxy;
	if (is_socks)
		str_json(out, "proxy: {proxyType: 'manual', socksProxy: ?, socksVersion: ?}", address,
			 strncmp(proxy, "socks4", strlen("socks4")) == 0 ? 4 : 5);
	else
		str_json(out, "proxy: {proxyType: 'manual', httpProxy: ?, sslProxy: ?}", address, address);
}

void engine_create_context(struct task *t, struct engine_target *root, struct engine_call *call, const char *proxy,
			   bool ignores_certificates)
{
	_cleanup_(str_done) struct str settings = {};

	if (proxy)
		append_proxy(&settings, proxy);
	if (ignores_certificates)
		str_json(&settings, "? acceptInsecureCerts: true", JSON_COMMA(settings.len));
	bidi_send(t, root, call, 0, "browser.createUserContext", "{?}", JSON_RAW(str_text(&settings)));
}

int engine_created_context(struct task *t, const struct engine_call *call, const char **ret)
{
	*ret = json_str(bidi_result(call), "userContext");
	if (engine_id_is_valid(*ret))
		return 0;
	if (t)
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the browser's reply to browser.createUserContext has no valid id; use another browser");
	return -ERR_BROWSER_ERROR;
}

void engine_dispose_context(struct engine_target *root, const char *context)
{
	if (root && root->connection) {
		bidi_forget_downloads(root->connection, context);
		bidi_forget_permissions(root->connection, context);
		bidi_forget_shared(root->connection, context);
	}
	bidi_post(root, "browser.removeUserContext", "{userContext: ?}", context);
}

int engine_open_page(struct task *t, struct engine_target *root, const char *context, const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = bidi_call(t, root, &reply, 0, "browsingContext.create", "{type: 'tab', background: true, userContext: ?}",
			  user_context(context));

	if (r < 0)
		return r;
	if (!engine_id_is_valid(json_str(reply, "result.context")))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser's reply to browsingContext.create has no valid id");
	*ret = arena_printf(task_arena(t), "%s", json_str(reply, "result.context"));
	return 0;
}

/*
 * What sessions connect through: the proxies that limit where they connect (those of the settings, and those of the rules that a client gives),
 * and proxies elsewhere that a client names.
 */
#include <string.h>

#include "base/error.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "session/internal.h"

int registry_make_egress(struct task *t, const struct registry *r, const char *text, struct egress **ret)
{
	_cleanup_(egress_rules_freep) struct egress_rules *rules = NULL;
	_cleanup_(str_done) struct str error = {};
	int result;

	if (egress_rules_parse(text, &rules, &error) < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "egress: %s", error.data);
	if (!egress_rules_restrict(rules))
		return 0;
	if (r->egress->upstream_unusable)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "egress: a session cannot be limited while the server uses a proxy of this kind, or "
				 "one with exceptions: limits hold with http:// and socks5:// proxies, for all hosts");
	result = egress_new(r->loop, r->egress, &(const struct egress_plan){ .rules = rules }, ret);
	if (result < 0)
		return task_fail(t, -ERR_BROWSER_ERROR, "cannot make the proxy of the session: %s", strerror(-result));
	TAKE_PTR(rules);
	return 0;
}

int session_make_egress(struct task *t, struct session *s, bool persistent)
{
	const struct registry *registry = s->registry;
	int r;

	if (s->egress || !egress_settings_restrict(registry->egress))
		return 0;
	if (persistent) {
		s->egress = egress_ref(registry->profile_egress);
		return 0;
	}
	r = egress_new(registry->loop, registry->egress, NULL, &s->egress);
	return r < 0 ? task_fail(t, -ERR_BROWSER_ERROR, "cannot make the proxy of the session: %s", strerror(-r)) : 0;
}

/* The proxy would connect where the session may not, and past the one that the operator has set. */
static int check_own_proxy(struct task *t, const struct registry *r, const struct browser_options *of, bool limited)
{
	if (limited || egress_settings_restrict(r->egress))
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"proxy: a session that is limited in where it may connect cannot have a proxy of its own, which would "
			"connect past the limits; leave proxy out%s",
			limited ? ", or egress" : "");
	if (of->start.proxy_server)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "proxy: the operator has set a proxy for all sessions of this server, which a session cannot "
				 "replace; leave proxy out");
	return 0;
}

int session_make_settings(struct task *t, const struct registry *r, const struct json *given, bool second, bool limited,
			  struct session_settings **ret)
{
	_cleanup_(session_settings_freep) struct session_settings *settings = NULL;
	const struct browser_options *of = pool_options(r->pool, second);
	int result = 0;

	if (given)
		result = session_settings_new(t, given, of, &settings);
	if (result == 0 && settings && settings->proxy)
		result = check_own_proxy(t, r, of, limited);
	if (result == 0)
		*ret = TAKE_PTR(settings);
	return result;
}

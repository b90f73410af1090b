/* The proxies that limit where sessions connect: those of the settings, and those of the rules that a client gives. */
#include <string.h>

#include "base/error.h"
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

/* New contexts, as the options want them. */
#include "base/error.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "browser/storage.h"

static int require_proxied_webrtc(struct task *t, struct browser *b)
{
	const struct browser_options *o = browser_options(b);

	if (browser_attached(b))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"where a session may connect cannot be limited in a browser that this server has not started (%s): "
			"leave the limits out, or let the server start its own browser",
			o->names.endpoint);
	if (!browser_proxies_webrtc(b) && browser_running(b) && !linger_is_used(browser_linger(b)))
		browser_end(b);
	if (!browser_proxies_webrtc(b))
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the browser runs already for sessions that may connect anywhere, and its WebRTC "
				 "would go past the limits of this one; the operator can start the server with %s (\"all\" limits "
				 "nothing by itself), or a restricted session has to be the first",
				 o->names.proxied_webrtc);
	return 0;
}

int context_new(struct task *t, struct browser *b, const struct context_plan *plan, struct context **ret)
{
	static const struct context_plan none;
	_cleanup_(context_freep) struct context *c = NULL;
	int r;

	r = plan && plan->is_limited ? require_proxied_webrtc(t, b) : 0;
	if (r == 0)
		r = context_new_offline(t, b, plan ? plan : &none, &c);
	if (r == 0 && browser_options(b)->storage_state)
		r = storage_restore(t, c, browser_options(b)->storage_state);
	if (r == 0)
		*ret = TAKE_PTR(c);
	return r;
}

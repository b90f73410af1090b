#include "engine/call.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "loop/task.h"

int engine_explain(struct task *t, const struct engine_call *call, const char *refusal)
{
	switch (call->result) {
	case -EREMOTE:
		return task_fail(t, -EREMOTE, "the browser refused %s: %s", call->method, refusal);
	case -ESTALE:
		return task_fail(t, -ESTALE, ENGINE_PAGE_GONE);
	case -ENOTCONN:
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	case -EMSGSIZE:
		return task_fail(t, -EMSGSIZE,
				 "the browser's reply to %s is larger than %zu MiB, or has more than %u values; request less data",
				 call->method, (call->max_reply ? call->max_reply : LIMIT_CDP_MESSAGE) >> 20, JSON_VALUES_MAX);
	case -ENOBUFS:
		return task_fail(
			t, -ENOBUFS,
			"too much waits to be sent to the browser, most of it for this page; try again later, with less data");
	case -ENOTSUP:
		return task_fail(t, -ENOTSUP, "this browser has no way to do that (%s)", call->method);
	default:
		return task_fail(t, call->result, "%s failed: %s", call->method, strerror(-call->result));
	}
}

int engine_explain_timeout(struct task *t, const struct engine_call *call, bool is_browser)
{
	unsigned long long waited = (clock_now() - call->sent) / USEC_PER_MSEC;

	if (is_browser)
		return task_fail(t, -ETIMEDOUT,
				 "the browser has not replied to %s for %llu ms; try again when the machine is less busy",
				 call->method, waited);
	return task_fail(t, -ETIMEDOUT,
			 "the page has not replied to %s for %llu ms: a script keeps it busy, or the machine is overloaded; try "
			 "again later, or navigate to its address anew",
			 call->method, waited);
}

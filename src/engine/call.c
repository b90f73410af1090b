#include "engine/call.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/share.h"
#include "loop/patience.h"
#include "loop/task.h"
#include "loop/transport.h"

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

/* Its reply has not come in time. */
static int explain_timeout(struct task *t, const struct engine_call *call, bool is_browser)
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

static int wait_for_reply(struct task *t, struct engine_call *call, const int *unanswered)
{
	usec_t outer = task_deadline(t);
	int r;

	if (!*unanswered)
		return task_wait(t, call->method);
	task_set_deadline(t, MIN(outer, call->sent + patience(LIMIT_UNANSWERED)));
	r = task_wait(t, call->method);
	task_set_deadline(t, outer);
	return r == -ETIMEDOUT && call->target && !*unanswered && clock_now() < outer ? 0 : r;
}

int engine_wait(struct task *t, struct engine_call *call, int *unanswered, bool needs_thread, bool is_browser)
{
	static const int none;
	int r;

	while (call->target) {
		r = wait_for_reply(t, call, needs_thread ? unanswered : &none);
		if (r == -ETIMEDOUT && call->target && needs_thread)
			*unanswered = call->id;
		if (r == -ETIMEDOUT)
			return explain_timeout(t, call, is_browser);
		if (r < 0)
			return r;
	}
	return 0;
}

/* The bytes of it that wait to be sent, or somewhat more: what was queued before the mark counts until all of it has been sent. */
static size_t backlog_size(struct engine_backlog *b, const struct transport *t)
{
	uint64_t sent = transport_sent(t);

	if (sent >= b->mark) {
		b->mark = sent + transport_pending(t);
		b->before = b->mark == sent ? 0 : b->after;
		b->after = 0;
	}
	return b->before + b->after;
}

bool engine_has_share(struct engine_backlog *b, const struct transport *t, size_t len)
{
	size_t own = backlog_size(b, t) + len;

	return share_allows((unsigned)own, (unsigned)transport_pending(t), LIMIT_CDP_PENDING, 0);
}

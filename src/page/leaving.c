#include "page/leaving.h"

#include <errno.h>

#include "base/error.h"
#include "base/limits.h"
#include "engine/navigation.h"
#include "engine/script.h"
#include "loop/patience.h"
#include "page/internal.h"

#define STOP_TIMEOUT (2000 * USEC_PER_MSEC)
#define STOP_INTERVAL (100 * USEC_PER_MSEC)

void leaving_ask(struct leaving *l)
{
	engine_call_done(&l->alive);
	engine_ask_alive(l->t, l->p->target, &l->alive);
}

void leaving_done(struct leaving *l)
{
	engine_call_done(&l->alive);
}

struct leaving leave(struct task *t, struct page *p, bool stuck)
{
	return (struct leaving){ .t = t, .p = p, .patience = stuck ? STOP_INTERVAL : patience(LIMIT_UNANSWERED), .stuck = stuck };
}

static bool may_be_stuck(const struct leaving *l)
{
	return (l->alive.target || l->stuck) && l->p->target && clock_now() < task_deadline(l->t);
}

/* Sets the deadline of a wait after which end_script() looks whether the page is stuck; returns the one before. */
static usec_t set_patience(const struct leaving *l)
{
	return task_set_deadline(l->t, MIN(task_deadline(l->t), clock_now() + l->patience));
}

/* `r`: how the wait ended. Returns 0 if it is to go on. */
static int end_script(struct leaving *l, int r)
{
	if (r != -ETIMEDOUT || !l->p->target)
		return r;
	if (!l->alive.target) {
		leaving_ask(l);
		return 0;
	}
	frame_interrupt(l->p->main);
	l->patience = STOP_INTERVAL;
	l->stuck = true;
	return 0;
}

int leaving_await_reply(struct leaving *l, struct engine_call *call)
{
	usec_t outer;
	int r = 0;

	while (r == 0 && call->target && may_be_stuck(l)) {
		outer = set_patience(l);
		r = engine_await(l->t, call);
		task_set_deadline(l->t, outer);
		r = end_script(l, r);
	}
	return r < 0 ? r : engine_await(l->t, call);
}

/*
 * The browser replies to a navigation when it has the response, and from then on takes no calls for the old document. A page whose
 * scripts begin again right after they were ended does not commit the new one, and is ended itself.
 */
int leaving_await_commit(const struct leaving *l, unsigned commits_before)
{
	usec_t outer = task_set_deadline(l->t, MIN(task_deadline(l->t), clock_now() + patience(STOP_TIMEOUT)));
	int r = 0;

	while (r == 0 && l->p->target && l->p->main->commits == commits_before)
		r = waitq_wait(l->t, &l->p->changed, "the end of a script in the old document");
	task_set_deadline(l->t, outer);
	if (r != -ETIMEDOUT || !l->p->target)
		return r;
	page_end(l->p);
	return task_fail(
		l->t, -ERR_NAVIGATION_FAILED,
		"scripts that do not end kept the page from being left, again and again, so it was ended; navigate once more");
}

int page_stop_document(struct task *t, struct page *p)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + patience(STOP_TIMEOUT)));
	_cleanup_(leaving_done) struct leaving l = leave(t, p, true);
	int r;

	engine_stop_loading(p->target);
	frame_interrupt(p->main);
	leaving_ask(&l);
	r = leaving_await_reply(&l, &l.alive);
	task_set_deadline(t, outer);
	p->busy = false;
	return r == -ETIMEDOUT || r == -EREMOTE ? 0 : r;
}

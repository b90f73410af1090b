/*
 * Scripts that do not end. BiDi cannot stop one, and Firefox opens no other address in a page whose script runs on, so a page that does not answer
 * any more is closed, and reported like one whose process has ended.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/script.h"
#include "loop/patience.h"

#define ANSWER_TIME USEC_PER_SEC

struct bidi_stuck {
	struct engine_target *target;
	struct engine_call call;
	struct timer *timer;
};

void bidi_forget_stuck(struct engine_target *s)
{
	struct bidi_stuck *k = s->stuck;

	if (!k)
		return;
	s->stuck = NULL;
	engine_call_done(&k->call);
	timer_free(k->timer);
	free(k);
}

static void on_answered(struct engine_call *call, void *data)
{
	bidi_forget_stuck(((struct bidi_stuck *)data)->target);
}

static void on_no_answer(void *data)
{
	struct engine_target *s = ((struct bidi_stuck *)data)->target;

	bidi_forget_stuck(s);
	if (!s->connection)
		return;
	log_warning("a script keeps a page busy, and this browser cannot end it: the page is closed");
	bidi_post(s->connection->root, "browsingContext.close", "{context: ?}", s->id);
	REPORT(s, targets, crashed, s);
}

void engine_interrupt(struct engine_target *s)
{
	struct bidi_stuck *k;

	if (!s || !s->connection || s->stuck)
		return;
	k = s->stuck = NEW(struct bidi_stuck);
	*k = (struct bidi_stuck){ .target = s, .timer = timer_new(s->connection->loop, on_no_answer, k) };
	timer_set(k->timer, clock_now() + patience(ANSWER_TIME));
	if (bidi_request(s, &k->call, on_answered, k, bidi_document_world(s), "script.evaluate",
			 "{expression: '0', target: {context: ?}, awaitPromise: false}", s->id) < 0)
		bidi_forget_stuck(s);
}

void engine_terminate(struct engine_target *s)
{
	engine_interrupt(s);
}

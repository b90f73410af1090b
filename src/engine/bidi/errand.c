/*
 * Errands begin and end, and have the front. All pages are tabs of one window, so that one of them is in front and has the focus. An errand that
 * needs this keeps the front until its end, so that no other one takes it away in between, but not longer than FRONT_TIME while others wait: a
 * page may take as long as it likes to answer.
 *
 * The reply to browsingContext.activate comes when the page that was in front before has become hidden, and so never if its script does not end, or
 * if it is brought back at once. The page that comes to the front says itself when it has the focus, and nothing waits for that reply.
 */
#include "engine/bidi/errand.h"

#include <stdlib.h>

#include "loop/patience.h"

#define FRONT_TIME (200 * USEC_PER_MSEC)

/* ---- the front ---- */

static void front_reached(struct errand *e)
{
	e->comes = false;
	e->in_front(e);
}

/* Asks the page's own document, in a world that the page does not see, and goes on with `then`, also when the document has gone. */
static void ask_document(struct errand *e, void (*then)(struct errand *e), const char *expression)
{
	struct engine_target *s = e->target;
	const char *world = bidi_library_world(s);

	errand_send(e, then, bidi_document_world(s), "script.evaluate",
		    "{expression: ?, target: {context: ?, sandbox: ?}, awaitPromise: true}", expression, s->id,
		    world ? world : "browserd");
}

static void come_to_front(struct errand *e, bool is_there)
{
	/* A frame that has the focus in its document hears of it in place of the page. */
	static const char focused[] =
		"new Promise(then=>{if(document.hasFocus())then();addEventListener('focus',()=>then(),{capture:true,once:true});"
		"addEventListener('visibilitychange',()=>document.activeElement?.contentWindow&&then(),{capture:true,once:true})})";
	struct engine_target *s = e->target;

	if (is_there) {
		front_reached(e);
		return;
	}
	e->comes = true;
	bidi_post(s, "browsingContext.activate", "{context: ?}", s->id);
	ask_document(e, front_reached, focused);
}

/* An errand may end at once, which makes room for the next one. */
static void front_advance(struct bidi *c)
{
	struct errand *e;

	if (c->front_advances)
		return;
	c->front_advances = true;
	while (!c->in_front && (e = TAILQ_FIRST(&c->to_front))) {
		TAILQ_REMOVE(&c->to_front, e, front_link);
		c->in_front = e;
		timer_set(c->front_timer, clock_now() + patience(FRONT_TIME));
		come_to_front(e, e->had_focus && !e->waited);
	}
	c->front_advances = false;
}

static void leave_front(struct errand *e)
{
	struct bidi *c = e->front;

	if (c && c->in_front == e) {
		c->in_front = NULL;
		timer_set(c->front_timer, USEC_NEVER);
	} else if (c) {
		TAILQ_REMOVE(&c->to_front, e, front_link);
	}
	e->front = NULL;
}

/* The errand goes on, and others come to the front beside it. */
static void on_front_time(void *data)
{
	struct bidi *c = data;
	struct errand *e = c->in_front;

	e->front = NULL;
	if (e->comes) {
		engine_call_done(&e->step);
		front_reached(e);
	}
	c->in_front = NULL;
	front_advance(c);
}

static void errand_on_asked(struct errand *e)
{
	struct bidi *c = e->target->connection;

	if (!c->front_timer)
		c->front_timer = timer_new(c->loop, on_front_time, c);
	e->had_focus = json_bool(bidi_result(&e->step), "result.value", false);
	e->waited = c->in_front;
	e->front = c;
	TAILQ_INSERT_TAIL(&c->to_front, e, front_link);
	front_advance(c);
}

void bidi_errand_to_front(struct errand *e, void (*in_front)(struct errand *e))
{
	e->in_front = in_front;
	ask_document(e, errand_on_asked, "document.hasFocus()");
}

/* At most one errand of a page waits, as it has the turn of the page. */
void bidi_forget_front(struct engine_target *s, int result)
{
	struct errand *e;

	TAILQ_FOREACH(e, &s->connection->to_front, front_link)
		if (e->target == s)
			break;
	if (!e)
		return;
	engine_call_done(&e->step);
	e->step.result = result;
	bidi_errand_end(e);
}

/* ---- they begin and end ---- */

const char *bidi_library_world(const struct engine_target *s)
{
	const struct bidi_preload *p;

	TAILQ_FOREACH(p, &s->preloads, link)
		if (p->time == PRELOAD_ON_CALL && p->world)
			return p->world;
	return NULL;
}

static void errand_free(struct errand *e)
{
	engine_call_done(&e->step);
	bidi_gesture_done(&e->gesture);
	str_done(&e->text);
	json_free(e->message);
	free(e);
}

void bidi_errand_dropped(struct bidi_turn *turn)
{
	errand_free((struct errand *)turn);
}

void bidi_errand_end(struct errand *e)
{
	struct engine_target *s = e->target;
	struct bidi *c = s->connection;
	struct json *reply = TAKE_PTR(e->step.reply);
	int promised = e->promised, result = e->step.result;
	struct bidi_pending *p;

	leave_front(e);
	errand_free(e);
	bidi_turn_end(s);
	p = c && promised ? bidi_find_pending(c, promised) : NULL;
	if (p)
		bidi_complete(c, p, result, reply);
	else
		json_free(reply);
	if (c)
		front_advance(c);
}

void bidi_errand_on_step(struct engine_call *call, void *data)
{
	struct errand *e = data;

	e->next(e);
}

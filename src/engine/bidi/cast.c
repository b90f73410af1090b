/*
 * Firefox reports no changes of what a page shows, so pictures are taken one after the other: often after a start or input, and less often while
 * they stay the same. The next one is asked for when the one before has come.
 */
#include "engine/cast.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/internal.h"

#define LEAST_PAUSE (200 * USEC_PER_MSEC) /* between two pictures of a page that changes by itself */
#define HASTE (50 * USEC_PER_MSEC)        /* between the first pictures after input, */
#define LAST_PAUSE USEC_PER_SEC           /* and the last ones of a page that stays as it is */
#define CAST_WORLD "browserd-capture"     /* of capture.c */

struct engine_cast {
	const struct engine_operations *engine;
	const struct engine_cast_events *events;
	void *data;
	struct engine_target *page;
	struct engine_call call; /* the question that is under way */
	struct timer *timer;     /* of the next one */
	bool runs;
	bool is_first;        /* the next picture is reported in any case */
	usec_t pause;         /* before the next one */
	usec_t asked;         /* when the last one was asked for */
	struct str shown;     /* the last one that was reported */
	double width, height; /* of the viewport; 0: not known */
};

static void cast_take(struct engine_cast *c, const char *picture)
{
	struct cast_frame f = { .base64 = picture, .len = strlen(picture), .width = c->width, .height = c->height };

	c->pause = MIN(c->pause * 2, LAST_PAUSE);
	if (f.len == 0 || f.len > LIMIT_CAST_FRAME || (!c->is_first && strcmp(picture, str_text(&c->shown)) == 0))
		return;
	c->is_first = false;
	c->pause = LEAST_PAUSE;
	str_set(&c->shown, picture);
	c->events->frame(&f, c->data);
}

static void cast_on_picture(struct engine_call *call, void *data)
{
	struct engine_cast *c = data;
	int r = call->result;

	if (r == 0 && c->runs)
		cast_take(c, json_text(bidi_result(call), "data"));
	engine_call_done(call);
	if (c->runs && r != -ESTALE && r != -ENOTCONN)
		timer_set(c->timer, clock_now() + c->pause);
}

static void cast_ask_picture(struct engine_cast *c)
{
	c->asked = clock_now();
	bidi_request(c->page, &c->call, cast_on_picture, c, 0, "browsingContext.captureScreenshot",
		     "{context: ?, origin: 'viewport', format: {type: 'image/jpeg', quality: ?}}", c->page->id,
		     LIMIT_CAST_QUALITY / 100.0);
}

/* A document that has gone meanwhile leaves the size as it was. */
static void cast_on_size(struct engine_call *call, void *data)
{
	struct engine_cast *c = data;

	if (call->result == 0)
		sscanf(json_text(bidi_result(call), "result.value"), "%lfx%lf", &c->width, &c->height);
	engine_call_done(call);
	if (c->runs)
		cast_ask_picture(c);
}

static void cast_look(struct engine_cast *c)
{
	int world = bidi_document_world(c->page);

	if (c->call.target)
		return;
	if (!c->is_first || !world)
		cast_ask_picture(c);
	else
		bidi_request(c->page, &c->call, cast_on_size, c, world, "script.evaluate",
			     "{expression: 'innerWidth + \"x\" + innerHeight', target: {context: ?, sandbox: '" CAST_WORLD
			     "'}, awaitPromise: false}",
			     c->page->id);
}

static void cast_on_timer(void *data)
{
	cast_look(data);
}

struct engine_cast *engine_cast_new(struct engine_target *s, const char *id, const struct engine_cast_events *events, void *data)
{
	struct engine_cast *c;

	if (!s->connection)
		return NULL;
	c = NEW(struct engine_cast);
	*c = (struct engine_cast){ .engine = s->engine, .events = events, .data = data, .page = s };
	c->timer = timer_new(s->connection->loop, cast_on_timer, c);
	return c;
}

struct engine_cast *engine_cast_free(struct engine_cast *c)
{
	if (!c)
		return NULL;
	engine_call_done(&c->call);
	timer_free(c->timer);
	str_done(&c->shown);
	free(c);
	return NULL;
}

/* Pictures have the size of the viewport whatever is wanted: making them smaller would cost a script in the page for each. */
void engine_cast_start(struct engine_cast *c, const struct cast_size *size)
{
	if (c->runs)
		return;
	c->runs = c->is_first = true;
	c->pause = LEAST_PAUSE;
	timer_set(c->timer, c->asked + LEAST_PAUSE);
}

void engine_cast_stop(struct engine_cast *c)
{
	c->runs = false;
	timer_set(c->timer, USEC_NEVER);
}

void engine_cast_hurry(struct engine_cast *c)
{
	c->pause = HASTE;
	if (c->runs)
		timer_set(c->timer, clock_now() + HASTE / 2);
}

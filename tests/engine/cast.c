/* Pictures of pages, which are texts here. */
#include "engine/cast.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "memory.h"

struct engine_cast {
	LIST_ENTRY(engine_cast) link;
	const struct engine_cast_events *events;
	void *data;
	struct engine_target *target;
	bool runs;
};

static LIST_HEAD(, engine_cast) all = LIST_HEAD_INITIALIZER(all);
static const char *looks = "";
static unsigned casts, starts;

/* The reply to nothing: a picture is on its way for each start, and each change while it runs. */
static void send_picture(struct memory_message *m)
{
	_cleanup_(str_done) struct str text = {};
	struct engine_cast *c;

	base64_encode(&text, (const uint8_t *)looks, strlen(looks));
	LIST_FOREACH(c, &all, link)
		if (c->target == m->target && c->runs) {
			c->events->frame(&(const struct cast_frame){ str_text(&text), text.len, 800, 600 }, c->data);
			return;
		}
}

void memory_change_looks(const char *text)
{
	struct engine_cast *c;

	looks = text;
	LIST_FOREACH(c, &all, link)
		if (c->runs)
			memory_post(c->target, "picture", send_picture, "");
}

unsigned memory_casts(void)
{
	return casts;
}

unsigned memory_cast_starts(void)
{
	return starts;
}

bool memory_cast_runs(void)
{
	const struct engine_cast *c;

	LIST_FOREACH(c, &all, link)
		if (c->runs)
			return true;
	return false;
}

struct engine_cast *engine_cast_new(struct engine_target *s, const char *id, const struct engine_cast_events *events, void *data)
{
	struct engine_cast *c = NEW(struct engine_cast);

	*c = (struct engine_cast){ .events = events, .data = data, .target = s };
	LIST_INSERT_HEAD(&all, c, link);
	casts++;
	return c;
}

struct engine_cast *engine_cast_free(struct engine_cast *c)
{
	if (c)
		LIST_REMOVE(c, link);
	free(c);
	return NULL;
}

void engine_cast_start(struct engine_cast *c, const struct cast_size *size)
{
	starts++;
	c->runs = true;
	memory_post(c->target, "picture", send_picture, "");
}

void engine_cast_stop(struct engine_cast *c)
{
	c->runs = false;
}

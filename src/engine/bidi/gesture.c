/* Events that are sent together, as input.performActions takes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/input.h"

#define COORDINATE_LIMIT 1e6
#define PAUSE "{\"type\":\"pause\"}"

enum source { SOURCE_KEY, SOURCE_POINTER, SOURCE_WHEEL, SOURCES };

static const enum source sources[] = {
	[ACTION_KEY_DOWN] = SOURCE_KEY,  [ACTION_KEY_UP] = SOURCE_KEY,      [ACTION_MOVE] = SOURCE_POINTER,
	[ACTION_PRESS] = SOURCE_POINTER, [ACTION_RELEASE] = SOURCE_POINTER, [ACTION_SCROLL] = SOURCE_WHEEL,
};

void bidi_gesture_add(struct bidi_gesture *g, const struct bidi_action *action)
{
	if (g->count == g->room) {
		g->room = g->room ? 2 * g->room : 8;
		g->actions = must(realloc(g->actions, g->room * sizeof(*g->actions)));
	}
	g->actions[g->count++] = *action;
}

void bidi_gesture_insert(struct bidi_gesture *g, const struct bidi_action *action)
{
	bidi_gesture_add(g, action);
	memmove(g->actions + 1, g->actions, (g->count - 1) * sizeof(*g->actions));
	g->actions[0] = *action;
}

void bidi_gesture_done(struct bidi_gesture *g)
{
	free(g->actions);
	*g = (struct bidi_gesture){};
}

struct bidi_input *bidi_input_of(struct engine_target *s)
{
	if (!s->input) {
		s->input = NEW(struct bidi_input);
		*s->input = (struct bidi_input){ .at = { -1, -1 } };
	}
	return s->input;
}

void bidi_forget_input(struct engine_target *s)
{
	if (!s->input)
		return;
	bidi_gesture_done(&s->input->gesture);
	free(s->input);
	s->input = NULL;
}

bool bidi_gesture_has(const struct bidi_gesture *g, enum bidi_action_type type)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->actions[i].type == type)
			return true;
	return false;
}

/*
 * Whole pixels, the one that the point lies in, as Firefox rounds others up, and beyond a small element. Firefox refuses points outside of
 * the viewport: the nearest one within stands for them.
 */
static int pixel(double n, double size)
{
	double last = size > 0 ? ceil(size) - 1 : COORDINATE_LIMIT;

	return (int)floor(fmin(fmax(n, 0), fmax(last, 0)));
}

static int whole_delta(double n)
{
	return (int)round(fmin(fmax(n, -COORDINATE_LIMIT), COORDINATE_LIMIT));
}

struct point bidi_place_point(const struct bidi_place *p, struct point at)
{
	return (struct point){ p->a * at.x + p->c * at.y + p->e, p->b * at.x + p->d * at.y + p->f };
}

static void gesture_print_action(struct str *out, const struct bidi_action *a, const struct bidi_place *p)
{
	struct point at = bidi_place_point(p, a->at);
	int x = pixel(at.x, p->width), y = pixel(at.y, p->height);

	switch (a->type) {
	case ACTION_KEY_DOWN:
	case ACTION_KEY_UP:
		str_json(out, "{type: ?, value: ?}", a->type == ACTION_KEY_DOWN ? "keyDown" : "keyUp", a->value);
		break;
	case ACTION_MOVE:
		str_json(out, "{type: 'pointerMove', x: ?, y: ?, duration: 0}", x, y);
		break;
	case ACTION_PRESS:
	case ACTION_RELEASE:
		str_json(out, "{type: ?, button: ?}", a->type == ACTION_PRESS ? "pointerDown" : "pointerUp", a->button);
		break;
	case ACTION_SCROLL:
		str_json(out, "{type: 'scroll', x: ?, y: ?, deltaX: ?, deltaY: ?, duration: 0}", x, y, whole_delta(a->delta.x),
			 whole_delta(a->delta.y));
		break;
	}
}

static bool source_is_used(const struct bidi_gesture *g, enum source source)
{
	for (size_t i = 0; i < g->count; i++)
		if (sources[g->actions[i].type] == source)
			return true;
	return false;
}

void bidi_gesture_print(struct str *out, const struct bidi_gesture *g, const struct bidi_place *p, unsigned pointer)
{
	static const char *const heads[] = {
		[SOURCE_KEY] = "{\"type\":\"key\",\"id\":\"k\",\"actions\":[",
		[SOURCE_POINTER] = "{\"type\":\"pointer\",\"parameters\":{\"pointerType\":\"mouse\"},",
		[SOURCE_WHEEL] = "{\"type\":\"wheel\",\"id\":\"w\",\"actions\":[",
	};
	bool is_first = true;

	for (int source = 0; source < SOURCES; source++) {
		if (!source_is_used(g, source))
			continue;
		str_append(out, is_first ? "" : ",");
		is_first = false;
		str_append(out, heads[source]);
		if (source == SOURCE_POINTER)
			str_appendf(out, "\"id\":\"m%u\",\"actions\":[", pointer);
		for (size_t i = 0; i < g->count; i++) {
			str_append(out, i ? "," : "");
			if ((int)sources[g->actions[i].type] == source)
				gesture_print_action(out, &g->actions[i], p);
			else
				str_append(out, PAUSE);
		}
		str_append(out, "]}");
	}
}

/*
 * Input where it belongs. Firefox gives the events of a page to its document and those of the same process, so where other processes have
 * documents of frames, the page is asked which frame lies below the pointer, or has the focus, from the outermost document down, and the events
 * are sent there. All this has the turn of the page, so that nothing is sent in between.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/errand.h"

/* ---- the way down ---- */

static void errand_look(struct errand *e);

/* `found`: [window, and the map from this document's viewport to its own, width and height]. */
static void follow_map(struct bidi_place *p, const struct json *found)
{
	double n[8] = { 1, 0, 0, 1, 0, 0, 0, 0 };
	size_t count = 0;

	for (const struct json *v = json_next(json_first(found)); v && count < ARRAY_SIZE(n); v = json_next(v), count++)
		n[count] = json_num(v, "value", n[count]);
	*p = (struct bidi_place){
		.a = n[0] * p->a + n[2] * p->b,
		.b = n[1] * p->a + n[3] * p->b,
		.c = n[0] * p->c + n[2] * p->d,
		.d = n[1] * p->c + n[3] * p->d,
		.e = n[0] * p->e + n[2] * p->f + n[4],
		.f = n[1] * p->e + n[3] * p->f + n[5],
		.width = n[6],
		.height = n[7],
	};
}

/* Goes on in the frame whose window the page has answered with. */
static void errand_on_looked(struct errand *e)
{
	const struct json *value = json_get(bidi_result(&e->step), "result"), *list = json_get(value, "value");
	bool is_list = json_type(list) == JSON_ARRAY;
	const char *frame = json_str(is_list ? json_first(list) : value, "value.context");
	struct bidi_context *x = e->step.result == 0 ? bidi_find_context(e->target->connection, frame) : NULL;

	if (!x || bidi_page_of(x) != e->target || e->depth >= LIMIT_FRAME_DEPTH) {
		e->arrived(e);
		return;
	}
	if (is_list)
		follow_map(&e->place, list);
	engine_id_set(e->place.context, x->id);
	e->depth++;
	e->is_made = false;
	errand_look(e);
}

static void errand_on_made(struct errand *e)
{
	if (e->step.result < 0)
		e->arrived(e);
	else
		errand_look(e);
}

static const struct bidi_action *pointer_action(const struct bidi_gesture *g)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->actions[i].type != ACTION_KEY_DOWN && g->actions[i].type != ACTION_KEY_UP)
			return &g->actions[i];
	return NULL;
}

static void errand_ask(struct errand *e, int world)
{
	const struct bidi_action *pointer = pointer_action(&e->gesture);
	struct point at = bidi_place_point(&e->place, e->data ? e->point : pointer ? pointer->at : (struct point){});
	const char *place = bidi_script_place(e->target, world);

	if (e->text.len)
		errand_send(e, errand_on_looked, world, "script.callFunction",
			    "{functionDeclaration: 'text=>browserd.insertText({text})', arguments: [{type: 'string', value: ?}], "
			    "target: ?, awaitPromise: false, userActivation: true}",
			    e->text.data, JSON_RAW(place));
	else if (pointer || e->data)
		errand_send(e, errand_on_looked, world, "script.callFunction",
			    "{functionDeclaration: '(x,y)=>browserd.frameUnder({x,y})', arguments: [{type: 'number', value: ?}, "
			    "{type: 'number', value: ?}], target: ?, awaitPromise: false}",
			    at.x, at.y, JSON_RAW(place));
	else
		errand_send(e, errand_on_looked, world, "script.callFunction",
			    "{functionDeclaration: '()=>browserd.focusedFrame()', target: ?, awaitPromise: false}",
			    JSON_RAW(place));
}

int bidi_errand_world(struct errand *e, const char *context)
{
	struct engine_target *s = e->target;
	const struct bidi_context *x = bidi_find_context(s->connection, context);
	const char *name = bidi_library_world(s);
	struct bidi_world *w = x && bidi_page_of(x) == s && name ? bidi_context_world(x, name) : NULL;

	if (!w)
		return 0;
	s->turn = &e->turn;
	bidi_prepare_world(s, w);
	s->turn = NULL;
	return w->id;
}

/* Asks the document of the place, in the world of the page scripts, which is made where nothing has run in it yet. */
static void errand_look(struct errand *e)
{
	const char *name = bidi_library_world(e->target);
	int world = bidi_errand_world(e, e->place.context);

	if (world) {
		errand_ask(e, world);
	} else if (name && !e->is_made) {
		e->is_made = true;
		errand_send(e, errand_on_made, 0, "script.evaluate",
			    "{expression: '0', target: {context: ?, sandbox: ?}, awaitPromise: false}", e->place.context, name);
	} else {
		e->arrived(e);
	}
}

/* ---- what is done ---- */

static bool is_same_pixel(struct point a, struct point b)
{
	return floor(a.x) == floor(b.x) && floor(a.y) == floor(b.y);
}

/* A move to where the pointer is makes no event, although the page may show another document there by now: it comes from beside. */
static void renew_move(const struct bidi_input *in, struct bidi_gesture *g, const struct bidi_place *p)
{
	const struct bidi_action *first = pointer_action(g);
	struct bidi_action beside;

	if (!first || first->type != ACTION_MOVE || in->buttons || strcmp(in->sent_in, p->context) != 0 ||
	    !is_same_pixel(first->at, in->sent))
		return;
	beside = *first;
	beside.at.x += beside.at.x >= 1 ? -1 : 1;
	bidi_gesture_insert(g, &beside);
}

static void note_places(struct bidi_input *in, const struct bidi_gesture *g, const struct bidi_place *p)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct bidi_action *a = &g->actions[i];

		if (a->type == ACTION_PRESS)
			in->buttons |= 1u << a->button;
		else if (a->type == ACTION_RELEASE)
			in->buttons &= ~(1u << a->button);
		else if (a->type == ACTION_KEY_DOWN)
			engine_id_set(in->keyed, p->context);
		else if (a->type == ACTION_MOVE)
			in->sent = a->at;
	}
	if (pointer_action(g))
		engine_id_set(in->sent_in, p->context);
	in->pressed = in->buttons ? *p : (struct bidi_place){};
}

static void perform(struct errand *e);

/* "Move target (5000, 10) is out of bounds of viewport dimensions (1366, 682)": the nearest point within is taken, once. */
static void errand_on_performed(struct errand *e)
{
	const char *size = strstr(bidi_error_message(&e->step), "viewport dimensions (");
	double width, height;

	if (strcmp(bidi_error(&e->step), "move target out of bounds") == 0 && !e->is_bounded && size &&
	    sscanf(size, "viewport dimensions (%lf, %lf)", &width, &height) == 2) {
		e->is_bounded = true;
		e->place.width = width;
		e->place.height = height;
		perform(e);
	} else {
		bidi_errand_end(e);
	}
}

static void perform(struct errand *e)
{
	_cleanup_(str_done) struct str actions = {};

	bidi_gesture_print(&actions, &e->gesture, &e->place, e->target->input->pointer);
	errand_send(e, errand_on_performed, 0, "input.performActions", "{context: ?, actions: [?]}", e->place.context,
		    JSON_RAW(str_text(&actions)));
}

static void errand_act(struct errand *e)
{
	struct bidi_input *in = e->target->input;

	if (e->text.len) { /* the last step has inserted it */
		bidi_errand_end(e);
		return;
	}
	renew_move(in, &e->gesture, &e->place);
	note_places(in, &e->gesture, &e->place);
	perform(e);
}

/* Where a button is pressed, what follows belongs there until it is released; so do the releases of keys. */
static bool knows_place(struct errand *e)
{
	const struct bidi_input *in = e->target->input;
	bool has_pointer = pointer_action(&e->gesture);

	if (has_pointer && in->buttons && bidi_find_context(e->target->connection, in->pressed.context)) {
		e->place = in->pressed;
		return true;
	}
	if (!has_pointer && !e->text.len && !bidi_gesture_has(&e->gesture, ACTION_KEY_DOWN) &&
	    bidi_find_context(e->target->connection, in->keyed)) {
		engine_id_set(e->place.context, in->keyed);
		return true;
	}
	return false;
}

static void errand_find_place(struct errand *e)
{
	if (!e->data && (knows_place(e) || (!e->text.len && !bidi_has_foreign_frames(e->target))))
		e->arrived(e);
	else
		errand_look(e);
}

/*
 * Firefox delivers wheel events to a page that is not in front, but does not scroll it. In a page without the focus, no element gets or loses the
 * focus, so a field that is left reports no change. Moves and releases need neither, so they leave the page in front as it is.
 */
static bool errand_needs_front(const struct errand *e)
{
	return e->text.len || bidi_gesture_has(&e->gesture, ACTION_SCROLL) || bidi_gesture_has(&e->gesture, ACTION_PRESS) ||
	       bidi_gesture_has(&e->gesture, ACTION_KEY_DOWN);
}

static void errand_on_turn(struct bidi_turn *turn, struct engine_target *s)
{
	struct errand *e = (struct errand *)turn;

	if (errand_needs_front(e))
		bidi_errand_to_front(e, errand_find_place);
	else
		errand_find_place(e);
}

static struct bidi_place page_place(const struct engine_target *s)
{
	struct bidi_place p = { .a = 1, .d = 1 };

	engine_id_set(p.context, s->id);
	return p;
}

struct errand *bidi_errand_new(struct task *t, struct engine_target *s, struct engine_call *last, const char *method,
			       void (*arrived)(struct errand *e))
{
	int promised = last ? bidi_promise(t, s, last, method) : 0;
	struct errand *e;

	if (promised < 0)
		return NULL;
	e = NEW(struct errand);
	*e = (struct errand){
		.turn = { .on_turn = errand_on_turn, .on_dropped = bidi_errand_dropped },
		.target = s,
		.promised = promised,
		.place = page_place(s),
		.arrived = arrived,
	};
	return e;
}

void bidi_errand_begin(struct errand *e)
{
	bidi_turn_take(e->target, &e->turn);
}

void bidi_perform(struct task *t, struct engine_target *s, struct engine_call *last, struct bidi_gesture *g)
{
	struct errand *e = bidi_errand_new(t, s, last, "input.performActions", errand_act);

	if (!e)
		return;
	e->gesture = *g;
	*g = (struct bidi_gesture){};
	bidi_errand_begin(e);
}

void bidi_insert(struct task *t, struct engine_target *s, struct engine_call *last, const char *text)
{
	struct errand *e;

	if (!*text) {
		bidi_send_or_post(t, s, last, "browsingContext.getTree", "{root: ?, maxDepth: 0}", s->id);
		return;
	}
	e = bidi_errand_new(t, s, last, "script.callFunction", errand_act);
	if (!e)
		return;
	str_append(&e->text, text);
	bidi_errand_begin(e);
}

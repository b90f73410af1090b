#include "act/person.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "act/input.h"
#include "act/mouse.h"
#include "base/error.h"
#include "base/limits.h"
#include "page/cast.h"
#include "page/clipboard.h"
#include "page/mouse.h"

#define EVENT_TIME (10 * USEC_PER_SEC) /* that a page has for one; the next ones do not wait longer */
#define KEYS_HELD_COUNT 8u             /* pressed at a time, which are released at the end */
#define KEY_NAME_SIZE LIMIT_KEY_NAME

/* An event with its own texts, or a key that is pressed. */
struct queued_event {
	TAILQ_ENTRY(queued_event) link;
	struct person_event e; /* but for the texts */
	char key[KEY_NAME_SIZE], code[KEY_NAME_SIZE];
	char *text;
	size_t text_len;
};

struct person {
	struct loop *loop;
	_kept_ struct page *page;
	_nullable_ const struct person_handler *handler; /* NULL: it is freed when the task has ended */
	void *data;
	TAILQ_HEAD(queued_events, queued_event) queue;
	TAILQ_HEAD(, queued_event) held; /* keys */
	unsigned count, held_count;
	size_t text; /* bytes of the texts in the queue */
	bool runs;   /* a task performs what is in the queue */
};

static struct queued_event *event_copy(const struct person_event *e)
{
	struct queued_event *q = NEW(struct queued_event);

	*q = (struct queued_event){ .e = *e };
	snprintf(q->key, sizeof(q->key), "%s", e->key ? e->key : "");
	snprintf(q->code, sizeof(q->code), "%s", e->code ? e->code : "");
	q->text_len = e->text ? strlen(e->text) : 0;
	q->text = must(strndup(e->text ? e->text : "", q->text_len));
	q->e.key = q->key;
	q->e.code = q->code;
	q->e.text = q->text;
	return q;
}

/* What a person types stays in no memory. */
static void event_free(struct queued_event *q)
{
	explicit_bzero(q->text, q->text_len);
	free(q->text);
	explicit_bzero(q, sizeof(*q));
	free(q);
}

static struct queued_event *event_take(struct person *x)
{
	struct queued_event *q = TAILQ_FIRST(&x->queue);

	if (!q)
		return NULL;
	TAILQ_REMOVE(&x->queue, q, link);
	x->count--;
	x->text -= q->text_len;
	return q;
}

/* ---- keys ---- */

static struct queued_event *held_key(struct person *x, const char *code)
{
	struct queued_event *q;

	TAILQ_FOREACH(q, &x->held, link)
		if (strcmp(q->code, code) == 0)
			return q;
	return NULL;
}

static void note_key(struct person *x, const struct person_event *e)
{
	struct queued_event *q = held_key(x, e->code);

	if (e->type == PERSON_KEY_DOWN && !q && x->held_count < KEYS_HELD_COUNT) {
		q = event_copy(e);
		TAILQ_INSERT_TAIL(&x->held, q, link);
		x->held_count++;
	} else if (e->type == PERSON_KEY_UP && q) {
		TAILQ_REMOVE(&x->held, q, link);
		x->held_count--;
		event_free(q);
	}
}

/* Modifiers without Shift keep a key from typing; AltGr comes as the character that it makes, without modifiers. */
static const char *text_of_key(const struct person_event *e)
{
	return *e->text && !(e->modifiers & (MODIFIER_CONTROL | MODIFIER_ALT | MODIFIER_META)) ? e->text : NULL;
}

static int perform_key(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	bool down = e->type == PERSON_KEY_DOWN;
	const struct keystroke k = { e->key, e->code, down ? text_of_key(e) : NULL, e->key_code, e->location, 0 };

	note_key(x, e);
	engine_key(t, page_target(x->page), &call, &k, down, e->modifiers);
	return engine_await(t, &call);
}

/* What the page has copied since then. */
static void report_copy(struct person *x, uint64_t copies)
{
	_cleanup_(str_done) struct str text = {};

	if (!x->handler || page_copies(x->page) == copies)
		return;
	page_copied_text(x->page, &text);
	x->handler->copied(str_text(&text), x->data);
}

static bool may_copy(const struct person_event *e)
{
	static const char *const codes[] = { "KeyC", "KeyX", "Insert", "Delete" };

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (strcmp(codes[i], e->code) == 0)
			return e->modifiers & (MODIFIER_CONTROL | MODIFIER_META | MODIFIER_SHIFT);
	return strcasecmp(e->key, "c") == 0 || strcasecmp(e->key, "x") == 0 ? e->modifiers & MODIFIER_CONTROL : false;
}

/* The document reports what it has copied on another way than the reply to the key, and before the reply to a later question. */
static int perform_key_down(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(frame_unrefp) struct frame *main = frame_ref(page_main_frame(x->page));
	_cleanup_(json_freep) struct json *ignored = NULL;
	uint64_t copies = page_copies(x->page);
	int r = perform_key(t, x, e);

	if (r < 0 || !may_copy(e))
		return r;
	r = frame_probe(t, main, &ignored, "0");
	report_copy(x, copies);
	return r;
}

/* ---- the mouse ---- */

/* The reply to a move comes with the next frame, and that to a press which follows does not wait for it. */
static int perform_move(struct task *t, struct person *x, const struct person_event *e)
{
	const struct queued_event *next = TAILQ_FIRST(&x->queue);
	struct page_mouse *m = page_mouse(x->page);

	if (!next || next->e.type != PERSON_PRESS || m->buttons || m->drag.len)
		return mouse_move(t, x->page, e->at, e->modifiers);
	m->at = e->at;
	engine_mouse(t, page_target(x->page), NULL,
		     &(const struct mouse_event){
			     .type = MOUSE_MOVED, .at = e->at, .button = MOUSE_NONE, .modifiers = e->modifiers });
	return 0;
}

/* A press on a <select> would open a window that is in no picture. */
static int offer_choice(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(frame_unrefp) struct frame *main = frame_ref(page_main_frame(x->page));
	_cleanup_(json_freep) struct json *choice = NULL;
	int r = frame_script(t, main, &choice, "offerChoice", "{x: ?, y: ?}", e->at.x, e->at.y);

	if (r == 0 && json_get(choice, "number") && x->handler)
		x->handler->offered(choice, x->data);
	return r < 0 ? r : json_get(choice, "number") != NULL;
}

/* A document that cannot be asked for its lists gets the press itself. */
static int perform_press(struct task *t, struct person *x, const struct person_event *e)
{
	int r = e->button == MOUSE_LEFT ? offer_choice(t, x, e) : 0;

	if (r > 0)
		return 0;
	if (r < 0 && (!page_alive(x->page) || task_cancelled(t)))
		return r;
	if (r < 0)
		task_forget_failure(t);
	page_mouse(x->page)->at = e->at;
	return mouse_press(t, x->page, e->button, e->count, e->modifiers);
}

/* That of a press which was not performed does nothing. */
static int perform_release(struct task *t, struct person *x, const struct person_event *e)
{
	struct page_mouse *m = page_mouse(x->page);

	if (!(m->buttons & mouse_button_bit(e->button)))
		return 0;
	m->at = e->at;
	return mouse_release(t, x->page, e->button, e->count, e->modifiers);
}

static int perform_wheel(struct task *t, struct person *x, const struct person_event *e)
{
	return input_mouse(t, x->page,
			   &(const struct mouse_event){
				   .type = MOUSE_WHEEL, .at = e->at, .delta = e->delta, .modifiers = e->modifiers });
}

/* ---- texts ---- */

static int perform_compose(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	engine_compose(t, page_target(x->page), &call, e->text, e->start, e->end);
	r = engine_await(t, &call);
	if (r == -ENOTSUP)
		task_forget_failure(t);
	return r == -ENOTSUP ? 0 : r;
}

/* Pastes what the clipboard of the pages holds for this moment, by the keys for it. */
static int press_paste(struct task *t, struct person *x)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	const struct keystroke *control = keystroke_for_modifier(MODIFIER_CONTROL);
	const struct keystroke v = { "v", "KeyV", NULL, 86, KEY_STANDARD, 0 };
	bool is_held = held_key(x, "ControlLeft") || held_key(x, "ControlRight");
	struct engine_target *s = page_target(x->page);

	if (!is_held)
		engine_key(t, s, NULL, control, true, MODIFIER_CONTROL);
	engine_key(t, s, NULL, &v, true, MODIFIER_CONTROL);
	engine_key(t, s, is_held ? &call : NULL, &v, false, MODIFIER_CONTROL);
	if (!is_held)
		engine_key(t, s, &call, control, false, 0);
	return engine_await(t, &call);
}

/* The agent's clipboard is as before then: what a person pastes is none of its business. */
static int perform_paste(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(str_done) struct str items = {};
	int r;

	str_json(&items, "[['text/plain', ?]]", e->text);
	if (!page_exchange_clipboard(x->page, &items))
		return input_insert(t, x->page, e->text);
	r = press_paste(t, x);
	page_exchange_clipboard(x->page, &items);
	explicit_bzero(items.data, items.len);
	return r;
}

static int perform_choice(struct task *t, struct person *x, const struct person_event *e)
{
	_cleanup_(frame_unrefp) struct frame *main = frame_ref(page_main_frame(x->page));

	return frame_script(t, main, NULL, "takeChoice", "{number: ?, index: ?}", e->number, e->index);
}

/* ---- the task ---- */

static int perform_event(struct task *t, struct person *x, const struct person_event *e)
{
	switch (e->type) {
	case PERSON_MOVE:
		return perform_move(t, x, e);
	case PERSON_PRESS:
		return perform_press(t, x, e);
	case PERSON_RELEASE:
		return perform_release(t, x, e);
	case PERSON_WHEEL:
		return perform_wheel(t, x, e);
	case PERSON_KEY_DOWN:
		return perform_key_down(t, x, e);
	case PERSON_KEY_UP:
		return perform_key(t, x, e);
	case PERSON_TEXT:
		return input_insert(t, x->page, e->text);
	case PERSON_COMPOSE:
		return perform_compose(t, x, e);
	case PERSON_PASTE:
		return perform_paste(t, x, e);
	case PERSON_CHOOSE:
		return perform_choice(t, x, e);
	}
	return 0;
}

/* An event that fails, as one whose page does not answer, is no reason to drop the next ones. */
static int run_person(struct task *t, void *data)
{
	struct person *x = data;
	struct queued_event *q;
	int r;

	while (!task_cancelled(t) && (q = event_take(x))) {
		task_set_deadline(t, clock_now() + EVENT_TIME);
		r = page_alive(x->page) ? perform_event(t, x, &q->e) : -ESTALE;
		event_free(q);
		if (r < 0)
			task_forget_failure(t);
		cast_hurry(x->page);
	}
	return 0;
}

static void person_drop(struct person *x)
{
	struct queued_event *q;

	while ((q = event_take(x)))
		event_free(q);
	while ((q = TAILQ_FIRST(&x->held))) {
		TAILQ_REMOVE(&x->held, q, link);
		event_free(q);
	}
	page_unref(x->page);
	free(x);
}

static void person_run(struct person *x);

static void person_ended(struct task *t, int result, void *data)
{
	struct person *x = data;

	x->runs = false;
	if (x->count)
		person_run(x);
	else if (!x->handler)
		person_drop(x);
}

static void person_run(struct person *x)
{
	struct queued_event *q;

	if (x->runs)
		return;
	x->runs = task_start(x->loop, "input of a person", run_person, person_ended, x, NULL) == 0;
	while (!x->runs && (q = event_take(x))) /* the server is busy */
		event_free(q);
}

/* ---- the queue ---- */

/* Whether it takes the place of the last event, or is added to that. */
static bool person_join(struct person *x, const struct person_event *e)
{
	struct queued_event *last = TAILQ_LAST(&x->queue, queued_events);

	if (!last || last->e.type != e->type || last->e.modifiers != e->modifiers)
		return false;
	if (e->type == PERSON_MOVE) {
		last->e.at = e->at;
		return true;
	}
	if (e->type != PERSON_WHEEL || last->e.at.x != e->at.x || last->e.at.y != e->at.y)
		return false;
	last->e.delta.x += e->delta.x;
	last->e.delta.y += e->delta.y;
	return true;
}

static void person_append(struct person *x, const struct person_event *e)
{
	struct queued_event *q = event_copy(e);

	TAILQ_INSERT_TAIL(&x->queue, q, link);
	x->count++;
	x->text += q->text_len;
	person_run(x);
}

static bool person_has_room(const struct person *x, const struct person_event *e)
{
	return x->count < LIMIT_INPUT_EVENTS_COUNT && x->text + (e->text ? strlen(e->text) : 0) <= LIMIT_INPUT_TEXT;
}

int person_add(struct person *x, const struct person_event *e)
{
	if (!page_alive(x->page))
		return -ESTALE;
	if (person_join(x, e))
		return 0;
	if (!person_has_room(x, e))
		return -ENOBUFS;
	person_append(x, e);
	return 0;
}

struct page *person_page(const struct person *x)
{
	return x->page;
}

struct person *person_new(struct loop *l, struct page *p, const struct person_handler *handler, void *data)
{
	struct person *x = NEW(struct person);

	*x = (struct person){ .loop = l, .page = page_ref(p), .handler = handler, .data = data };
	TAILQ_INIT(&x->queue);
	TAILQ_INIT(&x->held);
	return x;
}

/* ---- the end ---- */

static void release_all(struct person *x)
{
	static const enum mouse_button buttons[] = { MOUSE_LEFT, MOUSE_RIGHT, MOUSE_MIDDLE };
	struct queued_event *q;

	for (size_t i = 0; i < ARRAY_SIZE(buttons); i++)
		mouse_release_later(x->page, buttons[i]);
	TAILQ_FOREACH(q, &x->held, link) {
		q->e.type = PERSON_KEY_UP;
		q->e.modifiers = 0;
		person_append(x, &q->e);
	}
}

struct person *person_free(struct person *x)
{
	struct queued_event *q;

	if (!x)
		return NULL;
	x->handler = NULL;
	while ((q = event_take(x)))
		event_free(q);
	if (page_alive(x->page))
		release_all(x);
	if (!x->runs)
		person_drop(x);
	return NULL;
}

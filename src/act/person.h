/*
 * Input of a person to a page: what was done on a picture of it becomes events of the browser, in order and without waiting for anything that an
 * agent's action waits for. Events wait in a queue, where moves and turns of the wheel are put together; the page may take its time. Nothing
 * suspends: a task of its own performs them.
 */
#pragma once

#include "base/json.h"
#include "engine/input.h"
#include "loop/loop.h"
#include "page/page.h"

enum person_event_type {
	PERSON_MOVE,
	PERSON_PRESS,
	PERSON_RELEASE,
	PERSON_WHEEL,
	PERSON_KEY_DOWN,
	PERSON_KEY_UP,
	PERSON_TEXT,    /* without keys, as an input method commits it */
	PERSON_COMPOSE, /* the text that an input method has so far; the browser shows it, if it can */
	PERSON_PASTE,
	PERSON_CHOOSE, /* of a list that was offered */
};

/* Points are CSS pixels in the viewport of the page. Only the members of its type have a meaning. */
struct person_event {
	enum person_event_type type;
	struct point at, delta;
	enum mouse_button button;
	int count;          /* presses in a row */
	unsigned modifiers; /* enum modifier */
	const char *key, *code;
	int key_code; /* KeyboardEvent.keyCode */
	enum key_location location;
	const char *text;  /* "": a key that types nothing */
	int start, end;    /* of the selection in a composition, in UTF-16 units */
	int number, index; /* of a list and of its option */
};

/* Texts are borrowed for the time of the call. */
struct person_handler {
	void (*copied)(const char *text, void *data); /* by a key of the person */
	/*
	 * A press was on a <select>, whose list no picture shows. It was not performed; PERSON_CHOOSE chooses. {number, box: [x, y, width, height],
	 * options: [{label, group, disabled, selected}]}
	 */
	void (*offered)(const struct json *choice, void *data);
};

struct person;
/* `handler` outlives it. It holds a reference to the page. */
struct person *person_new(struct loop *l, struct page *p, const struct person_handler *handler, void *data);
struct page *person_page(const struct person *x);
/* Copies the event. -ENOBUFS: the page does not keep up, and the event is dropped; -ESTALE: the page has gone; -EINVAL: it cannot be. */
int person_add(struct person *x, const struct person_event *e);
/* Drops what waits, and releases the keys and buttons that are pressed. The handler is not called any more. */
struct person *person_free(struct person *x);

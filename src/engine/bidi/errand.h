/* Input that takes several commands, during which it has the turn of its page. */
#pragma once

#include "engine/bidi/input.h"

struct errand {
	struct bidi_turn turn;
	struct engine_target *target;
	struct engine_call step; /* of the command that is under way */
	int promised;            /* the id of the caller's call; 0: none */
	struct bidi_gesture gesture;
	struct str text; /* that is inserted; empty: none */
	/* One step of a drag: */
	const struct json *data; /* what is dragged; NULL: no drag */
	struct json *message;    /* that `data` is a part of */
	enum drag_step drag;
	struct point point; /* of the page */
	struct bidi_place place;
	unsigned depth;
	/* errand.c: */
	struct bidi *front; /* the connection whose front it has or waits for; NULL: none */
	TAILQ_ENTRY(errand) front_link;
	bool had_focus, waited; /* its page had the focus when it was asked; it waits for another errand to leave */
	bool comes;             /* its page is about to get the focus */
	void (*in_front)(struct errand *e);
	bool is_made;                      /* the world at this depth was asked for */
	bool is_bounded;                   /* to the viewport of the place */
	void (*arrived)(struct errand *e); /* at its place, with the turn */
	void (*next)(struct errand *e);
};

/*
 * Makes an errand, which bidi_errand_begin() starts. The errand completes the call `last` when it ends; `last` may be NULL. Returns NULL
 * when the errand could not be made.
 */
struct errand *bidi_errand_new(struct task *t, struct engine_target *s, struct engine_call *last, const char *method,
			       void (*arrived)(struct errand *e));
/* Finds its place when it has the turn, and calls `arrived`. */
void bidi_errand_begin(struct errand *e);
/* Calls `in_front` when the page of the errand has the focus, which it keeps until its end if it is quick; also if the page cannot get it. */
void bidi_errand_to_front(struct errand *e, void (*in_front)(struct errand *e));
/* Hands the turn on, and the reply of the last step to the caller; frees it. */
void bidi_errand_end(struct errand *e);
void bidi_errand_dropped(struct bidi_turn *turn);
void bidi_errand_on_step(struct engine_call *call, void *data);
/*
 * The execution context of the page scripts in a browsing context of the page of `e`. The script library is sent there first, if it is missing. 0:
 * there is no such execution context.
 */
int bidi_errand_world(struct errand *e, const char *context);

/* The name of the execution contexts of the page scripts; NULL: the page has none yet. */
const char *bidi_library_world(const struct engine_target *s);

/* Sends one command; `then` is called with its reply, or the errand ends with it. */
#define errand_send(e, then, world, method, ...) \
	do { \
		(e)->next = then; \
		(e)->target->turn = &(e)->turn; \
		engine_call_done(&(e)->step); \
		int sent_ = bidi_request((e)->target, &(e)->step, bidi_errand_on_step, e, world, method, __VA_ARGS__); \
		(e)->target->turn = NULL; \
		if (sent_ < 0) \
			bidi_errand_end(e); \
	} while (0)

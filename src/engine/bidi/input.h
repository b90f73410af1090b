/* What the files of this folder that do input share. */
#pragma once

#include "engine/bidi/internal.h"
#include "engine/dialogs.h"
#include "engine/input.h"

struct task;

struct bidi_input *bidi_input_of(struct engine_target *s);

/* The key as an action of WebDriver names it: a character, or a code point for a key without one. NULL: there is none for it. */
const char *bidi_key_value(const struct keystroke *k);
const char *bidi_modifier_value(enum modifier m);

enum bidi_action_type { ACTION_KEY_DOWN, ACTION_KEY_UP, ACTION_MOVE, ACTION_PRESS, ACTION_RELEASE, ACTION_SCROLL };

struct bidi_action {
	enum bidi_action_type type;
	char value[8];          /* of a key */
	int button;             /* as WebDriver numbers them */
	struct point at, delta; /* of the viewport of the page */
};

/* Events that are sent together. */
struct bidi_gesture {
	struct bidi_action *actions;
	size_t count, room;
};
void bidi_gesture_add(struct bidi_gesture *g, const struct bidi_action *action);
/* In front of the others. */
void bidi_gesture_insert(struct bidi_gesture *g, const struct bidi_action *action);
void bidi_gesture_done(struct bidi_gesture *g);
bool bidi_gesture_has(const struct bidi_gesture *g, enum bidi_action_type type);

/* A place for input: a browsing context, and the way there from the viewport of the page, x' = a x + c y + e and y' = b x + d y + f. */
struct bidi_place {
	char context[ENGINE_ID_SIZE];
	double a, b, c, d, e, f;
	double width, height; /* of its viewport; 0: not known */
};

/* A field whose file chooser the page wanted to open. */
struct bidi_chooser {
	int number; /* 0: none */
	char context[ENGINE_ID_SIZE], element[ENGINE_ID_SIZE];
	struct chooser accepts;
};
#define BIDI_CHOOSERS_COUNT 8

struct bidi_input {
	struct bidi_gesture gesture; /* that is not complete */
	struct point at;             /* of the pointer at the end of it */
	unsigned held;               /* modifiers whose keys are pressed */
	unsigned borrowed;           /* modifiers that are pressed for an event that has them */
	char refused[32];            /* the code of a key in it that cannot be pressed; "": none */
	/* Of what was sent: */
	unsigned pointer; /* the number of the pointer; one whose button was pressed at the end of a drag is not used again */
	unsigned buttons; /* that are pressed, bits by WebDriver's numbers */
	struct bidi_place pressed;                         /* where they are, if any */
	struct point sent;                                 /* of the pointer */
	char sent_in[ENGINE_ID_SIZE];                      /* the context that it was sent in */
	char keyed[ENGINE_ID_SIZE];                        /* the context that the last key was pressed in */
	struct bidi_chooser choosers[BIDI_CHOOSERS_COUNT]; /* the last ones, by their numbers */
	int last_chooser;
};

/* Appends it as the list of actions of input.performActions, of the pointer with this number. */
void bidi_gesture_print(struct str *out, const struct bidi_gesture *g, const struct bidi_place *p, unsigned pointer);
/* The point of the page in the viewport of the place. */
struct point bidi_place_point(const struct bidi_place *p, struct point at);

/* ---- errands.c ---- */

/*
 * Performs the gesture, whose actions it takes over, where its events belong, and inserts a text where the focus is: of frames that input to
 * the page does not reach too. They complete `last` (NULL: nobody awaits it).
 */
void bidi_perform(struct task *t, struct engine_target *s, struct engine_call *last, struct bidi_gesture *g);
void bidi_insert(struct task *t, struct engine_target *s, struct engine_call *last, const char *text);

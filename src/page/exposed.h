/*
 * Functions that pages can call: what page_expose() gives to their documents, also later ones, and the calls that the pages make. A
 * page decides itself what it sends as a call, so name and arguments may be anything. Nothing suspends unless it takes a task.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "loop/task.h"
#include "page/frame.h"

struct page_group;

struct exposed_call {
	struct frame *frame;   /* borrowed */
	int world;             /* the execution context that waits for the answer */
	int64_t number;        /* given by it */
	const char *name;      /* borrowed, as the arguments are */
	const char *arguments; /* what the document has packed (scripts/code/values.js) */
};

/* Gets the calls of the pages of a group. Without one, calls fail. */
struct exposed_receiver {
	void (*called)(struct exposed_receiver *r, const struct exposed_call *call);
};

/* Gives a function of this name to all documents; a name that they have already is left as it is. Fail as page_add_init_script(). Suspend. */
int page_expose(struct task *t, struct page *p, const char *name);
int page_group_expose(struct task *t, struct page_group *g, const char *name);
/* `value`: packed, what the call returns or, if it `threw`, throws. A document that has gone gets nothing. */
void frame_answer_call(struct frame *f, int world, int64_t number, const char *value, bool threw);
/* The call throws an Error with this text. */
void frame_refuse_call(struct frame *f, int world, int64_t number, const char *text);

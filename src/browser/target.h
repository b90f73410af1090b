/*
 * From what a caller aims at to the element: a ref of a snapshot, a selector or a locator expression; frames on the way
 * are entered. One place for all tools.
 */
#pragma once

#include "browser/page.h"
#include "loop/task.h"

/* `frame` is a reference, the texts live in the task's arena. */
struct target {
	struct frame *frame;
	const char *ref;     /* the element's, in that frame */
	const char *element; /* how actions find it, again and again: JSON {ref} or {steps} */
	const char *steps;   /* JSON array, from the page down: to be printed by target_locator() */
	const char *locator; /* the steps in TypeScript, where the page told them along; else NULL */
	const char *written; /* as the caller wrote it */
};

/*
 * Looks once; does not wait for the element. -ERR_REF_NOT_FOUND, -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_AMBIGUOUS,
 * -ERR_INVALID_SELECTOR. Suspends.
 */
int target_resolve(struct task *t, struct page *p, const char *target, struct target *ret);
/*
 * All that match, as JSON in the task's arena: "count" gives a number, "textContent" and "innerText" texts, "refs" refs.
 * None is no failure, but for the frames on the way.
 */
int target_list(struct task *t, struct page *p, const char *target, const char *what, const char **ret_json);
void target_done(struct target *target);
/* A locator as a person would write it: "getByRole('button', { name: 'Save' })", in the task's arena. Suspends, unless it is known. */
int target_locator(struct task *t, struct page *p, const struct target *target, const char *language, const char **ret);
/* The element in one line: <button id="save">Save</button>. Suspends. */
int target_preview(struct task *t, const struct target *target, const char **ret);

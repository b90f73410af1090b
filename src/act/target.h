/*
 * From what a caller aims at to the element: a ref of a snapshot, a selector or a locator expression; frames on the way
 * are entered. One place for all tools.
 */
#pragma once

#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/page.h"

/* A question about a target that is on its way already, so that several travel together. Empty: none is. */
struct target_question {
	_kept_ struct frame *frame; /* a reference */
	unsigned document;          /* of it, by its commits */
	struct cdp_call call;
};

/* `frame` is a reference, the texts live in the task's arena. */
struct target {
	struct target_question *asked; /* by the caller, before it is resolved; NULL: not */
	_kept_ struct frame *frame;
	const char *ref;     /* the element's, in that frame */
	const char *element; /* how actions find it, again and again: JSON {ref} or {steps} */
	const char *steps;   /* JSON array, from the page down: to be printed by target_locator() */
	const char *locator; /* the steps in TypeScript, where the page told them along; else NULL */
	const char *written; /* as the caller wrote it */
};

/* Asks ahead of target_resolve(). Suspends only where no script ran in the document yet; that it fails shows there. */
void target_ask(struct task *t, struct page *p, const char *target, struct target_question *ret);
void target_question_done(struct target_question *q);
/*
 * Looks once; does not wait for the element. -ERR_REF_NOT_FOUND, -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_AMBIGUOUS,
 * -ERR_INVALID_SELECTOR. What `ret->asked` found is taken, unless the document is
 * another one. Suspends.
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

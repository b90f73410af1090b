/*
 * Resolves the caller's target (a ref of a snapshot, a selector, or a locator expression) to an element, across frames.
 * All tools resolve targets here.
 */
#pragma once

#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/page.h"

/* A target request that was sent ahead, so that several requests travel together. All zero: none was sent. */
struct target_question {
	_kept_ struct frame *frame; /* a reference */
	unsigned document;          /* `commits` of the frame, which identifies the document */
	struct cdp_call call;
};

/* `frame` is a reference; the texts are in the task's arena. */
struct target {
	struct target_question *asked; /* set by the caller before the target is resolved; NULL: nothing was sent ahead */
	_kept_ struct frame *frame;
	const char *ref;     /* of the element in that frame */
	const char *element; /* how actions find the element at each attempt: JSON {ref} or {steps} */
	const char *steps;   /* JSON array, from the page to the element, for target_locator() */
	const char *locator; /* the steps in TypeScript, if the page returned them; else NULL */
	const char *written; /* as the caller wrote it */
};

/*
 * Sends the request of target_resolve() ahead. Suspends only if no script has run in the document yet. Errors are
 * reported by target_resolve().
 */
void target_ask(struct task *t, struct page *p, const char *target, struct target_question *ret);
void target_question_done(struct target_question *q);
/*
 * Resolves once, without waiting for the element. -ERR_REF_NOT_FOUND, -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_AMBIGUOUS,
 * -ERR_INVALID_SELECTOR. Uses the reply of `ret->asked`, unless the document was replaced. Suspends.
 */
int target_resolve(struct task *t, struct page *p, const char *target, struct target *ret);
/*
 * All matches as JSON in the task's arena: "count" returns a number, "textContent" and "innerText" return texts, "refs"
 * refs. No match is an error only for the frames on the path.
 */
int target_list(struct task *t, struct page *p, const char *target, const char *what, const char **ret_json);
void target_done(struct target *target);
/*
 * The target as a locator expression, such as "getByRole('button', { name: 'Save' })", in the task's arena. Suspends,
 * unless the locator is known.
 */
int target_locator(struct task *t, struct page *p, const struct target *target, const char *language, const char **ret);
/* A description of the element in one line: <button id="save">Save</button>. Suspends. */
int target_preview(struct task *t, const struct target *target, const char **ret);

/*
 * Resolves the caller's target (a ref of a snapshot, a selector, or a locator expression) to an element, across frames.
 * All tools resolve targets here.
 */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/* What several targets resolve to, from one message. */
struct target_answers {
	struct json *answers; /* array in the order of the targets; null where a target was not resolved. Owned. */
	unsigned document;    /* `commits` of the main frame, which identifies the document */
};
static inline void target_answers_done(struct target_answers *known)
{
	json_free(known->answers);
}

/*
 * What the caller of a tool named, and the element that it resolves to. The first five members are set by the caller
 * before target_resolve(). `frame` is a reference; the texts are in the task's arena.
 */
struct target {
	bool any;          /* the first element counts where several match */
	const char *click; /* action_click_request() of the click that follows; NULL: none */
	_nullable_ _kept_ struct frame
		*root;            /* the frame in whose document locators begin, held by the caller; NULL: the main frame */
	const struct json *known; /* from target_resolve_all(); NULL: none */
	unsigned known_document;
	struct json *reply; /* owns `answer`, unless that is `known` */
	/* What the element's document answered. With `click`, `point` is in it if the element can be pressed at once. */
	const struct json *answer;
	_kept_ struct frame *frame;
	const char *ref;     /* of the element in that frame */
	const char *element; /* how actions find the element at each attempt: JSON {ref} or {steps} */
	const char *steps;   /* JSON array, from the page to the element, for target_locator() */
	const char *locator; /* the steps in TypeScript, if the page returned them; else NULL */
	const char *written; /* as the caller wrote it */
};

/*
 * Resolves once, without waiting for the element. -ERR_REF_NOT_FOUND, -ERR_ELEMENT_NOT_FOUND, -ERR_ELEMENT_AMBIGUOUS,
 * -ERR_INVALID_SELECTOR. Suspends.
 */
int target_resolve(struct task *t, struct page *p, const char *target, struct target *ret);
/*
 * The first element that `steps`, a JSON array as in scripts/locator.js, lead to in one of the page's frames. `ret` gets the
 * frame and the steps of a locator that is generated for the element, but no ref. -ERR_ELEMENT_NOT_FOUND without a text. Suspends.
 */
int target_find_first(struct task *t, struct page *p, const char *steps, struct target *ret);
/*
 * All matches as JSON in the task's arena: for `what` "count" their number, for "refs" a list of refs, else a list of what a function
 * of scripts/elements.js says of each; some take a `name`. No match is an error only for the frames on the path. `root` as in struct
 * target.
 */
int target_list(struct task *t, struct page *p, _nullable_ struct frame *root, const char *target, const char *what,
		const char *name, const char **ret_json);
/*
 * Like target_resolve(), for a target that several elements may match; no match is -ERR_ELEMENT_NOT_FOUND. `ref` is set only if the
 * target is a ref.
 */
int target_resolve_any(struct task *t, struct page *p, const char *target, struct target *ret);
void target_done(struct target *target);
/*
 * Resolves the targets, elements of a JSON array of strings, in the main document in one message, for target_resolve() of each of
 * them. Those that are not resolved there, for whatever reason, are resolved anew at their turn. Suspends.
 */
int target_resolve_all(struct task *t, struct page *p, const char *targets, struct target_answers *ret);
/*
 * The target as a locator expression, such as "getByRole('button', { name: 'Save' })", in the task's arena. Suspends,
 * unless the locator is known.
 */
int target_locator(struct task *t, struct page *p, const struct target *target, const char *language, const char **ret);
/*
 * The locator of an element of `f`, from the page to the element. `steps`: JSON array, from the document of `f` on. `printer` is a
 * live page, which the page of `f` need not be if `f` is its main frame. Suspends; fails if a frame inside of the page has gone.
 */
int frame_locator(struct task *t, struct page *printer, struct frame *f, const char *steps, const char *language, const char **ret);
/* A description of the element in one line: <button id="save">Save</button>. Suspends. */
int target_preview(struct task *t, const struct target *target, const char **ret);

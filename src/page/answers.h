/*
 * What a page is sent because its scripts asked for it: texts of the clipboard, responses of routes, results of exposed functions. A few
 * bytes ask for megabytes, so a page has LIMIT_PAGE_ANSWERS of each kind on the way at most, and one answer more: further ones wait where
 * their requests are known, until the browser has taken these. Each kind has a count of its own, because a script that waits for a response
 * (a synchronous XMLHttpRequest) takes nothing else meanwhile. A page that is stopped (page/throttle.h) gets none until it goes on. Each
 * answer takes from the page's budget.
 */
#pragma once

#include "engine/engine.h"
#include "loop/task.h"
#include "page/page.h"

enum page_answer_kind {
	ANSWER_TO_SCRIPT,  /* which the page takes between its scripts */
	ANSWER_TO_REQUEST, /* which the browser's network service takes */
	ANSWER_KINDS_COUNT
};

struct page_answers {
	size_t bytes[ANSWER_KINDS_COUNT]; /* on the way */
};

struct page_answer {
	struct engine_call call;
	enum page_answer_kind kind;
	struct page *page; /* which outlives the attachment that the answer is sent to */
	size_t bytes;
};

/* Whether the page may be sent an answer now. A page that has gone takes all, and they are dropped. */
bool page_takes_answers(const struct page *p, enum page_answer_kind kind);
/* Suspends until it may, or until the task's deadline; then it fails with -ETIMEDOUT. The caller holds the page. */
int page_await_answers(struct task *t, struct page *p, enum page_answer_kind kind);

/*
 * An answer is sent with the call of a new one and page_answer_taken(), by an operation of the engine that charges the page. What that returns
 * is given to page_answer_sent(), and the answer is not used any more.
 */
struct page_answer *page_answer_new(struct page *p, enum page_answer_kind kind);
void page_answer_sent(struct page_answer *a, int result);
void page_answer_taken(struct engine_call *call, void *answer);

/* Called by the folder: the page may take answers again, of some kind. */
void answers_go_on(struct page *p);

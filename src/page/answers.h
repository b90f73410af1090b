/*
 * What a page is sent because its scripts asked for it: texts of the clipboard, responses of routes, results of exposed functions. A few
 * bytes ask for megabytes, so a page has LIMIT_PAGE_ANSWERS on the way at most, and one answer more: further ones wait where their
 * requests are known, until the browser has taken these. A page that is stopped (page/throttle.h) gets none until it goes on. Each
 * answer takes from the page's budget.
 */
#pragma once

#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/page.h"

struct page_answers {
	size_t bytes; /* on the way */
};

struct page_answer {
	struct cdp_call call;
	struct page *page; /* which outlives the attachment that the answer is sent to */
	size_t bytes;
	struct cdp_session *session;
	struct cdp_meter *before;
};

/* Whether the page may be sent an answer now. A page that has gone takes all, and they are dropped. */
bool page_takes_answers(const struct page *p);
/* Suspends until it may, or until the task's deadline; then it fails with -ETIMEDOUT. The caller holds the page. */
int page_await_answers(struct task *t, struct page *p);

/* Sends a command to `s`, an attachment of the page or of a frame in it, as an answer. The parameters are those of cdp_post(). */
#define page_answer(p, s, method, ...) \
	do { \
		struct page_answer *answer_ = page_answer_begin(p, s); \
\
		page_answer_end(answer_, cdp_request(s, &answer_->call, page_answer_taken, answer_, method, __VA_ARGS__)); \
	} while (0)
/* For the macro only. */
struct page_answer *page_answer_begin(struct page *p, struct cdp_session *s);
void page_answer_end(struct page_answer *a, int result);
void page_answer_taken(struct cdp_call *call, void *answer);

/* Called by the folder: the page may take answers again. */
void answers_go_on(struct page *p);

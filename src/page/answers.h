/*
 * What a page is sent because its scripts asked for it: texts of the clipboard, responses of routes, results of exposed functions. A few
 * bytes ask for megabytes, so a page has LIMIT_PAGE_ANSWERS of each kind on the way at most, and one answer more: further ones wait where
 * their requests are known, until the browser has taken these. Each kind has a count of its own, because a script that waits for a response
 * (a synchronous XMLHttpRequest) takes nothing else meanwhile. A page that is stopped (page/throttle.h) gets none until it goes on. Each
 * answer takes from the page's budget.
 */
#pragma once

#include "engine/cdp/cdp.h"
#include "loop/task.h"
#include "page/page.h"

enum page_answer_kind {
	ANSWER_TO_SCRIPT,  /* Runtime.*, which the page takes between its scripts */
	ANSWER_TO_REQUEST, /* Fetch.*, which the browser's network service takes */
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
	struct engine_target *session;
	struct cdp_meter *before;
};

/* Whether the page may be sent an answer now. A page that has gone takes all, and they are dropped. */
bool page_takes_answers(const struct page *p, enum page_answer_kind kind);
/* Suspends until it may, or until the task's deadline; then it fails with -ETIMEDOUT. The caller holds the page. */
int page_await_answers(struct task *t, struct page *p, enum page_answer_kind kind);

/* Sends a command to `s`, an attachment of the page or of a frame in it, as an answer. The parameters are those of cdp_post(). */
#define page_answer(p, kind, s, method, ...) \
	do { \
		struct page_answer *answer_ = page_answer_begin(p, kind, s); \
\
		page_answer_end(answer_, cdp_request(s, &answer_->call, page_answer_taken, answer_, method, __VA_ARGS__)); \
	} while (0)
/* For the macro only. */
struct page_answer *page_answer_begin(struct page *p, enum page_answer_kind kind, struct engine_target *s);
void page_answer_end(struct page_answer *a, int result);
void page_answer_taken(struct engine_call *call, void *answer);

/* Called by the folder: the page may take answers again, of some kind. */
void answers_go_on(struct page *p);

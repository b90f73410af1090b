#include "page/answers.h"

#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "page/internal.h"

bool page_takes_answers(const struct page *p, enum page_answer_kind kind)
{
	return !p->group || (!p->throttle.stopped && p->answers.bytes[kind] < LIMIT_PAGE_ANSWERS);
}

int page_await_answers(struct task *t, struct page *p, enum page_answer_kind kind)
{
	int r = 0;

	while (r == 0 && !page_takes_answers(p, kind))
		r = waitq_wait(t, &p->changed, "the page to take an answer");
	return r;
}

void answers_go_on(struct page *p)
{
	if (!p->group)
		return;
	TELL_PARTS(p->parts, go_on, p);
	waitq_wake(&p->changed);
}

struct page_answer *page_answer_new(struct page *p, enum page_answer_kind kind)
{
	struct page_answer *a = NEW(struct page_answer);

	a->page = p;
	a->kind = kind;
	return a;
}

void page_answer_sent(struct page_answer *a, int result)
{
	if (result < 0) {
		free(a);
		return;
	}
	a->bytes = (size_t)result;
	a->page->answers.bytes[a->kind] += a->bytes;
}

/* Nothing can be sent when the connection has ended. */
void page_answer_taken(struct engine_call *call, void *answer)
{
	struct page_answer *a = answer;
	struct page *p = a->page;
	bool is_connected = call->result != -ENOTCONN;

	p->answers.bytes[a->kind] -= a->bytes;
	engine_call_done(call);
	free(a);
	if (is_connected)
		answers_go_on(p);
}

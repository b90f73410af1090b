#include "page/record.h"

#include "base/limits.h"
#include "engine/events.h"
#include "observe/journal.h"
#include "page/internal.h"

#define OBJECTS_KEPT 200 /* messages with objects after which the browser may forget these */

void record_init(struct page_record *r, struct journal *journal, const char *target_id)
{
	if (journal) {
		r->journal = journal_ref(journal);
		return;
	}
	r->journal = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
	journal_set_target(r->journal, target_id);
}

struct event_waker {
	struct journal_listener listener;
	struct task *task;
	unsigned kinds;
};

static void on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct event_waker *w = CONTAINER_OF(l, struct event_waker, listener);

	if (!w->kinds || w->kinds & e->kind)
		task_wake(w->task);
}

int page_await_event(struct task *t, struct page *p, unsigned kinds, const char *where)
{
	struct event_waker w = { .listener.observed = on_observed, .task = t, .kinds = kinds };
	int r;

	journal_listen(p->record.journal, &w.listener);
	r = waitq_wait(t, &p->changed, where);
	journal_unlisten(&w.listener);
	return r;
}

/* What settling waits for may have changed. */
#define PASS(what) \
	static void on_##what(const struct exchange_event *x, void *data) \
	{ \
		struct page *p = data; \
\
		if (traffic_on_##what(&p->traffic, x)) \
			waitq_wake(&p->changed); \
	}

PASS(request)
PASS(finished)
PASS(failed)
PASS(socket_created)
PASS(socket_answered)
PASS(socket_sent)
PASS(socket_closed)

static void on_response(const struct exchange_event *x, void *data)
{
	struct page *p = data;

	if (traffic_on_response(&p->traffic, x))
		waitq_wake(&p->changed);
	frame_on_response(p, x);
}

static void on_received(struct engine_target *s, void *data)
{
	((struct page *)data)->traffic.received = clock_now();
}

static void on_intercepted(struct engine_target *s, struct intercepted_request *q, void *page)
{
	if (page_alive(page))
		intercept_on_request(page, s, q);
}

static void on_challenged(struct engine_target *s, const struct challenge *c, void *page)
{
	page_answer_challenge(page, s, c);
}

const struct engine_traffic_events page_traffic_events = {
	.request = on_request,
	.response = on_response,
	.finished = on_finished,
	.failed = on_failed,
	.received = on_received,
	.socket_created = on_socket_created,
	.socket_sent = on_socket_sent,
	.socket_answered = on_socket_answered,
	.socket_closed = on_socket_closed,
	.intercepted = on_intercepted,
	.challenged = on_challenged,
};

/* The browser keeps logged objects alive until they are released, so that a page that logs would grow without limit. */
static void on_kept_objects(struct engine_target *s, void *data)
{
	struct page *p = data;
	struct child_target *child;

	if (++p->record.logged_objects < OBJECTS_KEPT)
		return;
	p->record.logged_objects = 0;
	engine_forget_logged(p->target);
	TAILQ_FOREACH(child, &p->children, link)
		engine_forget_logged(child->target);
}

const struct engine_console_events page_console_events = {
	.kept_objects = on_kept_objects,
};

struct journal *record_journal(void *page)
{
	return ((struct page *)page)->record.journal;
}

static void record_done(struct page *p)
{
	journal_free(p->record.journal);
}

const struct page_part record_part = {
	.done = record_done,
};

#include "browser/settle.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "browser/modal.h"
#include "observe/journal.h"

#define NAVIGATION_MAX (10 * USEC_PER_SEC) /* from the action until the new document has loaded */
#define REQUESTS_MAX (5 * USEC_PER_SEC)
#define QUIET_MSEC 12 /* without a mutation: long enough for what scripts do in the next frame */

int settle_watch(struct task *t, struct settle *s, struct frame *f)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};
	int r;

	frame_ref(f);
	frame_unref(s->frame);
	s->frame = f;
	r = frame_script_send(t, f, &call, "watchEffects", "{}");
	return r == -ECANCELED || r == -EINTR ? r : 0;
}

int settle_begin(struct task *t, struct page *p, struct settle *ret)
{
	*ret = (struct settle){
		.page = p, .commits = p->main->commits, .url = arena_strdup(task_arena(t), page_url(p)),
		.journal_from = journal_end(p->journal), .touched = page_blocked(p),
	};
	if (!ret->touched)
		return settle_watch(t, ret, p->main);
	ret->frame = frame_ref(p->main); /* its scripts do not run; that they go on is an effect */
	return 0;
}

void settle_done(struct settle *s)
{
	s->frame = frame_unref(s->frame);
}

/* Of other kinds (images, streams...) the head is enough. */
static bool must_end(const struct observed_request *q)
{
	static const char *const kinds[] = { "document", "stylesheet", "script", "xhr", "fetch" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(q->type, kinds[i]) == 0)
			return true;
	return false;
}

/* Does a request run that began since? `ret_any`: has one begun at all. */
static bool request_open(const struct settle *s, bool *ret_any)
{
	const struct journal_query q = { .kinds = OBSERVED_REQUEST };
	uint64_t at = s->journal_from;
	const struct observed *e;
	bool open = false;

	while ((e = journal_next(s->page->journal, &q, &at))) {
		bool answered = e->sent.response != OBSERVED_NONE && !must_end(&e->sent);

		*ret_any = true;
		open |= e->sent.end == OBSERVED_NONE && !answered;
	}
	return open;
}

static bool navigated(const struct settle *s)
{
	return s->page->main->commits != s->commits;
}

/* Not all ways to move leave a trace in the document. */
static bool has_moved(const struct settle *s)
{
	return s->touched || navigated(s) || strcmp(s->url, page_url(s->page)) != 0;
}

static bool navigation_open(const struct settle *s)
{
	return s->page->navigating || (navigated(s) && !(s->page->main->load_states & LOAD_LOAD));
}

static bool ends_waiting(int r)
{
	return r == -ECANCELED || r == -EINTR;
}

struct waker {
	struct journal_listener listener;
	struct task *t;
};

static void on_observed(struct journal_listener *l, const struct observed *e)
{
	if (e->kind & (OBSERVED_FINISHED | OBSERVED_FAILED | OBSERVED_RESPONSE))
		task_wake(CONTAINER_OF(l, struct waker, listener)->t);
}

static int wait_for_network(struct task *t, struct settle *s)
{
	usec_t start = clock_now(), limit;
	bool any = false;
	int r = 0;

	while (page_alive(s->page) && (navigation_open(s) || request_open(s, &any))) {
		struct waker waker = { .listener.observed = on_observed, .t = t };

		limit = start + (navigation_open(s) ? NAVIGATION_MAX : REQUESTS_MAX);
		if (clock_now() >= limit)
			return 0;
		task_set_deadline(t, limit);
		journal_listen(s->page->journal, &waker.listener);
		r = waitq_wait(t, &s->page->changed, "the network to come to rest");
		journal_unlisten(&waker.listener);
		if (r < 0)
			break;
	}
	return ends_waiting(r) ? r : 0;
}

/* Negative: the document went away or does not answer. 1: it changed while it was watched. */
static int wait_for_document(struct task *t, struct settle *s, bool touched, usec_t until)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	usec_t now = clock_now();
	int r;

	task_set_deadline(t, MAX(until, now) + LIMIT_BUSY);
	r = frame_script(t, s->frame, &reply, "comeToRest", "{quiet: %d, patience: %f, touched: %i}", QUIET_MSEC,
			 until > now ? (double)(until - now) / USEC_PER_MSEC : 0., touched);
	return r;
}

int settle_wait(struct task *t, struct settle *s, usec_t patience)
{
	usec_t outer = task_deadline(t), until = clock_now() + patience;
	int r;

	do {
		bool any = false;

		r = wait_for_network(t, s);
		if (r < 0 || !page_alive(s->page))
			break;
		if (navigated(s) && s->frame != s->page->main && !s->frame->page)
			break;
		request_open(s, &any);
		r = wait_for_document(t, s, any || has_moved(s), until);
	} while (r == 0 && clock_now() < until && (navigation_open(s) || request_open(s, &(bool){ false })));
	if (r == -ESTALE && page_alive(s->page))
		r = wait_for_network(t, s);
	task_set_deadline(t, outer);
	return ends_waiting(r) ? r : 0;
}

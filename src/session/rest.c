/* Sessions without a call: their pages rest (page/rest.h) until the next one. */
#include "page/rest.h"
#include "session/internal.h"

#define PAUSE_MAX (60 * USEC_PER_SEC) /* timers of pages that wait for hours run once a minute, as in tabs in the background */
#define PAUSE 6                       /* times the time without a call; PAUSE_MAX with the default */

static usec_t rest_after(const struct session *s)
{
	return s->registry ? (usec_t)(s->registry->options->rest_after * USEC_PER_SEC) : 0;
}

/* Somebody may look at the windows of a browser that is not headless, or that another program has started. */
static bool may_be_seen(const struct browser *b)
{
	return browser_attached(b) || !browser_options(b)->start.headless;
}

/* A trace shows what pages did between two calls, too. */
static bool may_rest(const struct session *s)
{
	return s->context && s->browser && !s->sleep && TAILQ_EMPTY(&s->visits) && !s->control.gate.closed && !s->recording.data &&
	       !may_be_seen(s->browser);
}

static void on_rest(void *data)
{
	struct session *s = data;
	struct context *c = NULL;

	if (!may_rest(s))
		return;
	s->rests = true;
	while ((c = session_next_context(s, c)))
		context_rest(c, MIN(PAUSE * rest_after(s), PAUSE_MAX));
}

void session_rest_init(struct session *s)
{
	s->rest = timer_new(s->registry->loop, on_rest, s);
}

void session_rest_later(struct session *s)
{
	usec_t after = rest_after(s);

	if (after && TAILQ_EMPTY(&s->visits))
		timer_set(s->rest, clock_now() + after);
}

void session_stay_awake(struct session *s)
{
	struct context *c = NULL;

	timer_set(s->rest, USEC_NEVER);
	while (s->rests && (c = session_next_context(s, c)))
		context_wake(c);
	s->rests = false;
}

int session_wake(struct task *t, struct session *s)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	bool rested = s->rests;

	session_stay_awake(s);
	if (!rested)
		return 0;
	p = page_ref(session_current_page(s));
	return p ? page_await_awake(t, p) : 0;
}

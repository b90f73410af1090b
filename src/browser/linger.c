#include "browser/linger.h"

#include "browser/internal.h"
#include "browser/matcher.h"

struct linger {
	struct browser *browser;
	struct timer *timer;
	unsigned opening; /* calls that open contexts */
};

static unsigned count_contexts(struct browser *b)
{
	const struct context *c;
	unsigned count = 0;

	for (c = browser_next_context(b, NULL); c; c = browser_next_context(b, (struct context *)c))
		count++;
	return count;
}

bool linger_is_used(const struct linger *l)
{
	return l->opening > 0 || count_contexts(l->browser) > matchers_idle_contexts(l->browser);
}

static void end_unused(void *data)
{
	struct linger *l = data;

	if (browser_running(l->browser) && !linger_is_used(l))
		browser_end(l->browser);
}

struct linger *linger_new(struct browser *b)
{
	struct linger *l = NEW(struct linger);

	l->browser = b;
	l->timer = timer_new(browser_loop(b), end_unused, l);
	return l;
}

struct linger *linger_free(struct linger *l)
{
	timer_free(l->timer);
	free(l);
	return NULL;
}

void linger_begin(struct linger *l)
{
	l->opening++;
	timer_set(l->timer, USEC_NEVER);
}

void linger_end(struct linger *l)
{
	l->opening--;
	linger_look(l);
}

void linger_look(struct linger *l)
{
	const struct browser_options *o = browser_options(l->browser);
	usec_t stays = o->user_data_dir ? 0 : o->linger;

	if (linger_is_used(l))
		return;
	browser_log_no_creation(l->browser);
	if (browser_attached(l->browser))
		return;
	if (stays)
		timer_set(l->timer, clock_now() + stays);
	else
		end_unused(l);
}

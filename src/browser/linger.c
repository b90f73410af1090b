#include "browser/linger.h"

#include "browser/internal.h"

struct linger {
	struct browser *browser;
	struct timer *timer;
	unsigned opening; /* calls that open contexts */
};

bool linger_is_used(const struct linger *l)
{
	return l->opening > 0 || browser_contexts(l->browser)->count > browser_idle_contexts(l->browser);
}

static void end_unused(void *data)
{
	struct linger *l = data;

	if (browser_running(l->browser) && !linger_is_used(l))
		browser_end(l->browser);
}

static void *linger_new(struct browser *b)
{
	struct linger *l = NEW(struct linger);

	l->browser = b;
	l->timer = timer_new(browser_loop(b), end_unused, l);
	return l;
}

static void linger_free(void *part)
{
	struct linger *l = part;

	timer_free(l->timer);
	free(l);
}

const struct browser_part linger_part = { .new = linger_new, .free = linger_free };

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
	usec_t stays = o->start.user_data_dir ? 0 : o->linger;

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

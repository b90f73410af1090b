#include "browser/disposal.h"

#include "browser/internal.h"
#include "engine/context.h"

#define ANSWER_TIMEOUT (5 * USEC_PER_SEC) /* a target that ends before its reply gives none */

struct awaited {
	TAILQ_ENTRY(awaited) link;
	struct disposal *of;
	struct engine_call call;
};

struct disposal {
	TAILQ_ENTRY(disposal) link;
	struct browser *browser;
	struct str id; /* empty until it is known */
	struct timer *timer;
	TAILQ_HEAD(, awaited) awaited;
};

static void disposal_drop(struct awaited *a)
{
	TAILQ_REMOVE(&a->of->awaited, a, link);
	engine_call_done(&a->call);
	free(a);
}

struct disposal *disposal_free(struct disposal *d)
{
	while (!TAILQ_EMPTY(&d->awaited))
		disposal_drop(TAILQ_FIRST(&d->awaited));
	if (engine_id_is_valid(d->id.data))
		engine_dispose_context(browser_root(d->browser), d->id.data);
	TAILQ_REMOVE(&browser_contexts(d->browser)->disposals, d, link);
	timer_free(d->timer);
	str_done(&d->id);
	free(d);
	return NULL;
}

static void disposal_on_timer(void *data)
{
	disposal_free(data);
}

static void disposal_on_reply(struct engine_call *call, void *data)
{
	struct awaited *a = data;
	struct disposal *d = a->of;
	const char *id;

	if (!d->id.len && engine_created_context(NULL, call, &id) == 0)
		str_append(&d->id, id);
	disposal_drop(a);
	if (TAILQ_EMPTY(&d->awaited))
		timer_set(d->timer, clock_now());
}

struct disposal *disposal_new(struct browser *b, const char *id)
{
	struct disposal *d = NEW(struct disposal);

	d->browser = b;
	d->timer = timer_new(browser_loop(b), disposal_on_timer, d);
	str_append(&d->id, id);
	TAILQ_INIT(&d->awaited);
	TAILQ_INSERT_TAIL(&browser_contexts(b)->disposals, d, link);
	return d;
}

void disposal_await(struct disposal *d, struct engine_call *call)
{
	struct awaited *a = NEW(struct awaited);

	a->of = d;
	TAILQ_INSERT_TAIL(&d->awaited, a, link);
	engine_outlive(call, &a->call, disposal_on_reply, a);
}

void disposal_begin(struct disposal *d)
{
	if (TAILQ_EMPTY(&d->awaited))
		disposal_free(d);
	else
		timer_set(d->timer, clock_now() + ANSWER_TIMEOUT);
}

void disposal_of_late(struct browser *b, struct engine_call *call)
{
	disposal_await(disposal_new(b, ""), call);
}

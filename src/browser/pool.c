#include "browser/pool.h"

#include <errno.h>
#include <string.h>
#include <sys/queue.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/internal.h"
#include "browser/matcher.h"
#include "engine/features.h"

#define SESSION_PLACEHOLDER "{session}"
#define REST_FIRST (250 * USEC_PER_MSEC) /* after the first failure in a row; each further one doubles it */
#define REST_MAX (300 * USEC_PER_SEC)
#define REST_FACTOR 4 /* a browser that fails slowly rests this many times as long as its failure took */
/* Between looks whether a browser that a session has left is still in use, which it rarely is; each wait is twice the one before. */
#define END_WAIT (10 * USEC_PER_MSEC)
#define END_WAIT_MAX USEC_PER_SEC

/* An address of the options, and how the last attempts there went. */
struct place {
	const char *address;
	struct browser *browser;     /* of all sessions; NULL: each session has one */
	unsigned sessions, failures; /* `failures`: in a row */
	usec_t rests_until;
	bool may_pass;          /* another attempt may succeed */
	struct failure failure; /* code 0: of the last attempt nothing is known */
};

/* A browser of one session. */
struct own {
	TAILQ_ENTRY(own) link;
	struct pool *pool;
	struct place *place;
	struct browser *browser;
	struct timer *end; /* set when the session has left */
	usec_t wait;       /* before the next look */
};

struct pool {
	struct loop *loop;
	struct browser *first, *second;
	struct place *places;
	size_t count; /* 0: `first` is the only browser */
	TAILQ_HEAD(, own) own;
	struct waitq changed;  /* a session has left */
	unsigned ended_starts; /* of browsers that have been freed */
};

struct pool *pool_new(struct loop *l, struct browser *first, struct browser *second)
{
	const struct browser_options *o = browser_options(first);
	struct pool *p = NEW(struct pool);
	size_t count = 0;

	*p = (struct pool){ .loop = l, .first = first, .second = second };
	TAILQ_INIT(&p->own);
	waitq_init(&p->changed);
	while (o->endpoints && o->endpoints[count])
		count++;
	if (count < 2 && !o->per_session)
		return p;
	p->count = MIN(count, (size_t)LIMIT_ENDPOINTS_COUNT);
	p->places = must(calloc(p->count, sizeof(*p->places)));
	for (size_t i = 0; i < p->count; i++) {
		p->places[i].address = o->endpoints[i];
		if (!o->per_session)
			p->places[i].browser = i ? browser_new_beside(first, o->endpoints[i], false) : first;
	}
	return p;
}

struct browser *pool_second(const struct pool *p)
{
	return p->second;
}

const struct browser_options *pool_options(const struct pool *p, bool second)
{
	return browser_options(second && p->second ? p->second : p->first);
}

void pool_set_proxy(struct pool *p, const char *proxy)
{
	browser_set_proxy(p->first, proxy);
	if (p->second)
		browser_set_proxy(p->second, proxy);
}

bool pool_is_spread(const struct pool *p)
{
	return p->count > 0;
}

static void free_own(struct own *own)
{
	struct pool *p = own->pool;

	TAILQ_REMOVE(&p->own, own, link);
	p->ended_starts += browser_starts(own->browser);
	browser_free(own->browser);
	timer_free(own->end);
	free(own);
}

struct pool *pool_free(struct pool *p)
{
	if (!p)
		return NULL;
	while (!TAILQ_EMPTY(&p->own))
		free_own(TAILQ_FIRST(&p->own));
	for (size_t i = 0; i < p->count; i++) {
		if (p->places[i].browser != p->first)
			browser_free(p->places[i].browser);
		failure_done(&p->places[i].failure);
	}
	free(p->places);
	free(p);
	return NULL;
}

/* ---- browsers of one session ---- */

/*
 * The only session of the browser has left it. Whether it can be freed; if not, it is used for little longer. Calls that search with
 * regular expressions may be of other sessions, and take long; they do not keep the connection.
 */
static bool is_left(struct browser *b)
{
	if (!TAILQ_EMPTY(&browser_contexts(b)->disposals))
		return false;
	if (!matchers_are_used(b))
		return true;
	browser_leave(b, "its session has ended");
	return false;
}

static void on_end(void *data)
{
	struct own *own = data;
	struct pool *p = own->pool;

	if (!is_left(own->browser)) {
		timer_set(own->end, clock_now() + own->wait);
		own->wait = MIN(own->wait * 2, END_WAIT_MAX);
		return;
	}
	free_own(own);
	waitq_wake(&p->changed);
}

/* The id goes into an address that others read, so only what has no meaning there stays as it is (RFC 3986, section 2.3). */
static void append_encoded(struct str *out, const char *text)
{
	for (; *text; text++)
		if (strchr("-._~", *text) || (*text >= '0' && *text <= '9') || ((*text | 32) >= 'a' && (*text | 32) <= 'z'))
			str_append_char(out, *text);
		else
			str_appendf(out, "%%%02X", (unsigned char)*text);
}

bool pool_is_template(const char *address)
{
	return strstr(address, SESSION_PLACEHOLDER);
}

void pool_expand(const char *address, const char *session_id, struct str *out)
{
	for (const char *at; (at = strstr(address, SESSION_PLACEHOLDER)); address = at + strlen(SESSION_PLACEHOLDER)) {
		str_append_len(out, address, (size_t)(at - address));
		append_encoded(out, session_id);
	}
	str_append(out, address);
}

static struct own *new_own(struct pool *p, struct place *place, const char *session_id)
{
	_cleanup_(str_done) struct str address = {};
	struct own *own = NEW(struct own);

	pool_expand(place->address, session_id, &address);
	*own = (struct own){ .pool = p, .place = place, .wait = END_WAIT };
	own->browser = browser_new_beside(p->first, address.data, true);
	own->end = timer_new(p->loop, on_end, own);
	TAILQ_INSERT_TAIL(&p->own, own, link);
	return own;
}

static struct own *find_own(const struct pool *p, const struct browser *b)
{
	struct own *own;

	TAILQ_FOREACH(own, &p->own, link)
		if (own->browser == b)
			return own;
	return NULL;
}

static struct place *pool_place_of(const struct pool *p, const struct browser *b)
{
	const struct own *own = find_own(p, b);

	for (size_t i = 0; i < p->count; i++)
		if (p->places[i].browser == b)
			return &p->places[i];
	return own ? own->place : NULL;
}

void pool_leave(struct pool *p, struct browser *b)
{
	struct place *place = pool_place_of(p, b);
	struct own *own = find_own(p, b);

	if (!place)
		return;
	place->sessions--;
	if (own) /* perhaps because it has just died: it is freed from the loop */
		timer_set(own->end, clock_now());
	else
		waitq_wake(&p->changed);
}

/* ---- the choice ---- */

/* The session that is to get a browser. */
struct entrant {
	struct pool *pool;
	const char *session_id;
	bool own_context;
	uint64_t tried, refused; /* places of this round, and those where further attempts are in vain, by bit */
};

static bool is_taken(const struct entrant *e, const struct place *place)
{
	return e->own_context && place->browser && browser_own_context_taken(place->browser);
}

/* Whether `a` is the better place. */
static bool is_better(const struct entrant *e, const struct place *a, const struct place *b)
{
	bool a_rests = a->rests_until > clock_now(), b_rests = b->rests_until > clock_now();

	if (a_rests != b_rests)
		return b_rests;
	if (is_taken(e, a) != is_taken(e, b))
		return is_taken(e, b);
	return a->sessions < b->sessions;
}

/* The best place that was not tried in this round; NULL: all were. */
static struct place *pool_choose(struct entrant *e)
{
	struct pool *p = e->pool;
	struct place *best = NULL;

	for (size_t i = 0; i < p->count; i++)
		if (!((e->tried | e->refused) & 1ull << i) && (!best || is_better(e, &p->places[i], best)))
			best = &p->places[i];
	if (best)
		e->tried |= 1ull << (best - p->places);
	return best;
}

static void pool_note_failure(struct place *place, const struct browser *b, usec_t took)
{
	struct browser_failure f = browser_failure(b);
	usec_t rest = REST_FIRST << MIN(place->failures, 12u);

	place->failures++;
	place->may_pass = f.may_pass;
	rest = MAX(rest, took * REST_FACTOR);
	rest = MAX(rest, f.retry_after);
	place->rests_until = clock_now() + MIN(rest, REST_MAX);
	failure_copy(&place->failure, f.failure);
}

/* Whether the call can wait for nothing more. */
static bool is_over(const struct task *t)
{
	return task_cancelled(t) || clock_now() >= task_deadline(t);
}

bool pool_lost(struct pool *p, struct browser *b, int r, usec_t took)
{
	struct place *place = pool_place_of(p, b);

	if (!place || (r != -ENOTCONN && browser_running(b)))
		return false;
	pool_note_failure(place, b, took);
	return true;
}

static int try_place(struct task *t, struct entrant *e, struct place *place, struct browser **ret)
{
	struct own *own = place->browser ? NULL : new_own(e->pool, place, e->session_id);
	struct browser *b = own ? own->browser : place->browser;
	usec_t began = clock_now();
	int r;

	place->sessions++;
	r = browser_ensure(t, b);
	if (r == 0) {
		place->failures = 0;
		place->rests_until = 0;
		*ret = b;
		return 0;
	}
	if (!is_over(t))
		pool_note_failure(place, b, clock_now() - began);
	place->sessions--;
	if (own)
		free_own(own);
	return r;
}

/* Tries all places once, the best ones first. */
static int try_round(struct task *t, struct entrant *e, struct browser **ret)
{
	struct place *place;
	int r = -ENOENT;

	e->tried = 0;
	while (r < 0 && !is_over(t) && (place = pool_choose(e))) {
		r = try_place(t, e, place, ret);
		if (r < 0 && !place->may_pass)
			e->refused |= 1ull << (place - e->pool->places);
	}
	return r;
}

/* When the first place has rested; USEC_NEVER: none is to be tried again. */
static usec_t next_round(const struct entrant *e)
{
	usec_t next = USEC_NEVER;

	for (size_t i = 0; i < e->pool->count; i++)
		if (!(e->refused & 1ull << i))
			next = MIN(next, e->pool->places[i].rests_until);
	return next;
}

static int pool_fail(struct task *t, const struct pool *p)
{
	_cleanup_(str_done) struct str all = {};

	if (p->count == 1)
		return task_wrap(t, task_fail_of(t, &p->places[0].failure), -ERR_BROWSER_ERROR, "", "");
	for (size_t i = 0; i < p->count; i++)
		str_appendf(&all, "\n%s", str_text(&p->places[i].failure.text));
	return task_fail(t, -ERR_BROWSER_ERROR, "none of the %zu browsers of %s can be used now:%s", p->count,
			 browser_options(p->first)->names.endpoint, all.data);
}

/* Until a place has rested or a session has left one. */
static int await_round(struct task *t, struct pool *p, usec_t at)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), at));
	int r = waitq_wait(t, &p->changed, "a browser elsewhere");

	task_set_deadline(t, outer);
	return r == -ETIMEDOUT && clock_now() < outer ? 0 : r;
}

int pool_enter(struct task *t, struct pool *p, const char *session_id, bool own_context, struct browser **ret)
{
	struct entrant e = { .pool = p, .session_id = session_id, .own_context = own_context };
	usec_t limit = browser_options(p->first)->endpoint_timeout, end = limit ? clock_now() + limit : USEC_NEVER, next;
	int r;

	if (p->count == 0) {
		*ret = p->first;
		return 0;
	}
	while ((r = try_round(t, &e, ret)) < 0 && !is_over(t)) {
		next = next_round(&e);
		if (next >= end)
			return pool_fail(t, p);
		r = await_round(t, p, next);
		if (r < 0)
			break;
	}
	return r;
}

/* ---- all of them ---- */

/* NULL: the first, and after the last one. */
static struct browser *pool_next(const struct pool *p, const struct browser *after)
{
	struct own *own = after ? find_own(p, after) : NULL;
	size_t i = 0;

	if (!after)
		return p->second ? p->second : p->first;
	if (after == p->second)
		return p->first;
	if (own) {
		own = TAILQ_NEXT(own, link);
		return own ? own->browser : NULL;
	}
	while (i < p->count && p->places[i].browser != after)
		i++;
	if (i + 1 < p->count && p->places[i + 1].browser)
		return p->places[i + 1].browser;
	own = TAILQ_FIRST(&p->own);
	return own ? own->browser : NULL;
}

unsigned pool_running(const struct pool *p)
{
	const struct browser *b = NULL;
	unsigned count = 0;

	while ((b = pool_next(p, b)))
		count += browser_running(b);
	return count;
}

unsigned pool_empty_memory(const struct pool *p)
{
	const struct browser *b = NULL;
	unsigned sum = 0;

	while ((b = pool_next(p, b)))
		sum += browser_has_process(b) ? engine_empty_memory(&browser_options(b)->start) : 0;
	return sum;
}

unsigned pool_starts(const struct pool *p)
{
	const struct browser *b = NULL;
	unsigned count = p->ended_starts;

	while ((b = pool_next(p, b)))
		count += browser_starts(b);
	return count;
}

void pool_kill(struct pool *p)
{
	struct browser *b = NULL;

	while ((b = pool_next(p, b)))
		browser_kill(b);
}

#include "browser/matcher.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/internal.h"
#include "browser/linger.h"
#include "engine/script.h"
#include "scripts/scripts.h"

/* How long browserd waits beyond the limit that the browser enforces: the reply may queue behind events. */
#define STOP_GRACE (10 * USEC_PER_SEC)
#define IDLE_TIME (30 * USEC_PER_SEC) /* how long an open page is kept for the next call of its owner */

struct matcher {
	TAILQ_ENTRY(matcher) link;
	struct browser *browser;
	uint64_t owner;
	unsigned refs;
	struct timer *idle; /* set while there are no references */
	bool searching;     /* a task opens the page or searches */
	struct waitq changed;
	_kept_ struct context *context; /* NULL: not open */
	_kept_ struct page *page;
};

/* One for each owner, those that have been unused for the longest time first. */
struct matchers {
	TAILQ_HEAD(matcher_list, matcher) list;
};

static struct matcher *matcher_find(struct browser *b, uint64_t owner)
{
	struct matcher *m;

	TAILQ_FOREACH(m, &browser_matchers(b)->list, link)
		if (m->owner == owner)
			return m;
	return NULL;
}

static void close_page(struct matcher *m)
{
	page_unref(m->page);
	m->page = NULL;
	m->context = context_free(m->context);
}

static void free_unused(struct matcher *m)
{
	TAILQ_REMOVE(&browser_matchers(m->browser)->list, m, link);
	close_page(m);
	timer_free(m->idle);
	free(m);
}

static void on_idle(void *data)
{
	free_unused(data);
}

static struct matcher *new_matcher(struct browser *b, uint64_t owner)
{
	struct matcher *m = NEW(struct matcher);

	m->browser = b;
	m->owner = owner;
	m->idle = timer_new(browser_loop(b), on_idle, m);
	waitq_init(&m->changed);
	TAILQ_INSERT_TAIL(&browser_matchers(b)->list, m, link);
	return m;
}

struct matcher *matcher_ref(struct browser *b, uint64_t owner)
{
	struct matcher *m = matcher_find(b, owner);

	if (!m)
		m = new_matcher(b, owner);
	timer_set(m->idle, USEC_NEVER);
	m->refs++;
	return m;
}

/* Frees the matchers that have been unused for the longest time, all but `max`. The list has them in the order of their last use. */
static void free_idle(struct matchers *all, unsigned max)
{
	struct matcher *m, *next;
	unsigned count = 0;

	TAILQ_FOREACH(m, &all->list, link)
		count += m->refs == 0;
	for (m = TAILQ_FIRST(&all->list); m && count > max; m = next) {
		next = TAILQ_NEXT(m, link);
		if (m->refs > 0)
			continue;
		free_unused(m);
		count--;
	}
}

struct matcher *matcher_unref(struct matcher *m)
{
	struct browser *b = m ? m->browser : NULL;

	if (!m || --m->refs > 0)
		return NULL;
	if (!m->page) {
		free_unused(m);
		return NULL;
	}
	TAILQ_REMOVE(&browser_matchers(b)->list, m, link);
	TAILQ_INSERT_TAIL(&browser_matchers(b)->list, m, link);
	timer_set(m->idle, clock_now() + IDLE_TIME);
	free_idle(browser_matchers(b), LIMIT_REGEX_IDLE_COUNT);
	linger_look(browser_linger(b));
	return NULL;
}

static void *matchers_new(struct browser *b)
{
	struct matchers *all = NEW(struct matchers);

	TAILQ_INIT(&all->list);
	return all;
}

/* No references are left. */
static void matchers_close(void *part)
{
	free_idle(part, 0);
}

bool matchers_are_used(struct browser *b)
{
	const struct matcher *m;

	TAILQ_FOREACH(m, &browser_matchers(b)->list, link)
		if (m->refs > 0)
			return true;
	return false;
}

static unsigned idle_contexts(void *part)
{
	struct matchers *all = part;
	struct matcher *m;
	unsigned count = 0;

	TAILQ_FOREACH(m, &all->list, link)
		count += m->refs == 0 && m->context && context_browser(m->context);
	return count;
}

const struct browser_part matchers_part = {
	.new = matchers_new, .idle_contexts = idle_contexts, .closing = matchers_close, .free = free
};

void matcher_add(struct matcher_texts *texts, uint64_t number, const char *text, size_t len)
{
	str_append_char(&texts->json, texts->json.len ? ',' : '[');
	str_appendf(&texts->json, "[%llu,", (unsigned long long)number);
	str_append_quoted(&texts->json, text, len);
	str_append_char(&texts->json, ']');
}

bool matcher_is_full(const struct matcher_texts *texts)
{
	return texts->json.len >= LIMIT_REGEX_TEXTS;
}

static int matcher_begin_search(struct task *t, struct matcher *m)
{
	int r = 0;

	while (r == 0 && m->searching)
		r = waitq_wait(t, &m->changed, "the search before this one");
	if (r == 0)
		m->searching = true;
	return r;
}

static void leave(struct matcher *m)
{
	m->searching = false;
	waitq_wake(&m->changed);
}

static int matcher_open_page(struct task *t, struct matcher *m)
{
	int r;

	if (m->page && page_alive(m->page))
		return 0;
	close_page(m);
	r = context_new_offline(t, m->browser, &(const struct context_plan){ .proxy = PROXY_TO_NOWHERE }, &m->context);
	if (r == 0)
		r = context_open_page(t, m->context, &m->page);
	if (r == 0)
		context_seal(m->context);
	return r;
}

static int evaluate(struct task *t, struct matcher *m, const struct matcher_regex *regex, const struct matcher_texts *texts,
		    struct json **ret)
{
	_cleanup_(str_done) struct str expression = {};
	struct script_outcome outcome;
	int r;

	str_append(&expression, matching_texts_script);
	str_append_char(&expression, '(');
	str_append_quoted(&expression, regex->text, strlen(regex->text));
	str_appendf(&expression, ", %s])", texts->json.len ? texts->json.data : "[");
	r = engine_compute(t, page_target(m->page), expression.data, LIMIT_REGEX_TIME / USEC_PER_MSEC, &outcome);
	*ret = outcome.value;
	return r;
}

static int fail_slow(struct task *t, const struct matcher_regex *regex)
{
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "%s: the search with \"%.200s\" took longer than %llu ms or too much memory and was stopped; nested "
			 "repetitions such as (a+)+ and several .* in a row are slow",
			 regex->parameter, regex->text, (unsigned long long)LIMIT_REGEX_TIME / USEC_PER_MSEC);
}

/* -EREMOTE means that the browser stopped the expression after LIMIT_REGEX_TIME: the page contains nothing else that could fail. */
static int matcher_search_texts(struct task *t, struct matcher *m, const struct matcher_regex *regex,
				const struct matcher_texts *texts, struct json **ret)
{
	usec_t outer = task_deadline(t), limit = clock_now() + LIMIT_REGEX_TIME + STOP_GRACE;
	int r;

	task_set_deadline(t, MIN(outer, limit));
	r = evaluate(t, m, regex, texts, ret);
	task_set_deadline(t, outer);
	if (r == -EREMOTE || (r == -ETIMEDOUT && limit < outer) || (r == -ESTALE && page_crashed(m->page)))
		return fail_slow(t, regex);
	return r;
}

/* After a failure the search may still run, so the page is closed. */
static int search_in_turn(struct task *t, struct matcher *m, const struct matcher_regex *regex, const struct matcher_texts *texts,
			  struct json **ret)
{
	int r;

	r = matcher_begin_search(t, m);
	if (r < 0)
		return r;
	r = matcher_open_page(t, m);
	if (r == 0)
		r = matcher_search_texts(t, m, regex, texts, ret);
	if (r < 0)
		close_page(m);
	leave(m);
	return r;
}

int matcher_search(struct task *t, struct matcher *m, const struct matcher_regex *regex, const struct matcher_texts *texts,
		   struct json **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	r = search_in_turn(t, m, regex, texts, &value);
	if (r < 0)
		return r;
	if (json_str(value, NULL))
		return task_fail(t, -ERR_INVALID_REGEX,
				 "%s: %s. Write a JavaScript regular expression, such as ready in \\d+ ms, or /ready/i with flags",
				 regex->parameter, json_str(value, NULL));
	if (json_type(value) != JSON_ARRAY) /* an exception: the engine ran out of memory or stack */
		return fail_slow(t, regex);
	*ret = TAKE_PTR(value);
	return 0;
}

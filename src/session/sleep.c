/*
 * Sessions that sleep, because others need their memory: the pages are closed, the context with its cookies and storage stays. What brings
 * the pages back is kept in this process, and cookies and storage as well, for the case that the browser ends meanwhile. The next call that
 * enters the session wakes it. What was typed into fields never leaves this file and
 * sleep_kept.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/archive.h"
#include "browser/downloads.h"
#include "browser/kept_page.h"
#include "browser/recording.h"
#include "browser/storage.h"
#include "browser/videos.h"
#include "page/modal.h"
#include "page/navigate.h"
#include "page/overrides.h"
#include "page/rest.h"
#include "page/webmcp.h"
#include "session/internal.h"
#include "session/sleep_kept.h"

#define ASK_TIME (3 * USEC_PER_SEC)   /* in which the pages of a session must say whether they want to stay */
#define STAY_TIME (10 * USEC_PER_SEC) /* for which a session is left alone whose pages did, or that could not be kept */

/* ---- which sessions may sleep ---- */

static const char *page_refusal(const struct page *p)
{
	if (page_blocked(p))
		return "a page shows a dialog";
	if (page_navigating(p) || page_loading(p))
		return "a page is loading";
	if (page_tool_count(p))
		return "a page offers tools";
	if (page_has_own_settings(p))
		return "a page has routes or scripts of its own";
	if (page_is_held_awake(p))
		return "a page is observed";
	return NULL;
}

static bool emulates_media(const struct session *s)
{
	const struct tab *tab;

	TAILQ_FOREACH(tab, &s->tabs.list, link)
		for (size_t i = 0; i < TAB_MEDIA_COUNT; i++)
			if (tab->media[i])
				return true;
	return false;
}

static bool is_recorded(const struct session *s)
{
	return s->recording.data || context_is_recording(s->context) || context_video_files(s->context) ||
	       context_has_archive(s->context);
}

/* But for calls on it. */
static const char *refusal(const struct session *s)
{
	const char *why = NULL;
	struct page *p = NULL;

	if (!s->created || !s->context || !s->browser || s->restoring)
		return "it has no pages";
	if (s->sleep)
		return "it sleeps";
	if (s->own && s->registry->options->persistent)
		return "it works in the profile";
	if (browser_attached(s->browser))
		return "its browser was not started here";
	if (s->plan.ended)
		return "it has a server";
	if (s->isolated_count)
		return "it has isolated contexts";
	if (is_recorded(s))
		return "it is recorded";
	if (context_downloads_since(s->context, 0))
		return "a download is under way";
	if (emulates_media(s))
		return "it emulates media";
	while (!why && (p = context_next_page(s->context, p)))
		why = page_refusal(p);
	return why;
}

const char *sleep_refusal(const struct session *s)
{
	if (session_busy(s))
		return "a call runs or waits";
	if (s->control.gate.closed)
		return "a person has control";
	if (user_requests_attended(s))
		return "a person is asked for";
	if (clock_now() < s->stays_until)
		return "its pages ask to stay, or do not answer";
	return refusal(s);
}

/* Suspends. A page that does not answer stays as well. */
static const char *ask_pages(struct task *t, struct session *s)
{
	usec_t until = clock_now() + ASK_TIME;
	struct tab *tab;

	session_update_tabs(s);
	for (unsigned i = 0; (tab = tabs_nth(&s->tabs, i)); i++) {
		_cleanup_(page_unrefp) struct page *p = page_ref(tab->page);
		bool stays = false;

		if (!page_alive(p))
			continue;
		if (page_asks_to_stay(t, p, until, &stays) < 0)
			return "a page does not answer";
		if (stays)
			return "a page asks to stay (beforeunload)";
	}
	return NULL;
}

/* ---- falling asleep ---- */

static bool others_wait(const struct session *s)
{
	return TAILQ_NEXT(TAILQ_FIRST(&s->visits), link);
}

static void name_page(struct sleep *k, const struct json *pages)
{
	unsigned current = (unsigned)json_num(pages, "current", 0), at = 0;

	json_foreach(page, json_member(pages, "pages"))
		if (at++ == current && !k->url) {
			k->url = must(strdup(json_text(page, "url")));
			k->title = must(strdup(json_text(page, "title")));
		}
	if (!k->url) {
		k->url = must(strdup("about:blank"));
		k->title = must(strdup(""));
	}
}

/* Of a list, or of the members of an object. NULL: it cannot be read. */
static struct json *sleep_parse(const struct str *text, const char *open, const char *close)
{
	_cleanup_(str_done) struct str whole = {};
	struct json *value = NULL;

	str_appendf(&whole, "%s%s%s", open, str_text(text), close);
	if (json_parse(whole.data, whole.len, JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &value) < 0)
		return NULL;
	return value;
}

/* Storage serves only if the browser ends, so a session sleeps without it if it is too much. */
static bool fits(const struct registry *r, struct sleep *k)
{
	sleep_pack(k);
	if (k->bytes > LIMIT_SLEEP) {
		sleep_text_done(&k->storage);
		k->storage = (struct sleep_text){};
		str_json(&k->storage.text, "noStorage: 'tooMuch', leftOut: [], state: {cookies: [], origins: []}");
		sleep_pack(k);
	}
	return k->bytes <= LIMIT_SLEEP && r->sleeper->kept + k->bytes <= LIMIT_SLEEP_ALL;
}

static int sleep_keep(struct task *t, struct session *s, struct sleep **ret)
{
	_cleanup_(sleep_freep) struct sleep *k = NEW(struct sleep);
	_cleanup_(json_freep) struct json *pages = NULL;
	int r;

	session_update_tabs(s);
	r = saved_keep_storage(t, s, &k->storage.text);
	if (r == 0)
		r = saved_keep_pages(t, s, &k->pages.text, &k->fields.text);
	if (r < 0 || !s->registry)
		return r < 0 ? r : -ECANCELED;
	pages = sleep_parse(&k->pages.text, "{", "}");
	if (!pages)
		return -EMSGSIZE;
	name_page(k, pages);
	if (!fits(s->registry, k))
		return -EMSGSIZE;
	*ret = TAKE_PTR(k);
	return 0;
}

static void close_pages(struct session *s)
{
	context_close_pages(s->context);
	session_update_tabs(s);
	cursors_done(&s->tabs.cursors);
}

/* Returns why the session stays awake, NULL when it sleeps. */
static const char *put_to_sleep(struct task *t, struct session *s)
{
	_cleanup_(sleep_freep) struct sleep *k = NULL;
	const char *why = refusal(s);
	int r;

	if (!why)
		why = ask_pages(t, s);
	if (why || task_cancelled(t))
		return why ? why : "it has ended";
	r = sleep_keep(t, s, &k);
	if (r < 0)
		return r == -EMSGSIZE ? "what would be kept of it is too large" : "it cannot be kept";
	if (others_wait(s))
		return "a call waits";
	if (s->control.gate.closed)
		return "a person has control";
	why = refusal(s); /* pages may have changed while they were kept */
	if (why)
		return why;
	close_pages(s);
	s->sleep = TAKE_PTR(k);
	if (s->takes_memory_since != USEC_NEVER)
		s->sleeps_since = clock_now();
	s->takes_memory_since = 0;
	s->registry->sleeper->kept += s->sleep->bytes;
	return NULL;
}

static int sleeper_run(struct task *t, void *data)
{
	const struct sleeper *sleeper = data;
	_cleanup_(session_leave_as_isp) struct session *s = NULL;
	const char *why;
	int r;

	if (!registry_find(sleeper->registry, sleeper->owner, sleeper->id))
		return 0;
	r = session_enter_as_is(t, sleeper->registry, sleeper->owner, sleeper->id, &s);
	if (r < 0)
		return r;
	why = put_to_sleep(t, s);
	if (!why)
		log_info("session %s sleeps, of which %zu bytes are kept", s->id, s->sleep->bytes);
	else if (s->registry)
		log_info("session %s cannot sleep: %s", s->id, why);
	if (why)
		s->stays_until = clock_now() + STAY_TIME;
	return 0;
}

static void sleeper_done(struct task *t, int r, void *data)
{
	struct sleeper *sleeper = data;

	sleeper->task = NULL;
	waitq_wake(&sleeper->done);
}

/* ---- which session ---- */

static int by_owner_and_use(const void *a, const void *b)
{
	const struct session *const *x = a, *const *y = b;
	uint64_t one = session_memory_owner(*x), other = session_memory_owner(*y);

	if (one != other)
		return one < other ? -1 : 1;
	return ((*x)->used_at > (*y)->used_at) - ((*x)->used_at < (*y)->used_at);
}

/* Those that are awake, `ret_count` of them. To be freed. */
static struct session **list_awake(const struct registry *r, size_t *ret_count)
{
	struct session **list = must(calloc(r->count + 1, sizeof(*list))), *s;
	size_t n = 0;

	TAILQ_FOREACH(s, &r->sessions, link)
		if (s->takes_memory_since && n < r->count)
			list[n++] = s;
	*ret_count = n;
	return list;
}

/* How many sessions at the beginning of the list have the same owner. */
static size_t count_of_one_owner(struct session *const *list, size_t count)
{
	size_t n = 1;

	while (n < count && session_memory_owner(list[n]) == session_memory_owner(list[0]))
		n++;
	return n;
}

static struct session *first_that_may_sleep(struct session *const *list, size_t count, usec_t unused_since)
{
	for (size_t i = 0; i < count; i++)
		if (list[i]->worked <= unused_since && !sleep_refusal(list[i]))
			return list[i];
	return NULL;
}

/*
 * One of the owner that has most, or none: otherwise one owner's sessions, in use all the time, would take the memory of those of others, which
 * rest now and then.
 */
static struct session *sleep_choose(const struct registry *r, usec_t unused_since)
{
	struct session *oldest = NULL, *s, **theirs = NULL;
	size_t count, of_owner, most = 0;
	_cleanup_(freep) struct session **list = list_awake(r, &count);

	qsort(list, count, sizeof(*list), by_owner_and_use);
	for (size_t i = 0; i < count; i += of_owner) {
		of_owner = count_of_one_owner(list + i, count - i);
		s = of_owner >= most ? first_that_may_sleep(list + i, of_owner, USEC_NEVER) : NULL;
		if (!s || (of_owner == most && s->used_at > oldest->used_at))
			continue;
		oldest = s;
		theirs = list + i;
		most = of_owner;
	}
	return first_that_may_sleep(theirs, most, unused_since);
}

bool sleep_begin(struct registry *r, usec_t unused_since)
{
	struct session *s = r->sleeper->task ? NULL : sleep_choose(r, unused_since);

	if (!s)
		return false;
	r->sleeper->owner = s->owner;
	memcpy(r->sleeper->id, s->id, sizeof(s->id));
	return task_start(r->loop, "sleep", sleeper_run, sleeper_done, r->sleeper, &r->sleeper->task) == 0;
}

void sleep_init(struct registry *r)
{
	r->sleeper = NEW(struct sleeper);
	r->sleeper->registry = r;
	waitq_init(&r->sleeper->done);
}

void sleep_done(struct registry *r)
{
	if (r->sleeper->task)
		task_cancel(r->sleeper->task, -ECANCELED, "the server is shutting down");
	while (r->sleeper->task) /* it uses the browsers, which end after the sessions */
		loop_step(r->loop);
	free(r->sleeper);
}

/* ---- waking ---- */

void sleep_browser_died(struct session *s)
{
	s->sleep->lost = true;
	if (TAILQ_EMPTY(&s->visits)) /* else sleep_wake() uses it, and does this */
		session_drop_context(s);
}

static void sleep_announce(struct session *s, const struct json *storage, const struct brought_back *back)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(
		&text,
		"This session was restored after sleep: refs are new. Its pages had been closed because memory was short (%s), and "
		"were loaded anew. What their scripts kept in memory (forms that they made, WebSockets) is gone",
		s->registry->options->names.max_memory);
	if (storage)
		str_appendf(&text, ". The browser ended meanwhile: %s as they were", saved_storage_words(storage));
	json_foreach(origin, json_member(storage, "leftOut"))
		str_appendf(&text, ", but for some databases of %.200s", json_text(origin, "origin"));
	if (back->missing_fields)
		str_appendf(&text, ". Of the fields that were filled, %u could not be filled again", back->missing_fields);
	if (back->failed.len)
		str_appendf(&text, ". These pages did not load: %s", back->failed.data);
	context_announce(s->context, text.data);
}

/* In the context that the session has kept, or in a new one after the end of the browser. */
static int sleep_bring_back(struct task *t, struct session *s)
{
	_cleanup_(json_freep) struct json *pages = sleep_parse(&s->sleep->pages.text, "{", "}"), *storage = NULL;
	_cleanup_(json_freep) struct json *fields = sleep_parse(&s->sleep->fields.text, "[", "]");
	_cleanup_(brought_back_done) struct brought_back back = {};
	bool lost = s->sleep->lost;
	int r = 0;

	if (s->context && !context_browser(s->context))
		session_drop_context(s);
	if (lost)
		storage = sleep_parse(&s->sleep->storage.text, "{", "}");
	if (!s->context)
		r = session_create_context(t, s);
	if (r == 0 && json_member(storage, "state"))
		r = storage_replace(t, s->context, json_member(storage, "state"));
	if (r == 0)
		r = saved_bring_back_pages(t, s, pages, fields, &back);
	if (r == 0 && !s->registry)
		r = -ESTALE;
	if (r == 0)
		sleep_announce(s, storage, &back);
	return r;
}

/* The session sleeps on as before, without what was opened of it. */
static void fall_asleep_again(struct session *s)
{
	if (s->context)
		close_pages(s);
	if (s->sleep->lost || (s->context && !context_browser(s->context)))
		session_drop_context(s);
	sleep_pack(s->sleep);
	s->sleeps_since = clock_now();
}

static int fail_asleep(struct task *t, const struct session *s, int r)
{
	if (r == -ECANCELED || !s->registry)
		return r;
	return task_wrap(t, r, -ERR_BROWSER_ERROR,
			 arena_printf(task_arena(t), "session %s sleeps, and its pages cannot be brought back: ", s->id),
			 "; it is not lost: call again");
}

int sleep_wake(struct task *t, struct session *s)
{
	size_t bytes = s->sleep->bytes;
	int r;

	sleep_text_unpack(&s->sleep->storage);
	sleep_text_unpack(&s->sleep->pages);
	sleep_text_unpack(&s->sleep->fields);
	r = sleep_bring_back(t, s);
	if (s->registry)
		s->registry->sleeper->kept -= bytes;
	if (r < 0) {
		fall_asleep_again(s);
		if (s->registry)
			s->registry->sleeper->kept += s->sleep->bytes;
		return fail_asleep(t, s, r);
	}
	log_info("session %s has woken", s->id);
	s->sleep = sleep_free(s->sleep);
	return 0;
}

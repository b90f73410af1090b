#include "session/observation.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/share.h"
#include "page/rest.h"
#include "session/observation_internal.h"

#define SHOWN 100 /* bytes of the id of a target that a client gave */

struct observation {
	TAILQ_ENTRY(observation) link;
	struct observers *observers;
	uint64_t owner;               /* who observes; no other owner may read the events */
	_kept_ struct page *page;     /* holds a reference */
	_nullable_ struct port *port; /* NULL: a page of a session, or detached */
	unsigned watchers;
	bool holds;       /* the page, awake */
	uint64_t until;   /* OBSERVED_NONE while there are watchers; events from there on are not readable */
	uint64_t cleared; /* those below are not readable */
	bool workers, frames;
	size_t buffer_size;
	usec_t ttl, added; /* `added`: when the last event came */
	struct journal_filter filter;
	struct arena filter_texts;
	struct timer *expiry;
	struct journal_listener listener;
	struct timer *notice; /* delays the call of `news` */
	bool news;
	usec_t notified_at;
};

struct observers *observers_new(struct loop *l, struct registry *registry, const struct observers_options *options)
{
	struct observers *o = NEW(struct observers);

	*o = (struct observers){ .loop = l, .registry = registry, .options = options };
	LIST_INIT(&o->ports);
	TAILQ_INIT(&o->observations);
	return o;
}

/* ---- one observation ---- */

bool observation_attached(const struct observation *ob)
{
	return ob->watchers > 0 && page_alive(ob->page);
}

struct page *observation_page(struct observation *ob)
{
	return ob->page;
}

struct journal *observation_journal(struct observation *ob)
{
	return page_journal(ob->page);
}

const char *observation_target_id(const struct observation *ob)
{
	return page_target_id(ob->page);
}

/* The newest `buffer_size` events; another reader may see more of them. */
struct journal_excerpt observation_excerpt(const struct observation *ob)
{
	uint64_t end = MIN(journal_end(page_journal(ob->page)), ob->until);
	uint64_t newest = end > ob->buffer_size ? end - ob->buffer_size : 0, observation_begin = MAX(ob->cleared, newest);

	return (struct journal_excerpt){ .begin = MIN(observation_begin, end), .end = end, .filter = &ob->filter };
}

uint64_t observation_missed(const struct observation *ob, uint64_t offset)
{
	uint64_t from = MAX(offset, ob->cleared);
	uint64_t held = MAX(journal_first(page_journal(ob->page)), observation_excerpt(ob).begin);

	return from < held ? held - from : 0;
}

void observation_clear(struct observation *ob)
{
	ob->cleared = journal_end(page_journal(ob->page));
}

/* Copies `f` before the old texts are freed, because `f` may borrow some of them. */
void observation_set_filter(struct observation *ob, const struct journal_filter *f)
{
	struct arena texts = {};

	ob->filter = journal_filter_copy(&texts, f);
	arena_done(&ob->filter_texts);
	ob->filter_texts = texts;
}

const struct journal_filter *observation_filter(const struct observation *ob)
{
	return &ob->filter;
}

static void hold_page(struct observation *ob, bool hold)
{
	if (hold && !ob->holds)
		page_hold_awake(ob->page);
	else if (!hold && ob->holds)
		page_let_rest(ob->page);
	ob->holds = hold;
}

static void observation_detach(struct observation *ob)
{
	hold_page(ob, false);
	if (ob->port && page_alive(ob->page))
		observed_browser_detach(port_browser(ob->port), ob->page);
	if (ob->port)
		port_leave(ob->port);
	ob->port = NULL;
}

/* Frees the observation. A page of a session keeps its journal, whose size becomes the default again. */
static void observation_forget(struct observation *ob)
{
	struct journal *j = observation_journal(ob);

	TAILQ_REMOVE(&ob->observers->observations, ob, link);
	ob->observers->count--;
	observation_detach(ob);
	journal_resize(j, LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
	arena_done(&ob->filter_texts);
	journal_unlisten(&ob->listener);
	timer_free(ob->notice);
	timer_free(ob->expiry);
	page_unref(ob->page);
	free(ob);
}

static void observation_on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct observation *ob = CONTAINER_OF(l, struct observation, listener);

	if (e->seq >= ob->until)
		return;
	ob->added = clock_now();
	if (ob->news || !journal_filter_passes(&ob->filter, j, e))
		return;
	ob->news = true;
	timer_set(ob->notice, MAX(clock_now(), ob->notified_at + USEC_PER_SEC / OBSERVERS_NEWS_PER_SECOND));
}

static void on_notice(void *data)
{
	struct observation *ob = data;

	ob->news = false;
	ob->notified_at = clock_now();
	if (ob->observers->news)
		ob->observers->news(ob, ob->observers->news_data);
}

void observers_on_news(struct observers *o, void (*news)(struct observation *ob, void *data), void *data)
{
	o->news = news;
	o->news_data = data;
}

static void observation_on_expiry(void *data)
{
	struct observation *ob = data;
	usec_t now = clock_now();
	bool expired = now >= ob->added + ob->ttl;

	if (expired && !observation_attached(ob)) {
		observation_forget(ob);
		return;
	}
	if (expired)
		observation_clear(ob);
	timer_set(ob->expiry, (expired ? now : ob->added) + ob->ttl);
}

struct observers *observers_free(struct observers *o)
{
	if (!o)
		return NULL;
	while (!TAILQ_EMPTY(&o->observations))
		observation_forget(TAILQ_FIRST(&o->observations));
	free(o);
	return NULL;
}

unsigned observers_attached(const struct observers *o)
{
	const struct observation *ob;
	unsigned n = 0;

	TAILQ_FOREACH(ob, &o->observations, link)
		n += observation_attached(ob);
	return n;
}

/* ---- finding ---- */

struct observation *observers_get(struct observers *o, uint64_t owner, const char *target_id)
{
	struct observation *ob;

	TAILQ_FOREACH(ob, &o->observations, link)
		if (ob->owner == owner && strcmp(observation_target_id(ob), target_id) == 0)
			return ob;
	return NULL;
}

struct observation *observers_next(struct observers *o, uint64_t owner, struct observation *after)
{
	struct observation *ob = after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&o->observations);

	while (ob && ob->owner != owner)
		ob = TAILQ_NEXT(ob, link);
	return ob;
}

int observers_find(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool attached,
		   struct observation **ret)
{
	struct observation *ob = observers_get(o, owner, target_id);

	if (!ob || (attached && ob->watchers == 0))
		return task_fail_because(t, -ERR_NOT_OBSERVING, REASON_NOT_OBSERVED, "{target: ?}", JSON_TEXT(target_id, SHOWN));
	if (attached && !page_alive(ob->page))
		return task_fail_because(t, -ERR_NOT_OBSERVING, REASON_OBSERVED_CLOSED, "{target: ?}", JSON_TEXT(target_id, SHOWN));
	*ret = ob;
	return 0;
}

/* Pages take precedence over their frames and workers. */
static const struct target_info *find_by_url(const struct target_list *all, const char *part)
{
	const struct target_info *found = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct target_info *info = &all->items[i];

		if (!strstr(info->url, part))
			continue;
		if (info->kind == TARGET_PAGE)
			return info;
		found = found ? found : info;
	}
	return found;
}

/* Finds the target of another browser that `q` asks for; its id is in the task's arena, NULL: none. */
static int find_by_port(struct task *t, struct observed_browser *browser, const struct observe_request *q, const char **ret)
{
	_cleanup_(target_list_done) struct target_list all = {};
	const struct target_info *found;
	int r;

	r = observed_browser_targets(t, browser, &all);
	if (r < 0)
		return r;
	found = q->target_id ? target_list_find(&all, q->target_id) : find_by_url(&all, q->url_includes);
	*ret = found ? arena_strdup(task_arena(t), found->id) : NULL;
	return 0;
}

static int fail_not_found(struct task *t, const struct observe_request *q, const struct port *p)
{
	const char *wanted = q->target_id ? q->target_id : q->url_includes;

	task_fail_because(t, -ERR_TARGET_NOT_FOUND, REASON_NO_TARGET_MATCHES, "{argument: ?, wanted: ?, searched: ?}",
			  q->target_id ? "targetId" : "urlIncludes", JSON_TEXT(wanted, 2 * SHOWN), p ? NULL : "sessions");
	if (p)
		task_fail_details(t, "{host: ?, port: ?}", observed_browser_host(p->browser), observed_browser_port(p->browser));
	return -ERR_TARGET_NOT_FOUND;
}

/* ---- observing ---- */

static bool has_other_settings(const struct observation *ob, const struct observe_request *q)
{
	return (q->buffer_size && q->buffer_size != ob->buffer_size) || (q->ttl && q->ttl != ob->ttl) ||
	       (ob->port && (q->workers != ob->workers || q->frames != ob->frames));
}

static int join_observation(struct task *t, struct observation *ob, const struct observe_request *q)
{
	if (has_other_settings(ob, q)) {
		task_fail_because(t, -ERR_ALREADY_OBSERVING, REASON_OBSERVED_OTHERWISE, "{target: ?}", observation_target_id(ob));
		task_fail_details(t, "{bufferSize: ?, ttlSec: ?, includeWorkers: ?, includeIframes: ?, watchers: ?}",
				  ob->buffer_size, ob->ttl / USEC_PER_SEC, ob->workers, ob->frames, ob->watchers);
		return -ERR_ALREADY_OBSERVING;
	}
	ob->watchers++;
	return 0;
}

static unsigned observation_count_of(const struct observers *o, uint64_t owner)
{
	const struct observation *ob;
	unsigned n = 0;

	TAILQ_FOREACH(ob, &o->observations, link)
		n += ob->owner == owner;
	return n;
}

/*
 * Makes room for one more observation of this owner: frees the oldest one that has no watcher or whose target has closed. Where
 * owners do not know each other it is one of the owner's own, unless that owner has none.
 */
static int make_room(struct task *t, struct observers *o, uint64_t owner)
{
	unsigned own = observation_count_of(o, owner);
	bool shared = o->options->shared;
	struct observation *ob;

	if (share_allows(own, o->count, LIMIT_OBSERVATIONS_COUNT, shared ? 0 : LIMIT_OBSERVATIONS_COUNT))
		return 0;
	TAILQ_FOREACH(ob, &o->observations, link)
		if (!observation_attached(ob) && (ob->owner == owner || !shared || own == 0)) {
			observation_forget(ob);
			return 0;
		}
	return task_fail_because(t, -ENOSPC, REASON_TOO_MANY_OBSERVED, "{count: ?, own: ?}", o->count, own);
}

static struct observation *observation_add(struct observers *o, uint64_t owner, struct page *p)
{
	struct observation *ob = NEW(struct observation);

	ob->observers = o;
	ob->owner = owner;
	ob->page = page_ref(p);
	ob->expiry = timer_new(o->loop, observation_on_expiry, ob);
	ob->notice = timer_new(o->loop, on_notice, ob);
	ob->listener.observed = observation_on_observed;
	journal_listen(page_journal(p), &ob->listener);
	TAILQ_INSERT_TAIL(&o->observations, ob, link);
	o->count++;
	return ob;
}

/* Starts observing with the settings of the first watcher. */
static void observation_begin(struct observation *ob, struct port *port, const struct observe_request *q)
{
	const struct observers_options *options = ob->observers->options;
	struct journal *j = observation_journal(ob);

	ob->port = port ? port_ref(port) : NULL;
	ob->watchers = 1;
	hold_page(ob, !port);
	ob->until = OBSERVED_NONE;
	ob->workers = q->workers || !port;
	ob->frames = q->frames || !port;
	ob->buffer_size = q->buffer_size ? q->buffer_size : options->buffer_size;
	ob->ttl = q->ttl ? q->ttl : options->ttl;
	ob->added = clock_now();
	observation_set_filter(ob, &(const struct journal_filter){});
	journal_set_owner(j, ob->owner);
	journal_resize(j, MAX((size_t)LIMIT_OBSERVED_COUNT, ob->buffer_size),
		       MAX((size_t)LIMIT_OBSERVED_BYTES, ob->buffer_size * LIMIT_OBSERVED_EVENT));
	timer_set(ob->expiry, ob->added + ob->ttl);
}

static int observe_own(struct task *t, struct observers *o, struct page *p, const struct observe_request *q,
		       struct observation **ret)
{
	struct observation *ob = observers_get(o, q->owner, page_target_id(p));
	int r = 0;

	if (ob && ob->watchers > 0) {
		r = join_observation(t, ob, q);
	} else {
		r = ob ? 0 : make_room(t, o, q->owner);
		if (r == 0)
			observation_begin(ob ? ob : (ob = observation_add(o, q->owner, p)), NULL, q);
	}
	*ret = ob;
	return r;
}

/*
 * Starts observing a page that was just attached. Another call may have attached to the same target while this one
 * waited; its attachment is kept then. An earlier observation of the target continues in the same journal.
 */
static int take_over(struct task *t, struct observers *o, struct port *port, struct page *p, const struct observe_request *q,
		     struct observation **ret)
{
	struct observation *ob = observers_get(o, q->owner, page_target_id(p));
	int r;

	if (ob && observation_attached(ob)) {
		observed_browser_detach(port->browser, p);
		*ret = ob;
		return join_observation(t, ob, q);
	}
	r = ob ? 0 : make_room(t, o, q->owner);
	if (r < 0) {
		observed_browser_detach(port->browser, p);
		return r;
	}
	if (ob) {
		observation_detach(ob);
		page_unref(ob->page);
		ob->page = page_ref(p);
	}
	observation_begin(ob ? ob : (ob = observation_add(o, q->owner, p)), port, q);
	*ret = ob;
	return 0;
}

static int observe_by_port(struct task *t, struct observers *o, struct port *port, const struct observe_request *q,
			   struct observation **ret)
{
	_cleanup_(journal_freep) struct journal *journal = NULL;
	_cleanup_(page_unrefp) struct page *page = NULL;
	const char *target_id = NULL;
	struct observation *ob;
	int r;

	r = find_by_port(t, port->browser, q, &target_id);
	if (r < 0)
		return r;
	if (!target_id)
		return fail_not_found(t, q, port);
	ob = observers_get(o, q->owner, target_id);
	if (ob && observation_attached(ob)) {
		*ret = ob;
		return join_observation(t, ob, q);
	}
	if (ob) /* it may be freed while observed_browser_attach() waits */
		journal = journal_ref(observation_journal(ob));
	r = observed_browser_attach(t, port->browser,
				    &(const struct observed_target){ .target_id = target_id,
								     .workers = q->workers,
								     .frames = q->frames,
								     .journal = journal },
				    &page);
	return r < 0 ? r : take_over(t, o, port, page, q, ret);
}

int observers_observe(struct task *t, struct observers *o, const struct observe_request *q, struct observation **ret)
{
	_cleanup_(port_leavep) struct port *port = NULL;
	struct page *page = NULL;
	int r;

	if (!q->target_id && !q->url_includes)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "targetId or urlIncludes is required");
	r = observers_port(t, o, q->host, q->port, &port);
	if (r < 0)
		return r;
	if (!q->host && !q->port)
		page = registry_find_page(o->registry, q->owner, q->target_id, q->url_includes);
	if (page)
		return observe_own(t, o, page, q, ret);
	return port ? observe_by_port(t, o, port, q, ret) : fail_not_found(t, q, NULL);
}

int observers_stop(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool drop)
{
	struct observation *ob = observers_get(o, owner, target_id);

	if (!ob || ob->watchers == 0)
		return task_fail_because(t, -ERR_NOT_OBSERVING, REASON_NOTHING_TO_STOP, "{target: ?, left: ?}",
					 JSON_TEXT(target_id, SHOWN), ob ? "events" : NULL);
	if (--ob->watchers > 0)
		return 0;
	ob->until = journal_end(observation_journal(ob));
	observation_detach(ob);
	waitq_wake(page_changed(ob->page)); /* wakes wait_for_event, which waits for events of the page */
	if (drop)
		observation_forget(ob);
	return 0;
}

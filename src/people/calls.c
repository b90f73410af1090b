#include "people/calls.h"

#include <search.h>
#include <string.h>

#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "mcp/steps.h"
#include "people/arguments.h"
#include "people/session_key.h"

/* A call whose task has begun. */
struct running {
	struct task *task; /* key of the tree */
	TAILQ_ENTRY(running) link;
	struct mcp_call *call;
	int64_t began; /* Unix milliseconds; of its last step, if it has steps */
	usec_t since;
	struct session_key at; /* the session that it visits, or has visited last */
};

/* The calls of a session that have ended, in a ring. */
struct call_history {
	struct session_key key;
	uint64_t count;                                 /* so far, and the number of the newest */
	struct seen_call calls[LIMIT_SEEN_CALLS_COUNT]; /* own their lines and names */
};

struct calls {
	struct registry *registry;
	struct session_watcher watcher;
	TAILQ_HEAD(, running) running; /* in the order in which they began */
	void *by_task, *by_session;    /* tsearch() trees of struct running and struct call_history */
	LIST_HEAD(, calls_listener) listeners;
};

static int calls_compare_tasks(const void *a, const void *b)
{
	const struct task *x = ((const struct running *)a)->task, *y = ((const struct running *)b)->task;

	return (x > y) - (x < y);
}

static struct running *calls_find_running(const struct calls *c, struct task *t)
{
	const struct running key = { .task = t };
	struct running **found = tfind(&key, &c->by_task, calls_compare_tasks);

	return found ? *found : NULL;
}

static struct call_history *find_history(const struct calls *c, const struct session_key *key)
{
	struct call_history **found = tfind(key, &c->by_session, session_key_compare);

	return found ? *found : NULL;
}

/* ---- calls that have ended ---- */

static struct call_history *make_history(struct calls *c, const struct session_key *key)
{
	struct call_history *h = find_history(c, key);

	if (h)
		return h;
	h = NEW(struct call_history);
	h->key = *key;
	must(tsearch(h, &c->by_session, session_key_compare));
	return h;
}

static void seen_call_done(struct seen_call *seen)
{
	free((char *)seen->tool);
	free((char *)seen->line);
	*seen = (struct seen_call){};
}

static void call_history_free(void *data)
{
	struct call_history *h = data;

	for (size_t i = 0; i < ARRAY_SIZE(h->calls); i++)
		seen_call_done(&h->calls[i]);
	free(h);
}

static void calls_session_ended(struct session_watcher *w, const struct session *s)
{
	struct calls *c = CONTAINER_OF(w, struct calls, watcher);
	struct session_key key = session_key_of(s);
	struct call_history *h = find_history(c, &key);

	if (!h)
		return;
	tdelete(h, &c->by_session, session_key_compare);
	call_history_free(h);
}

static void describe_now(struct mcp_call *call, struct str *line)
{
	arguments_describe(line, mcp_call_tool(call), mcp_call_arguments(call));
}

static void calls_remember(struct calls *c, const struct session_key *key, struct mcp_call *call, struct seen_call seen)
{
	struct call_history *h = make_history(c, key);
	struct seen_call *place = &h->calls[++h->count % LIMIT_SEEN_CALLS_COUNT];
	struct calls_listener *l;
	struct str line = {};

	describe_now(call, &line);
	seen_call_done(place);
	*place = seen;
	place->number = h->count;
	place->line = str_take(&line);
	place->tool = must(strndup(mcp_call_tool(call)->name, LIMIT_SEEN_TOOL));
	LIST_FOREACH(l, &c->listeners, link)
		l->ended(l, key->owner, key->session, place);
}

/* ---- the session of a call ---- */

static void calls_visited(struct session_watcher *w, const struct session *s, struct task *t)
{
	struct running *running = calls_find_running(CONTAINER_OF(w, struct calls, watcher), t);

	if (running)
		running->at = session_key_of(s);
}

/* The session of a call that has visited none, such as one whose arguments are wrong: the one that it names, or the client's own. */
static bool find_named(const struct calls *c, struct mcp_call *call, struct session_key *ret)
{
	const char *id = mcp_call_session_id(call), *target = json_str(json_member(mcp_call_arguments(call), "targetId"), NULL);
	const struct tool_style *style = &mcp_conn_server(mcp_call_conn(call))->style;
	const struct session *holder = !id && target ? registry_find_holder(c->registry, target) : NULL;

	*ret = session_key(call_owner(call), id ? id : "");
	if (holder)
		*ret = session_key_of(holder);
	else if (!id && tool_takes_session(mcp_call_tool(call), style))
		*ret = session_key(call_owner(call), client_session(call_client(call)));
	return ret->owner == call_owner(call) && registry_has(c->registry, ret->owner, ret->session);
}

static bool find_session(const struct calls *c, struct mcp_call *call, const struct running *running, struct session_key *ret)
{
	if (!running || !*running->at.session)
		return find_named(c, call, ret);
	*ret = running->at;
	return registry_has(c->registry, ret->owner, ret->session);
}

/* ---- hooks ---- */

/* A step begins in the task of its call. */
void calls_began(struct calls *c, struct mcp_call *call)
{
	struct running *running = calls_find_running(c, mcp_call_task(call));

	if (!running) {
		running = NEW(struct running);
		running->task = mcp_call_task(call);
		running->call = call;
		must(tsearch(running, &c->by_task, calls_compare_tasks));
		TAILQ_INSERT_TAIL(&c->running, running, link);
	}
	running->began = clock_unix_msec();
	running->since = clock_now();
}

static void running_end(struct calls *c, struct running *running)
{
	tdelete(running, &c->by_task, calls_compare_tasks);
	TAILQ_REMOVE(&c->running, running, link);
	free(running);
}

void calls_ended(struct calls *c, struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	struct running *running = calls_find_running(c, mcp_call_task(call));
	int error = task_error(mcp_call_task(call));
	struct session_key key;

	if (find_session(c, call, running, &key))
		calls_remember(c, &key, call,
			       (struct seen_call){
				       .began = clock_unix_msec() - (int64_t)(duration / USEC_PER_MSEC),
				       .duration = duration,
				       .is_step = mcp_call_step_data(call),
				       .outcome = outcome,
				       .error = outcome == MCP_CALL_FAILED && error < 0 ? error_name(error) : NULL,
			       });
	if (running && !mcp_call_step_data(call))
		running_end(c, running);
}

void calls_listen(struct calls *c, struct calls_listener *l)
{
	LIST_INSERT_HEAD(&c->listeners, l, link);
}

/* ---- looking ---- */

const struct seen_call *calls_next(const struct calls *c, uint64_t owner, const char *session, uint64_t after)
{
	struct session_key key = session_key(owner, session);
	const struct call_history *h = find_history(c, &key);
	uint64_t first;

	if (!h || after >= h->count)
		return NULL;
	first = h->count > LIMIT_SEEN_CALLS_COUNT ? h->count - LIMIT_SEEN_CALLS_COUNT : 0;
	return &h->calls[(MAX(first, after) + 1) % LIMIT_SEEN_CALLS_COUNT];
}

uint64_t calls_last(const struct calls *c, uint64_t owner, const char *session)
{
	struct session_key key = session_key(owner, session);
	const struct call_history *h = find_history(c, &key);

	return h ? h->count : 0;
}

bool calls_next_running(const struct calls *c, const struct session *s, unsigned *at, struct str *line, struct seen_call *ret)
{
	struct session_key key = session_key_of(s);
	struct running *running;
	unsigned place = 0;

	TAILQ_FOREACH(running, &c->running, link)
		if (place++ >= *at && !session_key_compare(&running->at, &key))
			break;
	if (!running)
		return false;
	*at = place;
	str_reset(line);
	describe_now(running->call, line);
	*ret = (struct seen_call){
		.began = running->began,
		.duration = clock_now() - running->since,
		.tool = mcp_call_tool(running->call)->name,
		.line = str_text(line),
		.is_step = mcp_call_step_data(running->call),
		.where = task_where(running->task),
	};
	return true;
}

/* ---- begin and end ---- */

struct calls *calls_new(struct registry *r)
{
	struct calls *c = NEW(struct calls);

	c->registry = r;
	c->watcher.visited = calls_visited;
	c->watcher.ended = calls_session_ended;
	TAILQ_INIT(&c->running);
	LIST_INIT(&c->listeners);
	registry_watch(r, &c->watcher);
	return c;
}

struct calls *calls_free(struct calls *c)
{
	if (!c)
		return NULL;
	tdestroy(c->by_session, call_history_free);
	while (!TAILQ_EMPTY(&c->running))
		running_end(c, TAILQ_FIRST(&c->running));
	free(c);
	return NULL;
}

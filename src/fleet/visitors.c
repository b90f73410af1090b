/*
 * Sessions of other nodes that are here because those had ended. Their records say so and expire unless they are renewed; a node to which
 * a proxy leads their requests again enters them into the index of what it wants.
 */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/node.h"
#include "fleet/internal.h"
#include "loop/failure_words.h"

#define LOOK (250 * USEC_PER_MSEC)
#define RENEW (5 * USEC_PER_SEC)

static bool is_visitor(const struct fleet *f, const char *id)
{
	char node[NODE_NAME_SIZE];

	return node_is_other(f->node, id, node);
}

/* ---- what is here ---- */

struct visitor {
	const char *kind, *id, *owner; /* in the task's arena */
};

struct visitor_list {
	struct fleet *fleet;
	struct task *task; /* NULL: they are counted only */
	struct visitor *visitors;
	size_t count, room;
};

static void visitors_add(struct visitor_list *list, const char *kind, const char *id, uint64_t owner)
{
	_cleanup_(str_done) struct str key = {};

	if (!is_visitor(list->fleet, id) || !mcp_http_owner_key(list->fleet->http, owner, &key))
		return;
	if (list->task && list->count < list->room)
		list->visitors[list->count] = (struct visitor){ kind, arena_strdup(task_arena(list->task), id),
								arena_strdup(task_arena(list->task), key.data) };
	list->count++;
}

static void add_client(const char *id, struct mcp_conn *c, const char *members, void *data)
{
	visitors_add(data, KIND_CLIENT, id, mcp_conn_owner(c));
}

static void list_visitors(struct visitor_list *list)
{
	const struct session *s = NULL;
	uint64_t owner;

	while ((s = registry_next_of_all(list->fleet->app->registry, s, &owner)))
		visitors_add(list, KIND_SESSION, session_id(s), owner);
	mcp_http_each_session(list->fleet->http, add_client, list);
}

static unsigned count_visitors(struct fleet *f)
{
	struct visitor_list list = { .fleet = f };

	list_visitors(&list);
	return (unsigned)list.count;
}

/* ---- looking after them ---- */

/* The session whose record has that name. */
static const struct session *visitors_find_session(struct task *t, struct fleet *f, const char *name, uint64_t *ret_owner)
{
	const struct session *s = NULL;

	while ((s = registry_next_of_all(f->app->registry, s, ret_owner))) {
		_cleanup_(str_done) struct str key = {};

		if (starts_with(strchr(name, ':') + 1, session_id(s)) && mcp_http_owner_key(f->http, *ret_owner, &key) &&
		    !strcmp(record_name(t, KIND_SESSION, session_id(s), key.data), name))
			return s;
	}
	return NULL;
}

/* While records are written one after the other, a session may end, or be saved under the same name. */
static bool is_still_here(struct task *t, struct fleet *f, const struct visitor *v)
{
	const char *name = record_name(t, v->kind, v->id, v->owner);
	uint64_t owner;

	if (hand_over_has_begun(f, name))
		return false;
	return !strcmp(v->kind, KIND_CLIENT) ? mcp_http_has_session(f->http, v->id) :
					       visitors_find_session(t, f, name, &owner) != NULL;
}

static int visitors_renew(struct task *t, struct fleet *f)
{
	struct visitor_list list = { .fleet = f, .room = count_visitors(f) };
	int r = 0;

	list.task = t;
	list.visitors = arena_alloc(task_arena(t), (list.room + 1) * sizeof(*list.visitors));
	list_visitors(&list);
	for (size_t i = 0; i < MIN(list.count, list.room) && r == 0; i++)
		if (is_still_here(t, f, &list.visitors[i]))
			r = record_write(t, f, list.visitors[i].kind, list.visitors[i].id, list.visitors[i].owner, PLACE_HERE,
					 NULL);
	return r;
}

/*
 * `name` is that of a record, which another node may have written. Saving has tasks of its own, because records must be renewed while a
 * session waits for the end of a call.
 */
static void give_back(struct task *t, struct fleet *f, const char *name)
{
	const char *id = strchr(name, ':');
	const struct session *s;
	uint64_t owner;

	if (!id || !is_visitor(f, ++id))
		return;
	log_info("%s is wanted by its node", name);
	if (starts_with(name, KIND_CLIENT ":")) {
		hand_over_begin_client(f, id);
		return;
	}
	s = visitors_find_session(t, f, name, &owner);
	if (s)
		hand_over_begin_session(f, owner, session_id(s));
}

static int look_after(struct task *t, void *data)
{
	struct fleet *f = data;
	struct store_entry *wanted = NULL;
	int count, r = 0;

	if (clock_now() - f->renewed >= RENEW) {
		f->renewed = clock_now();
		r = visitors_renew(t, f);
	}
	count = r < 0 ? r : record_take_wanted(t, f, &wanted);
	for (int i = 0; i < count; i++)
		give_back(t, f, wanted[i].name);
	return MIN(count, 0);
}

static void looked_after(struct task *t, int r, void *data)
{
	struct fleet *f = data;

	f->task = NULL;
	if (!f->timer) /* visitors_stop(), after which a task that was about to end may have any result */
		return;
	if (r < 0)
		log_warning("sessions of other nodes: %s",
			    failure_has_words(t, r) ? failure_words(t, r) : "the state store failed");
	if (count_visitors(f) > 0)
		timer_set(f->timer, clock_now() + (r < 0 ? RENEW : LOOK));
}

static void visitors_on_timer(void *data)
{
	struct fleet *f = data;

	if (!f->task && task_start(f->loop, "visitors", look_after, looked_after, f, &f->task) < 0)
		timer_set(f->timer, clock_now() + LOOK);
}

void visitors_expect(struct fleet *f)
{
	if (!f->timer)
		f->timer = timer_new(f->loop, visitors_on_timer, f);
	if (!f->task)
		timer_set(f->timer, clock_now() + LOOK);
}

void visitors_stop(struct fleet *f)
{
	if (f->task)
		task_cancel(f->task, -ECANCELED, "the server is shutting down");
	f->timer = timer_free(f->timer);
}

/* Saving sessions for other nodes: all of them when this node ends, or one that another node wants. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/internal.h"
#include "loop/failure_words.h"

#define MOVERS_MAX 8                     /* sessions that are saved at a time: each makes the browser open pages for its storage */
#define SESSION_TIME (20 * USEC_PER_SEC) /* for one, the end of its calls included */

/* ---- one browser session ---- */

/*
 * The turn on the session ends with this function, and the caller ends the session at once: a call that had the turn after the session
 * was saved would act on what is lost, and act again where the session goes on.
 */
static int hand_over_save(struct task *t, struct fleet *f, uint64_t owner, const char *id, const char *key)
{
	_cleanup_(session_leave_as_isp) struct session *s = NULL;
	_cleanup_(str_done) struct str members = {};
	int r;

	r = session_enter_as_is(t, f->app->registry, owner, id, &s);
	if (r < 0)
		return r;
	str_append(&members, "\"session\":");
	r = session_save(t, s, &members);
	return r < 0 ? r : record_write(t, f, KIND_SESSION, id, key, PLACE_SAVED, members.data);
}

static int move_session(struct task *t, struct fleet *f, uint64_t owner, const char *id, const char *key)
{
	usec_t deadline;
	int r;

	r = record_write(t, f, KIND_SESSION, id, key, PLACE_MOVING, NULL);
	if (r < 0)
		return r;
	deadline = task_set_deadline(t, clock_now() + SESSION_TIME);
	r = hand_over_save(t, f, owner, id, key);
	task_set_deadline(t, deadline);
	if (r == 0)
		registry_end_moved(f->app->registry, owner, id);
	else
		record_forget(t, f, KIND_SESSION, id, key);
	return r;
}

/* One task at a time moves a session: two would write over each other's record. */
struct move {
	LIST_ENTRY(move) link;
	const char *name; /* of the record */
};

bool hand_over_has_begun(const struct fleet *f, const char *name)
{
	const struct move *m;

	LIST_FOREACH(m, &f->moves, link)
		if (!strcmp(m->name, name))
			return true;
	return false;
}

static int hand_over_session(struct task *t, struct fleet *f, uint64_t owner, const char *id)
{
	_cleanup_(str_done) struct str key = {};
	struct move move = {};
	int r = 0;

	if (!record_may_exist(id) || !mcp_http_owner_key(f->http, owner, &key))
		return -ENOTSUP;
	move.name = record_name(t, KIND_SESSION, id, key.data);
	while (r == 0 && hand_over_has_begun(f, move.name))
		r = waitq_wait(t, &f->changed, "a session that is being saved");
	if (r == 0 && !registry_has(f->app->registry, owner, id)) { /* it has ended or moved since it was listed */
		record_forget_moving(t, f, KIND_SESSION, id, key.data);
		return 0;
	}
	if (r < 0)
		return r;
	LIST_INSERT_HEAD(&f->moves, &move, link);
	r = move_session(t, f, owner, id, key.data);
	LIST_REMOVE(&move, link);
	waitq_wake(&f->changed);
	return r;
}

/* ---- all browser sessions, or those of one owner ---- */

struct listed {
	uint64_t owner;
	const char *id; /* in the task's arena */
};

/* A copy: sessions end while others are saved. */
static size_t list_sessions(struct task *t, struct fleet *f, const uint64_t *only, struct listed **ret)
{
	struct listed *list = arena_alloc(task_arena(t), (registry_count(f->app->registry) + 1) * sizeof(*list));
	const struct session *s = NULL;
	size_t count = 0;
	uint64_t owner;

	while ((s = registry_next_of_all(f->app->registry, s, &owner)))
		if (!only || owner == *only)
			list[count++] = (struct listed){ owner, arena_strdup(task_arena(t), session_id(s)) };
	*ret = list;
	return count;
}

static int hand_over_client(struct task *t, struct fleet *f, const char *id);

struct mover {
	LIST_ENTRY(mover) link;
	struct fleet *fleet;
	struct task *task;
	bool is_client;
	uint64_t owner; /* of a browser session */
	char id[SESSION_ID_SIZE];
};

static int mover_run(struct task *t, void *data)
{
	struct mover *m = data;

	return m->is_client ? hand_over_client(t, m->fleet, m->id) : hand_over_session(t, m->fleet, m->owner, m->id);
}

static void mover_done(struct task *t, int r, void *data)
{
	struct mover *m = data;
	struct fleet *f = m->fleet;

	if (r < 0) {
		log_warning("session %s cannot go on elsewhere: %s", m->id,
			    r == -ENOTSUP ? "it belongs to this server" : failure_words(t, r));
		f->failures++;
	}
	LIST_REMOVE(m, link);
	f->mover_count--;
	free(m);
	waitq_wake(&f->changed);
}

static void start_mover(struct fleet *f, bool is_client, uint64_t owner, const char *id)
{
	struct mover *m = NEW(struct mover);

	*m = (struct mover){ .fleet = f, .is_client = is_client, .owner = owner };
	snprintf(m->id, sizeof(m->id), "%s", id);
	if (task_start(f->loop, "save", mover_run, mover_done, m, &m->task) < 0) {
		f->failures++;
		free(m);
		return;
	}
	LIST_INSERT_HEAD(&f->movers, m, link);
	f->mover_count++;
}

void hand_over_begin_session(struct fleet *f, uint64_t owner, const char *id)
{
	start_mover(f, false, owner, id);
}

void hand_over_begin_client(struct fleet *f, const char *id)
{
	start_mover(f, true, 0, id);
}

/* Saves several at a time, until all are saved or have failed, or this task is cancelled. */
static int hand_over_sessions(struct task *t, struct fleet *f, const struct listed *list, size_t count)
{
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		while (r == 0 && f->mover_count >= MOVERS_MAX)
			r = waitq_wait(t, &f->changed, "sessions that are being saved");
		if (r == 0)
			start_mover(f, false, list[i].owner, list[i].id);
	}
	while (r == 0 && f->mover_count > 0)
		r = waitq_wait(t, &f->changed, "sessions that are being saved");
	return r;
}

/* ---- MCP sessions ---- */

struct client_record {
	const char *id, *members; /* in the task's arena */
	uint64_t owner;
	bool lasts;
};

struct client_list {
	struct task *task;
	const char *only; /* NULL: all */
	struct client_record *records;
	size_t count, room;
};

static void list_client(const char *id, struct mcp_conn *c, const char *members, void *data)
{
	const struct client *client = mcp_conn_state(c);
	struct client_list *list = data;
	struct arena *a = task_arena(list->task);
	_cleanup_(str_done) struct str text = {};

	if ((list->only && strcmp(list->only, id) != 0) || list->count >= list->room)
		return;
	str_append(&text, members);
	if (client && *client->session)
		str_json(&text, ", own: ?", client->session);
	list->records[list->count++] = (struct client_record){ arena_strdup(a, id), arena_strdup(a, text.data), mcp_conn_owner(c),
							       mcp_conn_owner_lasts(c) };
}

static struct client_list list_clients(struct task *t, struct fleet *f, const char *only)
{
	struct client_list list = { .task = t, .only = only, .room = only ? 1 : mcp_http_counts(f->http).sessions };

	list.records = arena_alloc(task_arena(t), (list.room + 1) * sizeof(*list.records));
	mcp_http_each_session(f->http, list_client, &list);
	return list;
}

static int write_client(struct task *t, struct fleet *f, const struct client_record *c)
{
	_cleanup_(str_done) struct str key = {};

	if (!mcp_http_owner_key(f->http, c->owner, &key))
		return 0;
	return record_write(t, f, KIND_CLIENT, c->id, key.data, PLACE_SAVED, c->members);
}

/* Sessions of a client that is its own owner go with it; those of others follow when they are asked for. */
static int hand_over_client(struct task *t, struct fleet *f, const char *id)
{
	struct client_list list = list_clients(t, f, id);
	struct move move = { .name = record_name(t, KIND_CLIENT, id, NULL) };
	struct listed *sessions;
	size_t count = 0;
	int r = 0;

	if (list.count == 0 || hand_over_has_begun(f, move.name))
		return 0;
	LIST_INSERT_HEAD(&f->moves, &move, link);
	if (!list.records[0].lasts)
		count = list_sessions(t, f, &list.records[0].owner, &sessions);
	for (size_t i = 0; i < count && r != -ECANCELED; i++)
		r = hand_over_session(t, f, sessions[i].owner, sessions[i].id);
	if (r != -ECANCELED)
		r = write_client(t, f, &list.records[0]);
	if (r == 0)
		mcp_http_end_moved(f->http, id);
	LIST_REMOVE(&move, link);
	return r;
}

/* ---- everything ---- */

/* Before this node refuses requests, other nodes must be able to see that they have to wait for these sessions. */
static int announce_all(struct task *t, struct fleet *f, const struct listed *list, size_t count)
{
	struct client_list clients = list_clients(t, f, NULL);
	int r = 0;

	for (size_t i = 0; i < clients.count && r == 0; i++)
		r = write_client(t, f, &clients.records[i]);
	for (size_t i = 0; i < count && r == 0; i++) {
		_cleanup_(str_done) struct str key = {};

		if (registry_has(f->app->registry, list[i].owner, list[i].id) && record_may_exist(list[i].id) &&
		    mcp_http_owner_key(f->http, list[i].owner, &key) &&
		    !hand_over_has_begun(f, record_name(t, KIND_SESSION, list[i].id, key.data)))
			r = record_write(t, f, KIND_SESSION, list[i].id, key.data, PLACE_MOVING, NULL);
	}
	return r;
}

static int save_all(struct task *t, void *data)
{
	struct fleet *f = data;
	struct listed *list = NULL;
	size_t count = list_sessions(t, f, NULL, &list);
	int r;

	r = announce_all(t, f, list, count);
	if (r < 0)
		return r;
	mcp_http_hand_over(f->http);
	count = list_sessions(t, f, NULL, &list); /* also those that have begun meanwhile */
	f->failures = 0;
	r = hand_over_sessions(t, f, list, count);
	if (r == 0)
		log_notice("saved %zu of %zu browser sessions in %s", count - f->failures, count, store_address(f->app->store));
	return r;
}

static void all_saved(struct task *t, int r, void *data)
{
	struct fleet *f = data;

	f->saving = NULL;
	if (r == -ECANCELED)
		return;
	if (r < 0)
		log_error("sessions cannot be saved: %s", failure_words(t, r));
	f->saved(f->saved_data);
}

void hand_over_begin_all(struct fleet *f)
{
	if (task_start(f->loop, "save", save_all, all_saved, f, &f->saving) < 0)
		f->saved(f->saved_data);
}

void hand_over_stop(struct fleet *f)
{
	struct mover *m;

	if (f->saving)
		task_cancel(f->saving, -ECANCELED, "the server is shutting down");
	LIST_FOREACH(m, &f->movers, link)
		task_cancel(m->task, -ECANCELED, "the server is shutting down");
}

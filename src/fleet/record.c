#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/node.h"
#include "fleet/internal.h"

#define HERE_TTL 15 /* seconds after which nobody waits for a node that has died */
#define MOVING_TTL 60
#define WANTED_TTL 15
#define MOVE_TIME (25 * USEC_PER_SEC) /* in which a node that lives saves a session: a call may have to end first */
#define AWAIT_INTERVAL (100 * USEC_PER_MSEC)

bool record_may_exist(const char *id)
{
	size_t len = strspn(id, STORE_NAME_CHARACTERS);
	char node[NODE_NAME_SIZE];

	return !id[len] && len <= LIMIT_SESSION_NAME && node_of_id(id, node);
}

const char *record_name(struct task *t, const char *kind, const char *id, const char *owner)
{
	_cleanup_(str_done) struct str name = {};

	str_appendf(&name, "%s:%s", kind, id);
	if (!strcmp(kind, KIND_SESSION)) {
		str_append_char(&name, ':');
		store_append_part(&name, owner);
	}
	return arena_strdup(task_arena(t), name.data);
}

static const char *record_key_of(struct task *t, const char *name)
{
	return arena_printf(task_arena(t), STORE_PREFIX "%s", name);
}

static const char *record_wanted_of(struct task *t, const char *node)
{
	return arena_printf(task_arena(t), STORE_PREFIX "wanted:%s", node);
}

static unsigned ttl_of(const struct fleet *f, const char *place)
{
	return !strcmp(place, PLACE_HERE) ? HERE_TTL : !strcmp(place, PLACE_MOVING) ? MOVING_TTL : f->ttl;
}

int record_write(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, const char *place,
		 const char *members)
{
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{owner: ?, node: ?, place: ?", owner, f->node, place);
	if (members)
		str_appendf(&text, ",%s", members);
	str_append_char(&text, '}');
	return store_set(t, f->app->store, record_key_of(t, record_name(t, kind, id, owner)), text.data, text.len,
			 ttl_of(f, place));
}

/* NULL: it is no record, or not one of that owner (NULL: any). Owned by the caller. */
static struct json *record_parse(const struct str *text, const char *owner)
{
	struct json *record = NULL;

	if (json_parse(text->data, text->len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &record) < 0)
		return NULL;
	if (!json_str(record, "owner") || !json_str(record, "place") || (owner && strcmp(json_text(record, "owner"), owner) != 0))
		return json_free(record);
	return record;
}

int record_read(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, struct json **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct json *record;
	int r;

	if (!record_may_exist(id))
		return 0;
	r = store_get(t, f->app->store, record_key_of(t, record_name(t, kind, id, owner)), &text);
	if (r <= 0)
		return r;
	record = record_parse(&text, owner);
	if (record)
		*ret = record;
	return record != NULL;
}

/* The node that has it looks there (visitors.c). */
static int ask_for(struct task *t, struct fleet *f, const char *name, const struct json *record)
{
	const char *key = record_wanted_of(t, json_text(record, "node"));
	int r = store_index_set(t, f->app->store, key, name, f->node);

	return r < 0 ? r : store_expire(t, f->app->store, key, WANTED_TTL);
}

int record_await(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, struct json **ret)
{
	usec_t until = clock_now() + MOVE_TIME;
	bool asked = false;
	int r;

	do {
		_cleanup_(json_freep) struct json *record = NULL;
		const char *place;

		r = record_read(t, f, kind, id, owner, &record);
		if (r <= 0)
			return r;
		place = json_text(record, "place");
		if (!strcmp(place, PLACE_SAVED)) {
			*ret = TAKE_PTR(record);
			return 1;
		}
		if (!strcmp(place, PLACE_HERE) && !strcmp(json_text(record, "node"), f->node)) /* this node has died since then */
			return 0;
		if (!strcmp(place, PLACE_HERE) && !asked) {
			asked = true;
			r = ask_for(t, f, record_name(t, kind, id, owner), record);
			if (r < 0)
				return r;
		}
		r = task_sleep(t, AWAIT_INTERVAL);
	} while (r == 0 && clock_now() < until);
	return r < 0 ? r : task_fail(t, -ETIMEDOUT, "session %s is still being saved by the server that had it; call again", id);
}

void record_forget(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner)
{
	store_delete(t, f->app->store, record_key_of(t, record_name(t, kind, id, owner)));
}

/* What was taken is nowhere else. That the record says so is for other nodes, and what looks after it says it again. */
static int claim(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner)
{
	_cleanup_(json_freep) struct json *record = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = store_take(t, f->app->store, record_key_of(t, record_name(t, kind, id, owner)), &text);
	if (r <= 0)
		return r;
	record = record_parse(&text, owner);
	if (!record || strcmp(json_text(record, "place"), PLACE_SAVED) != 0)
		return 0;
	record_write(t, f, kind, id, owner, PLACE_HERE, NULL);
	return 1;
}

void record_forget_moving(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner)
{
	_cleanup_(json_freep) struct json *record = NULL;

	if (record_read(t, f, kind, id, owner, &record) == 1 && !strcmp(json_text(record, "place"), PLACE_MOVING) &&
	    !strcmp(json_text(record, "node"), f->node))
		record_forget(t, f, kind, id, owner);
}

/* A client that leaves in the middle, or whose call has no time left, must not take the session along. */
int record_claim(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner)
{
	usec_t deadline;
	bool masked;
	int r;

	if (f->ending)
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "this server is shutting down; call again");
	masked = task_mask_cancel(t, true);
	deadline = task_set_deadline(t, USEC_NEVER);
	r = claim(t, f, kind, id, owner);
	task_set_deadline(t, deadline);
	task_mask_cancel(t, masked);
	return r;
}

int record_take_wanted(struct task *t, struct fleet *f, struct store_entry **ret)
{
	const char *key = record_wanted_of(t, f->node);
	int count = store_index_read(t, f->app->store, key, ret), r;

	for (int i = 0; i < count; i++) {
		r = store_index_remove(t, f->app->store, key, (*ret)[i].name);
		if (r < 0)
			return r;
	}
	return count;
}

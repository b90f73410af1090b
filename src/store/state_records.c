/*
 * A state is a value, browserd:state:OWNER:NAME, which expires. What is known of it without reading it is in an index,
 * browserd:states:OWNER, which expires with the last of them; entries of states that have expired are removed when it is read.
 */
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "store/states_internal.h"

struct state_records {
	struct states states;
	struct store *store;
	unsigned ttl;
};

static struct state_records *records_of(struct states *s)
{
	return (struct state_records *)s;
}

/* A key of the owner: "all" for those without a name, else "of-" and the name. */
static const char *states_key_of(struct task *t, const char *kind, const char *owner, const char *name)
{
	_cleanup_(str_done) struct str key = {};

	str_appendf(&key, STORE_PREFIX "%s:", kind);
	str_append(&key, owner ? "of-" : "all");
	store_append_part(&key, owner ? owner : "");
	if (name)
		str_appendf(&key, ":%s", name);
	return arena_strdup(task_arena(t), key.data);
}

/* ---- the index ---- */

static bool read_entry(struct task *t, const struct store_entry *e, struct state_facts *ret)
{
	*ret = (struct state_facts){ .name = e->name };
	return state_name_is_valid(e->name) && state_facts_read(t, e->text, ret);
}

static int records_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret)
{
	const char *index = states_key_of(t, "states", owner, NULL);
	int64_t now = clock_unix_msec();
	struct store_entry *entries;
	struct state_facts *list;
	int all, count = 0, r = 0;

	all = store_index_read(t, records_of(s)->store, index, &entries);
	if (all < 0)
		return all;
	list = arena_alloc(task_arena(t), ((size_t)all + 1) * sizeof(*list));
	for (int i = 0; i < all && r >= 0; i++) {
		if (read_entry(t, &entries[i], &list[count]) && list[count].expires_at > now)
			count++;
		else
			r = store_index_remove(t, records_of(s)->store, index, entries[i].name);
	}
	if (r < 0)
		return r;
	state_facts_sort(list, (size_t)count);
	*ret = list;
	return count;
}

/* ---- states ---- */

/* `last` gets the latest time at which a state of the owner ends, if that is later. */
static int records_check_room(struct task *t, struct states *s, const char *owner, const char *name, int64_t *last)
{
	struct state_facts *list;
	int count = records_list(t, s, owner, &list);

	if (count < 0)
		return count;
	for (int i = 0; i < count; i++)
		*last = MAX(*last, list[i].expires_at);
	if (count < (int)LIMIT_STATES_COUNT || state_facts_have(list, (size_t)count, name))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "there are %d states already, as many as there can be; delete one of them",
			 count);
}

static int records_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text,
			size_t len)
{
	const char *index = states_key_of(t, "states", owner, NULL);
	_cleanup_(str_done) struct str entry = {};
	int64_t last;
	int r;

	facts->size = len;
	facts->saved_at = clock_unix_msec();
	facts->expires_at = last = facts->saved_at + (int64_t)records_of(s)->ttl * 1000;
	r = records_check_room(t, s, owner, facts->name, &last);
	if (r < 0)
		return r;
	r = store_set(t, records_of(s)->store, states_key_of(t, "state", owner, facts->name), text, len, records_of(s)->ttl);
	if (r < 0)
		return r;
	state_facts_print(facts, &entry);
	r = store_index_set(t, records_of(s)->store, index, facts->name, entry.data);
	if (r == 0)
		r = store_expire(t, records_of(s)->store, index, (unsigned)((last - facts->saved_at) / 1000));
	return MIN(r, 0);
}

static int records_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret)
{
	return store_get(t, records_of(s)->store, states_key_of(t, "state", owner, name), ret);
}

static int records_delete(struct task *t, struct states *s, const char *owner, const char *name)
{
	int r = store_delete(t, records_of(s)->store, states_key_of(t, "state", owner, name));
	int listed = r < 0 ? r : store_index_remove(t, records_of(s)->store, states_key_of(t, "states", owner, NULL), name);

	return listed < 0 ? listed : r;
}

static void records_free(struct states *s)
{
	free(records_of(s));
}

struct states *states_new(struct store *store, unsigned ttl)
{
	struct state_records *s = NEW(struct state_records);

	*s = (struct state_records){
		.states = { records_save, records_load, records_list, records_delete, records_free },
		.store = store,
		.ttl = ttl,
	};
	return &s->states;
}

/*
 * A state is a value, browserd:state:OWNER:NAME, which expires. What is known of it without reading it is in an index,
 * browserd:states:OWNER, which expires with the last of them; entries of states that have expired are removed when it is read.
 */
#include "store/states.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/limits.h"

#define NAME_MAX_BYTES 64
#define FACTS_DEPTH 4

struct states {
	struct store *store;
	unsigned ttl;
};

struct states *states_new(struct store *store, unsigned ttl)
{
	struct states *s = NEW(struct states);

	*s = (struct states){ .store = store, .ttl = ttl };
	return s;
}

struct states *states_free(struct states *s)
{
	free(s);
	return NULL;
}

bool state_name_is_valid(const char *name)
{
	size_t len = strspn(name, STORE_NAME_CHARACTERS);

	return len > 0 && len <= NAME_MAX_BYTES && !name[len];
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

static void print_facts(const struct state_facts *f, struct str *out)
{
	str_json(out, "{savedAt: ?, expiresAt: ?, size: ?, cookies: ?, origins: ?, site: ?}", f->saved_at, f->expires_at, f->size,
		 f->cookies, f->origins, f->site);
}

/* False: it is not what print_facts() writes. */
static bool read_facts(struct task *t, const struct store_entry *e, struct state_facts *ret)
{
	_cleanup_(json_freep) struct json *v = NULL;

	if (!state_name_is_valid(e->name) ||
	    json_parse(e->text, strlen(e->text), FACTS_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
		return false;
	*ret = (struct state_facts){
		.name = e->name,
		.saved_at = json_int(v, "savedAt", 0),
		.expires_at = json_int(v, "expiresAt", 0),
		.size = (size_t)json_int(v, "size", 0),
		.cookies = (unsigned)json_int(v, "cookies", 0),
		.origins = (unsigned)json_int(v, "origins", 0),
		.site = arena_strdup(task_arena(t), json_text(v, "site")),
	};
	return true;
}

static int states_compare_names(const void *a, const void *b)
{
	return strcmp(((const struct state_facts *)a)->name, ((const struct state_facts *)b)->name);
}

int states_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret)
{
	const char *index = states_key_of(t, "states", owner, NULL);
	int64_t now = clock_unix_msec();
	struct store_entry *entries;
	struct state_facts *list;
	int all, count = 0, r = 0;

	all = store_index_read(t, s->store, index, &entries);
	if (all < 0)
		return all;
	list = arena_alloc(task_arena(t), ((size_t)all + 1) * sizeof(*list));
	for (int i = 0; i < all && r >= 0; i++) {
		if (read_facts(t, &entries[i], &list[count]) && list[count].expires_at > now)
			count++;
		else
			r = store_index_remove(t, s->store, index, entries[i].name);
	}
	if (r < 0)
		return r;
	qsort(list, (size_t)count, sizeof(*list), states_compare_names);
	*ret = list;
	return count;
}

/* ---- states ---- */

/* `last` gets the latest time at which a state of the owner ends, if that is later. */
static int check_room(struct task *t, struct states *s, const char *owner, const char *name, int64_t *last)
{
	struct state_facts *list;
	int count = states_list(t, s, owner, &list);

	if (count < 0)
		return count;
	for (int i = 0; i < count; i++)
		*last = MAX(*last, list[i].expires_at);
	if (count < (int)LIMIT_STATES_COUNT ||
	    bsearch(&(struct state_facts){ .name = name }, list, (size_t)count, sizeof(*list), states_compare_names))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "there are %d states already, as many as there can be; delete one of them",
			 count);
}

int states_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len)
{
	const char *index = states_key_of(t, "states", owner, NULL);
	_cleanup_(str_done) struct str entry = {};
	int64_t last;
	int r;

	facts->size = len;
	facts->saved_at = clock_unix_msec();
	facts->expires_at = last = facts->saved_at + (int64_t)s->ttl * 1000;
	r = check_room(t, s, owner, facts->name, &last);
	if (r < 0)
		return r;
	r = store_set(t, s->store, states_key_of(t, "state", owner, facts->name), text, len, s->ttl);
	if (r < 0)
		return r;
	print_facts(facts, &entry);
	r = store_index_set(t, s->store, index, facts->name, entry.data);
	if (r == 0)
		r = store_expire(t, s->store, index, (unsigned)((last - facts->saved_at) / 1000));
	return MIN(r, 0);
}

int states_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret)
{
	return store_get(t, s->store, states_key_of(t, "state", owner, name), ret);
}

int states_delete(struct task *t, struct states *s, const char *owner, const char *name)
{
	int r = store_delete(t, s->store, states_key_of(t, "state", owner, name));
	int listed = r < 0 ? r : store_index_remove(t, s->store, states_key_of(t, "states", owner, NULL), name);

	return listed < 0 ? listed : r;
}

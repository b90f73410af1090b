/* What both places of states have in common, and the way to the one that a server has. */
#include <stdlib.h>
#include <string.h>

#include "store/states_internal.h"

#define NAME_MAX_BYTES 64
#define FACTS_DEPTH 4

struct states *states_free(struct states *s)
{
	if (s)
		s->free(s);
	return NULL;
}

bool state_name_is_valid(const char *name)
{
	size_t len = strspn(name, STORE_NAME_CHARACTERS);

	return len > 0 && len <= NAME_MAX_BYTES && !name[len];
}

int states_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len)
{
	return s->save(t, s, owner, facts, text, len);
}

int states_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret)
{
	return s->load(t, s, owner, name, ret);
}

int states_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret)
{
	return s->list(t, s, owner, ret);
}

int states_delete(struct task *t, struct states *s, const char *owner, const char *name)
{
	return s->delete (t, s, owner, name);
}

/* ---- facts ---- */

void state_facts_print(const struct state_facts *f, struct str *out)
{
	str_json(out, "{savedAt: ?, expiresAt: ?, size: ?, cookies: ?, origins: ?, site: ?}", f->saved_at, f->expires_at, f->size,
		 f->cookies, f->origins, f->site);
}

bool state_facts_read(struct task *t, const char *text, struct state_facts *ret)
{
	_cleanup_(json_freep) struct json *v = NULL;

	if (json_parse(text, strlen(text), FACTS_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
		return false;
	*ret = (struct state_facts){
		.name = ret->name,
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

void state_facts_sort(struct state_facts *list, size_t count)
{
	qsort(list, count, sizeof(*list), states_compare_names);
}

bool state_facts_have(const struct state_facts *list, size_t count, const char *name)
{
	return bsearch(&(struct state_facts){ .name = name }, list, count, sizeof(*list), states_compare_names);
}

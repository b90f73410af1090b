#include "people/links.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/limits.h"

struct view_link {
	TAILQ_ENTRY(view_link) link;
	char id[LINK_ID_SIZE];
	struct scope scope;
	usec_t until;
	bool once;
};

struct links {
	const char *node;
	TAILQ_HEAD(, view_link) list;
	unsigned count;
};

struct links *links_new(const char *node)
{
	struct links *l = NEW(struct links);

	l->node = node;
	TAILQ_INIT(&l->list);
	return l;
}

static void links_remove(struct links *l, struct view_link *v)
{
	TAILQ_REMOVE(&l->list, v, link);
	l->count--;
	explicit_bzero(v->id, sizeof(v->id));
	free(v);
}

struct links *links_free(struct links *l)
{
	if (!l)
		return NULL;
	while (!TAILQ_EMPTY(&l->list))
		links_remove(l, TAILQ_FIRST(&l->list));
	free(l);
	return NULL;
}

static void links_remove_expired(struct links *l)
{
	usec_t now = clock_now();
	struct view_link *v, *next;

	for (v = TAILQ_FIRST(&l->list); v; v = next) {
		next = TAILQ_NEXT(v, link);
		if (v->until <= now)
			links_remove(l, v);
	}
}

static unsigned links_count_of(const struct links *l, uint64_t owner)
{
	const struct view_link *v;
	unsigned count = 0;

	TAILQ_FOREACH(v, &l->list, link)
		count += v->scope.owner == owner;
	return count;
}

bool links_add(struct links *l, const struct scope *scope, usec_t valid, bool once, char ret_id[LINK_ID_SIZE])
{
	char random[RANDOM_NAME_SIZE];
	struct view_link *v;

	links_remove_expired(l);
	if (l->count >= LIMIT_LINKS_COUNT || links_count_of(l, scope->owner) >= LIMIT_LINKS_OWNER_COUNT)
		return false;
	v = NEW(struct view_link);
	random_name(random);
	node_make_id(l->node, random, v->id, sizeof(v->id));
	v->scope = *scope;
	v->until = clock_now() + valid;
	v->once = once;
	TAILQ_INSERT_TAIL(&l->list, v, link);
	l->count++;
	memcpy(ret_id, v->id, LINK_ID_SIZE);
	return true;
}

bool links_use(struct links *l, const char *id, struct scope *ret)
{
	struct view_link *v;

	links_remove_expired(l);
	TAILQ_FOREACH(v, &l->list, link)
		if (secrets_equal(v->id, id)) {
			*ret = v->scope;
			if (v->once)
				links_remove(l, v);
			return true;
		}
	return false;
}

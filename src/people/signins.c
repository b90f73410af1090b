#include "people/signins.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/limits.h"

struct signin {
	TAILQ_ENTRY(signin) link;
	struct signins *all;
	char secret[LOGIN_SECRET_SIZE];
	struct scope scope;
	usec_t until;
	struct timer *timer;
};

struct signins {
	struct loop *loop;
	const char *node;
	TAILQ_HEAD(signin_list, signin) list; /* in the order of their making */
	unsigned count;
	uint64_t last_person;
	void (*ended)(struct signin *login, void *data);
	void *data;
};

struct signins *signins_new(struct loop *l, const char *node, void (*ended)(struct signin *login, void *data), void *data)
{
	struct signins *all = NEW(struct signins);

	*all = (struct signins){ .loop = l, .node = node, .ended = ended, .data = data };
	TAILQ_INIT(&all->list);
	return all;
}

struct signins *signins_free(struct signins *l)
{
	if (!l)
		return NULL;
	while (!TAILQ_EMPTY(&l->list))
		signin_end(TAILQ_FIRST(&l->list));
	free(l);
	return NULL;
}

void signin_end(struct signin *login)
{
	struct signins *all = login->all;

	all->ended(login, all->data);
	TAILQ_REMOVE(&all->list, login, link);
	all->count--;
	timer_free(login->timer);
	explicit_bzero(login->secret, sizeof(login->secret));
	free(login);
}

static void on_signin_over(void *data)
{
	signin_end(data);
}

/* Logins of one owner by token are a group, and those by links to one session are: nobody can end those of another group. */
static bool signins_is_of_group(const struct signin *l, const struct scope *scope)
{
	return l->scope.owner == scope->owner && !strcmp(l->scope.session, scope->session);
}

static unsigned signins_count_of(const struct signins *all, const struct scope *scope, struct signin **ret_oldest)
{
	struct signin *l;
	unsigned count = 0;

	*ret_oldest = NULL;
	TAILQ_FOREACH(l, &all->list, link) {
		if (!signins_is_of_group(l, scope))
			continue;
		if (!*ret_oldest)
			*ret_oldest = l;
		count++;
	}
	return count;
}

static int signins_compare_owners(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The owner that has the most logins, of all its groups. */
static uint64_t signins_largest_owner(const struct signins *all)
{
	uint64_t owners[LIMIT_VIEW_LOGINS_COUNT], largest = 0;
	const struct signin *l;
	unsigned count = 0, run = 0, most = 0;

	TAILQ_FOREACH(l, &all->list, link)
		owners[count++] = l->scope.owner;
	qsort(owners, count, sizeof(owners[0]), signins_compare_owners);
	for (unsigned i = 0; i < count; i++) {
		run = i > 0 && owners[i] == owners[i - 1] ? run + 1 : 1;
		if (run > most) {
			most = run;
			largest = owners[i];
		}
	}
	return largest;
}

static void signins_end_oldest_of(struct signins *all, uint64_t owner)
{
	struct signin *l;

	TAILQ_FOREACH(l, &all->list, link)
		if (l->scope.owner == owner) {
			signin_end(l);
			return;
		}
}

static void signins_make_room(struct signins *all, const struct scope *scope)
{
	unsigned max = scope->session[0] ? LIMIT_VIEW_LOGINS_SESSION_COUNT : LIMIT_VIEW_LOGINS_OWNER_COUNT;
	struct signin *oldest;

	if (signins_count_of(all, scope, &oldest) >= max)
		signin_end(oldest);
	else if (all->count >= LIMIT_VIEW_LOGINS_COUNT)
		signins_end_oldest_of(all, signins_largest_owner(all));
}

struct signin *signins_add(struct signins *l, const struct scope *scope, usec_t time)
{
	struct signin *login = NEW(struct signin);
	char random[RANDOM_NAME_SIZE];

	signins_make_room(l, scope);
	login->all = l;
	login->scope = *scope;
	login->scope.person = ++l->last_person;
	random_name(random);
	node_make_id(l->node, random, login->secret, sizeof(login->secret));
	login->until = clock_now() + time;
	login->timer = timer_new(l->loop, on_signin_over, login);
	timer_set(login->timer, login->until);
	TAILQ_INSERT_TAIL(&l->list, login, link);
	l->count++;
	return login;
}

struct signin *signins_find(const struct signins *l, const char *secret)
{
	struct signin *login;

	TAILQ_FOREACH(login, &l->list, link)
		if (secrets_equal(login->secret, secret))
			return login->until > clock_now() ? login : NULL;
	return NULL;
}

const char *signin_secret(const struct signin *login)
{
	return login->secret;
}

const struct scope *signin_scope(const struct signin *login)
{
	return &login->scope;
}

usec_t signin_until(const struct signin *login)
{
	return login->until;
}

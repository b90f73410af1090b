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
	void (*ended)(struct signin *signin, void *data);
	void *data;
};

struct signins *signins_new(struct loop *l, const char *node, void (*ended)(struct signin *signin, void *data), void *data)
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

void signin_end(struct signin *signin)
{
	struct signins *all = signin->all;

	all->ended(signin, all->data);
	TAILQ_REMOVE(&all->list, signin, link);
	all->count--;
	timer_free(signin->timer);
	explicit_bzero(signin->secret, sizeof(signin->secret));
	free(signin);
}

static void on_signin_over(void *data)
{
	signin_end(data);
}

static unsigned signins_count_of(const struct signins *all, uint64_t owner, struct signin **ret_oldest)
{
	struct signin *l;
	unsigned count = 0;

	*ret_oldest = NULL;
	TAILQ_FOREACH(l, &all->list, link) {
		if (l->scope.owner != owner)
			continue;
		if (!*ret_oldest)
			*ret_oldest = l;
		count++;
	}
	return count;
}

/* The oldest sign-in of the owner that has the most, of whom there may be as many as subjects of tokens. */
static struct signin *signins_most(const struct signins *all)
{
	struct signin *l, *oldest, *found = NULL;
	unsigned most = 0, count;

	TAILQ_FOREACH(l, &all->list, link) {
		count = signins_count_of(all, l->scope.owner, &oldest);
		if (count > most) {
			most = count;
			found = oldest;
		}
	}
	return found;
}

static void signins_make_room(struct signins *all, uint64_t owner)
{
	struct signin *oldest;

	if (signins_count_of(all, owner, &oldest) >= LIMIT_VIEW_LOGINS_OWNER_COUNT)
		signin_end(oldest);
	else if (all->count >= LIMIT_VIEW_LOGINS_COUNT)
		signin_end(signins_most(all));
}

struct signin *signins_add(struct signins *l, const struct scope *scope, usec_t time)
{
	struct signin *signin = NEW(struct signin);
	char random[RANDOM_NAME_SIZE];

	signins_make_room(l, scope->owner);
	signin->all = l;
	signin->scope = *scope;
	signin->scope.person = ++l->last_person;
	random_name(random);
	node_make_id(l->node, random, signin->secret, sizeof(signin->secret));
	signin->until = clock_now() + time;
	signin->timer = timer_new(l->loop, on_signin_over, signin);
	timer_set(signin->timer, signin->until);
	TAILQ_INSERT_TAIL(&l->list, signin, link);
	l->count++;
	return signin;
}

struct signin *signins_find(const struct signins *l, const char *secret)
{
	struct signin *signin;

	TAILQ_FOREACH(signin, &l->list, link)
		if (secrets_equal(signin->secret, secret))
			return signin->until > clock_now() ? signin : NULL;
	return NULL;
}

const char *signin_secret(const struct signin *signin)
{
	return signin->secret;
}

const struct scope *signin_scope(const struct signin *signin)
{
	return &signin->scope;
}

usec_t signin_until(const struct signin *signin)
{
	return signin->until;
}

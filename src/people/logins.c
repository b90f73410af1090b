#include "people/logins.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "base/limits.h"

struct login {
	TAILQ_ENTRY(login) link;
	struct logins *all;
	char secret[LOGIN_SECRET_SIZE];
	struct scope scope;
	usec_t until;
	struct timer *timer;
};

struct logins {
	struct loop *loop;
	const char *node;
	TAILQ_HEAD(login_list, login) list; /* in the order of their making */
	unsigned count;
	uint64_t last_person;
	void (*ended)(struct login *login, void *data);
	void *data;
};

struct logins *logins_new(struct loop *l, const char *node, void (*ended)(struct login *login, void *data), void *data)
{
	struct logins *all = NEW(struct logins);

	*all = (struct logins){ .loop = l, .node = node, .ended = ended, .data = data };
	TAILQ_INIT(&all->list);
	return all;
}

struct logins *logins_free(struct logins *l)
{
	if (!l)
		return NULL;
	while (!TAILQ_EMPTY(&l->list))
		login_end(TAILQ_FIRST(&l->list));
	free(l);
	return NULL;
}

void login_end(struct login *login)
{
	struct logins *all = login->all;

	all->ended(login, all->data);
	TAILQ_REMOVE(&all->list, login, link);
	all->count--;
	timer_free(login->timer);
	explicit_bzero(login->secret, sizeof(login->secret));
	free(login);
}

static void on_login_over(void *data)
{
	login_end(data);
}

static unsigned logins_count_of(const struct logins *all, uint64_t owner, struct login **ret_oldest)
{
	struct login *l;
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

/* The oldest login of the owner that has the most, of whom there may be as many as subjects of tokens. */
static struct login *logins_most(const struct logins *all)
{
	struct login *l, *oldest, *found = NULL;
	unsigned most = 0, count;

	TAILQ_FOREACH(l, &all->list, link) {
		count = logins_count_of(all, l->scope.owner, &oldest);
		if (count > most) {
			most = count;
			found = oldest;
		}
	}
	return found;
}

static void logins_make_room(struct logins *all, uint64_t owner)
{
	struct login *oldest;

	if (logins_count_of(all, owner, &oldest) >= LIMIT_VIEW_LOGINS_OWNER_COUNT)
		login_end(oldest);
	else if (all->count >= LIMIT_VIEW_LOGINS_COUNT)
		login_end(logins_most(all));
}

struct login *logins_add(struct logins *l, const struct scope *scope, usec_t time)
{
	struct login *login = NEW(struct login);
	char random[RANDOM_NAME_SIZE];

	logins_make_room(l, scope->owner);
	login->all = l;
	login->scope = *scope;
	login->scope.person = ++l->last_person;
	random_name(random);
	node_make_id(l->node, random, login->secret, sizeof(login->secret));
	login->until = clock_now() + time;
	login->timer = timer_new(l->loop, on_login_over, login);
	timer_set(login->timer, login->until);
	TAILQ_INSERT_TAIL(&l->list, login, link);
	l->count++;
	return login;
}

struct login *logins_find(const struct logins *l, const char *secret)
{
	struct login *login;

	TAILQ_FOREACH(login, &l->list, link)
		if (secrets_equal(login->secret, secret))
			return login->until > clock_now() ? login : NULL;
	return NULL;
}

const char *login_secret(const struct login *login)
{
	return login->secret;
}

const struct scope *login_scope(const struct login *login)
{
	return &login->scope;
}

usec_t login_until(const struct login *login)
{
	return login->until;
}

/* Logins to the live view and links: how many there may be, whose end whose, what a link is good for. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "people/links.h"
#include "people/signins.h"

#define MINUTE (60 * USEC_PER_SEC)

static usec_t now = 1000 * MINUTE;

usec_t __wrap_clock_now(void);
usec_t __wrap_clock_now(void)
{
	return now;
}

struct fixture {
	struct loop *loop;
	struct signins *logins;
	unsigned ended;
	uint64_t last_ended; /* the person of that login */
};

static void on_ended(struct signin *login, void *data)
{
	struct fixture *f = data;

	f->ended++;
	f->last_ended = signin_scope(login)->person;
}

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	assert_int_equal(loop_new(&f->loop), 0);
	f->logins = signins_new(f->loop, "node", on_ended, f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	signins_free(f->logins);
	loop_free(f->loop);
	free(f);
	return 0;
}

static struct scope scope_of(uint64_t owner, const char *session)
{
	struct scope s = { .owner = owner };

	snprintf(s.session, sizeof(s.session), "%s", session);
	return s;
}

static struct signin *add(struct fixture *f, uint64_t owner, const char *session)
{
	const struct scope scope = scope_of(owner, session);

	return signins_add(f->logins, &scope, MINUTE);
}

static void test_a_login(void **state)
{
	struct fixture *f = *state;
	struct signin *a = add(f, 1, ""), *b = add(f, 1, "");
	char secret[LOGIN_SECRET_SIZE];

	snprintf(secret, sizeof(secret), "%s", signin_secret(a));
	assert_true(starts_with(secret, "node."));
	assert_int_equal(strlen(secret), 5 + 32);
	assert_string_not_equal(secret, signin_secret(b));
	assert_int_not_equal(signin_scope(a)->person, signin_scope(b)->person);
	assert_ptr_equal(signins_find(f->logins, secret), a);
	secret[10] ^= 1;
	assert_null(signins_find(f->logins, secret));
	assert_null(signins_find(f->logins, ""));
	secret[10] ^= 1;
	now += MINUTE; /* its timer has not run yet */
	assert_null(signins_find(f->logins, secret));
	signin_end(a);
	assert_int_equal(f->ended, 1);
}

/* Neither do links end logins by token, nor links to one session those to another, nor one owner those of another. */
static void test_limits_are_of_a_group(void **state)
{
	struct fixture *f = *state;
	uint64_t first = signin_scope(add(f, 1, ""))->person, first_of_session;

	add(f, 2, "");
	add(f, 1, "b");
	first_of_session = signin_scope(add(f, 1, "a"))->person;
	for (unsigned i = 1; i < LIMIT_VIEW_LOGINS_SESSION_COUNT; i++)
		add(f, 1, "a");
	assert_int_equal(f->ended, 0);
	add(f, 1, "a");
	assert_int_equal(f->ended, 1);
	assert_int_equal(f->last_ended, first_of_session);
	for (unsigned i = 1; i < LIMIT_VIEW_LOGINS_OWNER_COUNT; i++)
		add(f, 1, "");
	assert_int_equal(f->ended, 1);
	add(f, 1, "");
	assert_int_equal(f->ended, 2);
	assert_int_equal(f->last_ended, first);
}

/* When there are too many of all, the owner that has the most of all its sessions gives the oldest. */
static void test_limit_of_all(void **state)
{
	struct fixture *f = *state;
	unsigned count = 0;
	char session[20];

	for (; count < 20; count++)
		add(f, 3, "");
	for (uint64_t owner = 10; count < LIMIT_VIEW_LOGINS_COUNT - 30; owner++, count++)
		add(f, owner, "");
	for (; count < LIMIT_VIEW_LOGINS_COUNT; count++) {
		snprintf(session, sizeof(session), "%u", count / 10);
		add(f, 1, session);
	}
	assert_int_equal(f->ended, 0);
	add(f, 2, "");
	assert_int_equal(f->ended, 1);
	assert_int_equal(f->last_ended, LIMIT_VIEW_LOGINS_COUNT - 30 + 1);
}

static void test_links(void **state)
{
	struct links *links = links_new(NULL);
	struct scope scope = scope_of(1, "s"), got;
	char once[LINK_ID_SIZE], often[LINK_ID_SIZE], id[LINK_ID_SIZE];

	assert_true(links_add(links, &scope, MINUTE, true, once));
	scope.act = true;
	assert_true(links_add(links, &scope, MINUTE, false, often));
	assert_int_equal(strlen(once), 32);
	assert_false(links_use(links, "", &got));
	assert_true(links_use(links, once, &got));
	assert_false(got.act);
	assert_string_equal(got.session, "s");
	assert_false(links_use(links, once, &got));
	assert_true(links_use(links, often, &got) && links_use(links, often, &got));
	assert_true(got.act);
	for (unsigned i = 1; i < LIMIT_LINKS_OWNER_COUNT; i++)
		assert_true(links_add(links, &scope, 2 * MINUTE, true, id));
	assert_false(links_add(links, &scope, MINUTE, true, id));
	scope.owner = 2;
	assert_true(links_add(links, &scope, MINUTE, true, id));
	now += MINUTE;
	assert_false(links_use(links, often, &got));
	scope.owner = 1;
	assert_true(links_add(links, &scope, MINUTE, true, id)); /* the first one has expired */
	links_free(links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_login, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limits_are_of_a_group, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit_of_all, setup, teardown),
		cmocka_unit_test(test_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What viewers are sent of sessions: cards, and the changes of one that is looked at closely. */
#include "server_fixture.h"

#include <stdio.h>
#include <string.h>

#include "people/calls.h"
#include "people/cards.h"
#include "people/focus.h"
#include "people/session_key.h"
#include "people/titles.h"
#include "reply/writer.h"
#include "tools/lines.h"
#include "tools/table.h"

static struct calls *calls;
static struct titles *titles;
static struct cards *cards;
static unsigned titles_read;

static void on_began(struct mcp_call *call)
{
	calls_began(calls, call);
}

static void on_called(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	calls_ended(calls, call, outcome, duration);
}

static void on_titles(void *data)
{
	titles_read++;
}

static int set_up(void **state)
{
	static const struct response_settings answers = { .form = ANSWERS_PLAYWRIGHT, .writer = &markdown_writer };
	static const struct registry_options sessions = { .timeout = 60 * USEC_PER_SEC, .max = 3 };
	struct server *s = server_new(tool_table, &answers, &sessions);

	calls = calls_new(s->app.registry);
	titles = titles_new(s->loop, &s->app, on_titles, NULL);
	cards = cards_new(&s->app, calls, titles);
	s->mcp.began = on_began;
	s->mcp.called = on_called;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	cards = cards_free(cards);
	titles = titles_free(titles);
	server_tear_down(state);
	calls = calls_free(calls);
	return 0;
}

static void call(struct server *s, const char *tool, const char *more)
{
	_cleanup_(str_done) struct str arguments = {};
	const struct session *first = registry_next(s->app.registry, 1, NULL);

	str_json(&arguments, "{sessionId: ?", session_id(first));
	str_appendf(&arguments, "%s%s}", *more ? "," : "", more);
	json_free(server_call(s, tool, arguments.data));
}

static const struct session *create(struct server *s)
{
	json_free(server_call(s, "create_session", "{}"));
	return registry_next(s->app.registry, 1, NULL);
}

/* What the text of the card, or of a message, says. The caller frees it. */
static struct json *read(const char *text)
{
	struct json *parsed = NULL;

	assert_int_equal(json_parse(text, strlen(text), 64, JSON_REFUSE_UNREPRESENTABLE, &parsed), 0);
	return parsed;
}

static struct json *card_of(const struct session *s)
{
	const struct card *card;

	cards_update(cards);
	card = cards_find(cards, session_owner(s), session_id(s));
	assert_non_null(card);
	return read(card->json);
}

static void a_card_says_what_a_session_does(void **state)
{
	struct server *s = *state;
	const struct session *session = create(s);
	_cleanup_(json_freep) struct json *card = NULL;
	struct session_key key;

	call(s, "navigate", "\"url\": \"http://shop/\"");
	card = card_of(session);
	assert_true(session_key_parse(json_str(card, "key"), &key));
	assert_int_equal(key.owner, 1);
	assert_string_equal(key.session, session_id(session));
	assert_string_equal(json_text(card, "id"), session_id(session));
	assert_string_equal(json_text(card, "state"), "idle");
	assert_string_equal(json_text(card, "url"), "http://shop/");
	assert_int_equal(json_int(card, "tabs", 0), 1);
	assert_int_equal(json_int(card, "calls", 0), 2);
	assert_int_equal(json_count(json_member(card, "running")), 0);
	assert_int_equal(json_count(json_member(card, "last")), 2);
	assert_string_equal(json_text(json_first(json_member(card, "last")), "line"), "Create the session");
	assert_string_equal(json_text(json_first(json_member(card, "last")), "outcome"), "ok");
}

static void a_card_has_a_new_revision_only_if_it_changed(void **state)
{
	struct server *s = *state;
	const struct session *session = create(s);
	uint64_t first;

	json_free(card_of(session));
	first = cards_revision(cards);
	assert_int_equal(cards_find(cards, 1, session_id(session))->revision, first);
	cards_update(cards);
	assert_int_equal(cards_revision(cards), first);
	call(s, "navigate", "\"url\": \"http://shop/\"");
	cards_update(cards);
	assert_int_equal(cards_revision(cards), first + 1);
	assert_null(cards_find(cards, 2, session_id(session)));
}

static void a_card_ends_with_its_session(void **state)
{
	struct server *s = *state;
	char id[SESSION_ID_SIZE];

	snprintf(id, sizeof(id), "%s", session_id(create(s)));
	cards_update(cards);
	assert_non_null(cards_find(cards, 1, id));
	call(s, "close_session", "");
	cards_update(cards);
	assert_null(cards_find(cards, 1, id));
}

static void titles_are_those_of_the_browsers(void **state)
{
	struct server *s = *state;
	const struct session *session = create(s);
	_cleanup_(json_freep) struct json *card = NULL;

	call(s, "navigate", "\"url\": \"http://shop/\"");
	titles_read = 0;
	titles_refresh(titles);
	while (!titles_read)
		assert_int_equal(loop_step(s->loop), 0);
	card = card_of(session);
	assert_string_equal(json_text(card, "title"), "Shop");
	titles_refresh(titles); /* they are fresh */
	assert_int_equal(task_count(), 0);
}

static struct json *changes(struct server *s, struct focus *f)
{
	_cleanup_(str_done) struct str text = {};
	bool changed;

	str_append(&text, "{\"first\":1");
	changed = focus_append(f, calls, titles, registry_next(s->app.registry, 1, NULL), &text);
	str_append_char(&text, '}');
	assert_int_equal(changed, text.len > strlen("{\"first\":1}"));
	return changed ? read(text.data) : NULL;
}

static void a_close_look_gets_what_has_changed(void **state)
{
	struct server *s = *state;
	const struct session *session = create(s);
	struct session_key key = session_key_of(session);
	struct focus f = {};
	struct json *m;

	call(s, "navigate", "\"url\": \"http://shop/\"");
	focus_begin(&f, &key);
	m = changes(s, &f);
	assert_int_equal(json_count(json_member(m, "tabs")), 1);
	assert_true(json_bool(json_first(json_member(m, "tabs")), "current", false));
	assert_string_equal(json_text(json_first(json_member(m, "tabs")), "url"), "http://shop/");
	assert_int_equal(json_count(json_member(m, "calls")), 2);
	assert_int_equal(json_int(m, "page", 0), 1);
	json_free(m);
	assert_null(changes(s, &f));

	call(s, "navigate", "\"url\": 5");
	m = changes(s, &f);
	assert_null(json_member(m, "tabs"));
	assert_int_equal(json_count(json_member(m, "calls")), 1);
	assert_string_equal(json_text(json_first(json_member(m, "calls")), "error"), "INVALID_PARAMETERS");
	json_free(m);

	call(s, "browser_tabs", "\"action\": \"new\"");
	m = changes(s, &f);
	assert_int_equal(json_count(json_member(m, "tabs")), 2);
	assert_int_equal(json_int(m, "page", 0), 2); /* another page is current */
	json_free(m);
	focus_done(&f);
}

static void keys_of_sessions_are_read_as_they_are_written(void **state)
{
	const struct session_key key = session_key(18446744073709551615u, "a/b");
	char text[SESSION_KEY_TEXT_SIZE];
	struct session_key read;

	session_key_print(&key, text);
	assert_string_equal(text, "18446744073709551615/a/b");
	assert_true(session_key_parse(text, &read));
	assert_int_equal(session_key_compare(&key, &read), 0);
	for (const char *const *wrong = (const char *const[]){ "", "/", "1/", "1", "-1/a", " 1/a", "+1/a", "x/a", NULL }; *wrong;
	     wrong++)
		assert_false(session_key_parse(*wrong, &read));
	assert_false(session_key_parse(NULL, &read));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_card_says_what_a_session_does),    TEST(a_card_has_a_new_revision_only_if_it_changed),
		TEST(a_card_ends_with_its_session),       TEST(titles_are_those_of_the_browsers),
		TEST(a_close_look_gets_what_has_changed), cmocka_unit_test(keys_of_sessions_are_read_as_they_are_written),
	};

	arguments_use(tool_lines);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

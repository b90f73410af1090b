/* What a recording says: calls, when a person has control, and how the session ended. */
#include "session_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "loop/remove.h"
#include "recordings/recordings.h"
#include "recordings/shelf.h"
#include "reply/artifacts.h"
#include "reply/response.h"
#include "session/control.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, recordings_setup, recordings_teardown)
#define TIMELINE_ALONE (1u << 7) /* a kind of which nothing is written but the timeline */
#define ALICE 7u

static char folder[64];
static struct app app;
static struct output_settings output;
static struct response_settings answers;
static struct recording_settings settings;
static struct recordings *recordings;

static int recordings_setup(void **state)
{
	const struct fixture *f;

	if (fixture_setup(state) < 0)
		return -1;
	f = *state;
	strcpy(folder, "/tmp/test_recordings.XXXXXX");
	output = (struct output_settings){ .dir = mkdtemp(folder) };
	settings = (struct recording_settings){ .kinds = TIMELINE_ALONE };
	app = (struct app){ .registry = f->registry, .answers = &answers, .output = { .settings = &output } };
	app.output.artifacts = artifacts_new();
	recordings = recordings_new(loop, &app, &settings);
	registry_set_recorder(f->registry, recordings_recorder(recordings));
	return 0;
}

static int recordings_teardown(void **state)
{
	int r = fixture_teardown(state);

	recordings = recordings_free(recordings);
	artifacts_free(app.output.artifacts);
	remove_tree(folder);
	return r;
}

static void call_ended(const char *session, const char *line)
{
	recordings_called(recordings, 1, session,
			  &(const struct recorded_end){
				  .tool = "click", .line = line, .outcome = "ok", .began = clock_unix_msec() });
}

/* The contents of that file of the only recording. Valid until the next call. */
static const char *contents(const char *name)
{
	static struct str text;
	char pattern[160];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/recordings/*/%s", folder, name);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	str_done(&text);
	assert_int_equal(file_read(found.gl_pathv[0], 2 * LIMIT_RECORDING_TIMELINE, &text), 0);
	globfree(&found);
	return text.data;
}

static void close_and_finish(struct fixture *f, const char *id)
{
	expect(f, 1, id, run_close, 0, "");
	while (recordings_counts(recordings).now)
		loop_step(loop);
}

static void test_calls_and_the_end(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	assert_int_equal(create(f, 1, id), 0);
	assert_non_null(strstr(contents("manifest.json"), "\"state\":\"running\""));
	call_ended(id, "Click \"Save\"");
	assert_non_null(strstr(contents("timeline.jsonl"), "Click \\\"Save\\\""));
	close_and_finish(f, id);
	assert_non_null(strstr(contents("manifest.json"), "\"state\":\"finished\""));
	assert_non_null(strstr(contents("manifest.json"), "\"end\":\"was closed\""));
	assert_non_null(strstr(contents("manifest.json"), "\"calls\":1"));
	assert_int_equal(recordings_counts(recordings).finished, 1);
}

static void test_a_person_has_control(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	assert_int_equal(create(f, 1, id), 0);
	call_ended(id, "before");
	assert_int_equal(session_take_over(f->registry, 1, id, &(const struct control_claim){ .viewer = ALICE }), 0);
	call_ended(id, "meanwhile");
	assert_int_equal(session_hand_back(f->registry, 1, id, ALICE), 0);
	call_ended(id, "afterwards");
	close_and_finish(f, id);
	assert_null(strstr(contents("timeline.jsonl"), "meanwhile"));
	assert_non_null(strstr(contents("timeline.jsonl"), "before"));
	assert_non_null(strstr(contents("timeline.jsonl"), "A person has control"));
	assert_non_null(strstr(contents("timeline.jsonl"), "has handed back"));
	assert_non_null(strstr(contents("timeline.jsonl"), "afterwards"));
	assert_non_null(strstr(contents("manifest.json"), "\"calls\":2"));
}

/* One that is written when the timeline cannot be any more says so. */
static void test_a_timeline_that_is_full(void **state)
{
	_cleanup_(str_done) struct str line = {};
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE];

	assert_int_equal(create(f, 1, id), 0);
	while (line.len < LIMIT_RECORDING_TIMELINE / 4)
		str_append(&line, "0123456789abcdef");
	for (unsigned i = 0; i < 5; i++)
		call_ended(id, line.data);
	close_and_finish(f, id);
	assert_in_range(strlen(contents("timeline.jsonl")), LIMIT_RECORDING_TIMELINE / 2, LIMIT_RECORDING_TIMELINE);
	assert_non_null(strstr(contents("manifest.json"), "\"state\":\"incomplete\""));
	assert_int_equal(recordings_counts(recordings).incomplete, 1);
}

static void test_a_folder_that_cannot_be_written(void **state)
{
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE], path[96];

	snprintf(path, sizeof(path), "%s/recordings", folder);
	close(open(path, O_CREAT | O_WRONLY, 0600)); /* a file where the folder should be */
	assert_int_equal(create(f, 1, id), 0);
	call_ended(id, "nothing");
	assert_int_equal(recordings_counts(recordings).now, 0);
	expect(f, 1, id, run_close, 0, "");
}

static void test_what_is_listed(void **state)
{
	const struct shelf_owner who = { .owner = 1 };
	_cleanup_(str_done) struct str list = {};
	struct fixture *f = *state;
	char id[SESSION_ID_SIZE], name[160];
	const char *type;
	int fd;

	recordings_list(recordings, &who, &list);
	assert_string_equal(list.data, "[]");
	assert_int_equal(create(f, 1, id), 0);
	str_reset(&list);
	recordings_list(recordings, &who, &list);
	assert_non_null(strstr(list.data, id));
	snprintf(name, sizeof(name), "%.32s/timeline.jsonl", strstr(list.data, "\"key\":\"") + 7);
	fd = recordings_open(recordings, &who, name, &type);
	assert_true(fd >= 0);
	close(fd);
	assert_string_equal(type, "application/x-ndjson");
	name[32] = '\0';
	assert_int_equal(recordings_remove(recordings, &who, name), -EBUSY);
	close_and_finish(f, id);
	assert_int_equal(recordings_remove(recordings, &who, name), 0);
	assert_int_equal(recordings_remove(recordings, &who, name), -ENOENT);
	assert_int_equal(recordings_remove(recordings, &who, ".."), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_calls_and_the_end),       TEST(test_a_person_has_control),
		TEST(test_a_timeline_that_is_full), TEST(test_a_folder_that_cannot_be_written),
		TEST(test_what_is_listed),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}

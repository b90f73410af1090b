/*
 * A storage state, of a file and of a client: what the check of clients' states takes, that of files takes, too. What is left of one that is
 * bound to origins is a state, has no more than before, and is bound to the same.
 */
#include "base/error.h"
#include "base/json.h"
#include "base/limits.h"
#include "browser/storage.h"
#include "loop/failure_words.h"
#include "tools/session/bound.h"
#include "fuzz.h"

static void bind(struct task *t, const struct json *state)
{
	_cleanup_(json_freep) struct json *bound = NULL;
	_cleanup_(str_done) struct str text = {}, again = {};
	struct string_list origins = {}, same = {};
	const struct json *verify = bound_verify(state);

	if (bound_origins(t, state, &origins) != 1 || bound_check(t, &origins, verify) < 0)
		return;
	bound_print(t, state, &origins, verify, &text);
	CHECK(json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &bound) == 0);
	CHECK(json_count(json_member(bound, "cookies")) <= json_count(json_member(state, "cookies")));
	CHECK(bound_origins(t, bound, &same) == 1 && same.count == origins.count);
	bound_print(t, bound, &same, bound_verify(bound), &again);
	CHECK(strcmp(text.data, again.data) == 0);
}

static int run(struct task *t, void *data)
{
	int r = storage_check_all(t, data);

	CHECK(r == 0 || *failure_words(t, task_error(t)));
	if (r == 0)
		bind(t, data);
	return r;
}

static void done(struct task *t, int r, void *data)
{
	CHECK(r == 0 || r == -ERR_INVALID_PARAMETERS);
	if (r == 0 && json_type(data) == JSON_OBJECT)
		CHECK(!storage_check(data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct loop *loop;
	_cleanup_(json_freep) struct json *state = NULL;
	char *text = fuzz_copy(data, size);
	int r = json_parse(text, size, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &state);

	free(text);
	if (r < 0)
		return 0;
	(void)storage_check(state);
	if (!loop)
		CHECK(loop_new(&loop) == 0);
	CHECK(task_start(loop, "fuzz", run, done, state, &(struct task *){ NULL }) == 0);
	while (task_count())
		loop_step(loop);
	return 0;
}

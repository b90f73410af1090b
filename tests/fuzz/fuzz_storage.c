/* A storage state, of a file and of a client: what the check of clients' states takes, that of files takes, too. */
#include "base/error.h"
#include "base/json.h"
#include "base/limits.h"
#include "browser/storage.h"
#include "loop/failure_words.h"
#include "fuzz.h"

static int run(struct task *t, void *data)
{
	return storage_check_all(t, data);
}

static void done(struct task *t, int r, void *data)
{
	CHECK(r == 0 || (r == -ERR_INVALID_PARAMETERS && *failure_words(t, task_error(t))));
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

/* Tool arguments of every type: either all is well, or there is a failure that says what is wrong. */
#include "base/error.h"
#include "fuzz.h"
#include "loop/failure_words.h"
#include "mcp/tool.h"

static const char *const choices[] = { "left", "right", NULL };

struct all {
	const char *text, *shorter;
	double number, bounded;
	int count, button;
	int64_t big;
	bool flag;
	struct string_list list;
	const struct json *any;
};

static const struct param params[] = {
	PARAM(all, text, "t", .required = true),
	PARAM(all, shorter, "s", .max_length = 4),
	PARAM(all, number, "n"),
	PARAM(all, bounded, "b", .min = -1, .max = 1),
	PARAM(all, count, "c"),
	PARAM(all, button, "b", .choices = choices),
	PARAM(all, big, "b"),
	PARAM(all, flag, "f"),
	PARAM(all, list, "l"),
	PARAM(all, any, "a"),
	{},
};

static const struct tool tool = { .name = "all", .about = "a", .params = params, .size = sizeof(struct all) };

static void check_arguments(const struct all *a)
{
	CHECK(a->text && strlen(a->text) < SIZE_MAX);
	CHECK(!a->shorter || strlen(a->shorter) <= 4);
	CHECK(a->number - a->number == 0);
	CHECK(a->bounded >= -1 && a->bounded <= 1);
	CHECK(a->button == 0 || a->button == 1);
	for (size_t i = 0; i < a->list.count; i++)
		CHECK(strlen(a->list.items[i]) < SIZE_MAX);
}

static int run(struct task *t, void *data)
{
	const void *args = NULL;
	int r = tool_parse_arguments(t, &tool, &(const struct tool_style){}, data, &args);

	if (r == 0)
		check_arguments(args);
	return r;
}

static void done(struct task *t, int r, void *data)
{
	CHECK(r == 0 || r == -ERR_INVALID_PARAMETERS);
	if (r < 0)
		CHECK(failure_has_words(t, task_error(t)) && strlen(failure_words(t, task_error(t))) < 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct loop *loop;
	_cleanup_(json_freep) struct json *v = NULL;
	char *text = fuzz_copy(data, size);
	int r = json_parse(text, size, 64, JSON_REFUSE_UNREPRESENTABLE, &v);

	free(text);
	if (r < 0 || json_type(v) != JSON_OBJECT)
		return 0;
	if (!loop)
		CHECK(loop_new(&loop) == 0);
	CHECK(task_start(loop, "fuzz", run, done, v, &(struct task *){ NULL }) == 0);
	while (task_count())
		loop_step(loop);
	return 0;
}

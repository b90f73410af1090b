/*
 * A target as a client names it, and a browser that answers anything: the first line is the target, the others are replies to
 * all calls that wait, or with '@' before them messages of the browser. Resolving ends with an element or with a failure, and
 * the locator is one literal in the generated code of each language, whatever it is.
 */
#include "act/target.h"
#include "base/error.h"
#include "engine/cdp/cdp.h"
#include "fuzzed_page.h"
#include "reply/assertion.h"

#define CALLS 40 /* numbers of calls that a line is the reply to */
#define STEPS 8  /* turns of the loop after a line */

struct run {
	struct page *page;
	const char *target;
	bool any, ended;
};

static void check_literal(const char *code, char quote)
{
	const char *p = strchr(code, quote);

	CHECK(p);
	for (p++; *p != quote; p++) {
		CHECK((unsigned char)*p >= ' ');
		p += *p == '\\';
		CHECK(*p);
	}
	CHECK(!strchr(p + 1, quote));
}

static void check_code(const char *text)
{
	for (int l = CODE_TYPESCRIPT; l <= CODE_CSHARP; l++) {
		_cleanup_(str_done) struct str goto_ = {}, value = {};

		code_statement(&goto_, l, &(struct code_call){ .verb = CODE_GOTO, .text = text });
		check_literal(goto_.data, l == CODE_TYPESCRIPT ? '\'' : '"');
		assertion_statement(&value, l, ASSERT_VALUE, "locator", text);
		check_literal(value.data, l == CODE_TYPESCRIPT ? '\'' : '"');
	}
}

static int resolve(struct task *t, void *data)
{
	_cleanup_(target_done) struct target found = {};
	struct run *run = data;
	const char *locator = NULL;
	int r;

	r = run->any ? target_resolve_any(t, run->page, run->target, &found) : target_resolve(t, run->page, run->target, &found);
	CHECK(r <= 0);
	if (r < 0)
		return r;
	CHECK(found.frame && found.element && found.steps);
	r = target_locator(t, run->page, &found, "typescript", &locator);
	return r == 0 ? target_preview(t, &found, &locator) : r;
}

static void done(struct task *t, int r, void *data)
{
	((struct run *)data)->ended = true;
}

static void step(struct fuzzed *f)
{
	static struct ready hurry = { .run = fuzzed_nothing };

	for (unsigned i = 0; i < STEPS; i++) {
		loop_ready(f->loop, &hurry);
		loop_step(f->loop);
	}
}

static void reply(struct fuzzed *f, const char *line, size_t len)
{
	for (unsigned id = 1; id <= CALLS; id++) {
		_cleanup_(str_done) struct str text = {};

		str_appendf(&text, "{\"id\":%u,\"result\":", id);
		str_append_len(&text, line, len);
		str_append(&text, ",\"sessionId\":\"S1\"}");
		cdp_receive(f->cdp, text.data, text.len);
	}
}

static void receive(struct fuzzed *f, const char *line, size_t len)
{
	if (len && *line == '@')
		cdp_receive(f->cdp, line + 1, len - 1);
	else
		reply(f, line, len);
	step(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *target = must(strndup((const char *)data, len));
	struct run run = { .target = target, .any = size % 2 };
	struct fuzzed f;

	check_code(target);
	fuzzed_begin(&f, NULL);
	run.page = f.page;
	CHECK(task_start(f.loop, "fuzz", resolve, done, &run, &(struct task *){ NULL }) == 0);
	step(&f);
	if (newline)
		fuzzed_receive(&f, (const char *)newline + 1, size - len - 1, receive);
	page_group_gone(&f.pages);
	while (!run.ended)
		loop_step(f.loop);
	fuzzed_end(&f);
	free(target);
	return 0;
}

/* What a browser says of navigations and of its history, as structs. */
#include "test.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "cdp_pair.h"
#include "engine/cdp/cdp.h"
#include "engine/navigation.h"
#include "loop/loop.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	int peer;
	struct task *task;
	int result;
	struct str said;
};

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &cdp_pair_ignored, f, &f->cdp);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	cdp_pair_end(f->loop, f->cdp, f->peer);
	str_done(&f->said);
	free(f);
	return 0;
}

static void on_done(struct task *t, int result, void *data)
{
	struct fixture *f = data;

	f->task = NULL;
	f->result = result;
}

/* `reply`: the members beside the id. The call 1 is that of a new connection. */
static void expect(struct fixture *f, int (*run)(struct task *t, void *data), const char *reply, int result, const char *said)
{
	_cleanup_(str_done) struct str message = {};

	assert_int_equal(task_start(f->loop, "run", run, on_done, f, &f->task), 0);
	run_queued(f->loop);
	str_json(&message, "{id: 2, ?}", JSON_RAW(reply));
	cdp_receive(f->cdp, message.data, message.len);
	run_queued(f->loop);
	assert_null(f->task);
	assert_int_equal(f->result, result);
	assert_string_equal(str_text(&f->said), said);
}

static int navigate(struct task *t, void *data)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	struct fixture *f = data;
	struct engine_navigated n;
	int r;

	engine_navigate_frame(t, cdp_root(f->cdp), &call, "F", "u");
	assert_null(engine_navigated(&call).document);
	r = engine_await(t, &call);
	n = engine_navigated(&call);
	str_appendf(&f->said, "%s %s%s%s%s", n.document ? n.document : "-", n.error ? n.error : "-", n.is_aborted ? " aborted" : "",
		    n.is_unproxied ? " unproxied" : "", n.is_download ? " download" : "");
	return r;
}

static void test_document(void **state)
{
	expect(*state, navigate, "\"result\":{\"frameId\":\"F\",\"loaderId\":\"L\"}", 0, "L -");
}

static void test_fragment(void **state)
{
	expect(*state, navigate, "\"result\":{\"frameId\":\"F\"}", 0, "- -");
}

static void test_download(void **state)
{
	expect(*state, navigate, "\"result\":{\"loaderId\":\"L\",\"errorText\":\"net::ERR_ABORTED\",\"isDownload\":true}", 0,
	       "L net::ERR_ABORTED aborted download");
}

static void test_proxy(void **state)
{
	expect(*state, navigate, "\"result\":{\"errorText\":\"net::ERR_SOCKS_CONNECTION_FAILED\"}", 0,
	       "- net::ERR_SOCKS_CONNECTION_FAILED unproxied");
}

static void test_refused(void **state)
{
	expect(*state, navigate, "\"error\":{\"code\":-32000,\"message\":\"Cannot navigate to invalid URL\"}", -EREMOTE, "- -");
}

static int read_history(struct task *t, void *data)
{
	_cleanup_(page_history_done) struct page_history h = {};
	struct fixture *f = data;
	int r = engine_history(t, cdp_root(f->cdp), &h);

	str_appendf(&f->said, "at %zu of %zu:", h.current, h.count);
	for (size_t i = 0; i < h.count; i++)
		str_appendf(&f->said, " %d '%s'", h.items[i].id, h.items[i].url);
	return r;
}

static void test_history(void **state)
{
	expect(*state, read_history,
	       "\"result\":{\"currentIndex\":1,\"entries\":[{\"id\":7,\"url\":\"a\"},{\"id\":9,\"url\":\"b\"}]}", 0,
	       "at 1 of 2: 7 'a' 9 'b'");
}

/* Whatever a browser sends instead of numbers and texts. */
static void test_strange_history(void **state)
{
	expect(*state, read_history, "\"result\":{\"currentIndex\":-3,\"entries\":[{\"id\":\"x\",\"url\":8},null,5]}", 0,
	       "at 0 of 3: -1 '' -1 '' -1 ''");
}

static void test_no_history(void **state)
{
	expect(*state, read_history, "\"error\":{\"code\":-32000,\"message\":\"Not attached to an active page\"}", -EREMOTE,
	       "at 0 of 0:");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_document), TEST(test_fragment), TEST(test_download),        TEST(test_proxy),
		TEST(test_refused),  TEST(test_history),  TEST(test_strange_history), TEST(test_no_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

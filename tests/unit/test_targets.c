/* What a browser says of its targets and downloads, as structs. */
#include "test.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "cdp_pair.h"
#include "engine/browser.h"
#include "engine/cdp/cdp.h"
#include "loop/loop.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	int peer;
	struct engine_browser_events events;
	struct str said; /* what was reported, a line each */
	struct task *task;
	struct str own_id;
	size_t target_count;
};

static void on_attached(struct engine_target *root, const struct engine_attachment *a, void *data)
{
	const struct target_info *i = &a->target;
	struct fixture *f = data;

	assert_ptr_equal(root, cdp_root(f->cdp));
	str_appendf(&f->said, "attached %s%s: %s %s '%s' '%s' '%s' in '%s', by '%s'%s, frame of '%s'%s\n", a->id,
		    a->waits ? " waits" : "", i->id, i->type, i->subtype, i->title, i->url, i->context, i->opener,
		    i->reaches_opener ? " reached" : "", i->parent_frame, i->attached ? ", taken" : "");
}

static void on_detached(const char *attachment, void *data)
{
	str_appendf(&((struct fixture *)data)->said, "detached %s\n", attachment);
}

static void on_begun(const struct download_begun *d, void *data)
{
	str_appendf(&((struct fixture *)data)->said, "download '%s' of '%s': '%s' '%s'\n", d->guid, d->frame, d->url, d->name);
}

static void on_progress(const struct download_progress *d, void *data)
{
	str_appendf(&((struct fixture *)data)->said, "progress '%s' %d: %.0f of %.0f\n", d->guid, d->state, d->received, d->total);
}

static void on_blobs(const char *store, uint64_t bytes, void *data)
{
	str_appendf(&((struct fixture *)data)->said, "blobs %s %llu\n", store, (unsigned long long)bytes);
}

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &cdp_pair_ignored, f, &f->cdp);
	f->events = (struct engine_browser_events){ on_attached, on_detached, on_begun, on_progress, on_blobs, NULL, f };
	engine_listen(cdp_root(f->cdp), &f->events);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	cdp_pair_end(f->loop, f->cdp, f->peer);
	str_done(&f->said);
	str_done(&f->own_id);
	free(f);
	return 0;
}

static void receive(struct fixture *f, const char *text)
{
	cdp_receive(f->cdp, text, strlen(text));
	run_queued(f->loop);
}

static void expect(struct fixture *f, const char *said)
{
	assert_string_equal(str_text(&f->said), said);
	str_reset(&f->said);
}

static void test_attached(void **state)
{
	struct fixture *f = *state;

	receive(f,
		"{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S1\",\"waitingForDebugger\":true,\"targetInfo\":"
		"{\"targetId\":\"T1\",\"type\":\"page\",\"title\":\"t\",\"url\":\"u\",\"browserContextId\":\"C1\",\"openerId\":\"T0\","
		"\"canAccessOpener\":true,\"attached\":true,\"subtype\":\"prerender\",\"parentFrameId\":\"F0\"}}}");
	expect(f, "attached S1 waits: T1 page 'prerender' 't' 'u' in 'C1', by 'T0' reached, frame of 'F0', taken\n");
	receive(f,
		"{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S2\",\"targetInfo\":{\"type\":\"worker\"}}}");
	expect(f, "attached S2:  worker '' '' '' in '', by '', frame of ''\n");
	receive(f, "{\"method\":\"Target.detachedFromTarget\",\"params\":{\"sessionId\":\"S2\"}}");
	expect(f, "detached S2\n");
}

static void on_kind(struct engine_target *root, const struct engine_attachment *a, void *data)
{
	str_appendf(&((struct fixture *)data)->said, "%d ", a->target.kind);
}

static void test_kinds(void **state)
{
	static const char *const types[] = { "page", "iframe", "shared_worker", "service_worker", "worker", "Page" };
	struct fixture *f = *state;

	f->events.attached = on_kind;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		_cleanup_(str_done) struct str event = {};

		str_json(&event, "{method: 'Target.attachedToTarget', params: {sessionId: 'S', targetInfo: {type: ?}}}", types[i]);
		receive(f, event.data);
	}
	expect(f, "1 2 3 4 0 0 ");
}

/* What has no valid id or no type cannot be used. */
static void test_useless(void **state)
{
	struct fixture *f = *state;

	receive(f,
		"{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S 1\",\"targetInfo\":{\"type\":\"page\"}}}");
	receive(f, "{\"method\":\"Target.attachedToTarget\",\"params\":{\"targetInfo\":{\"type\":\"page\"}}}");
	receive(f, "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S1\",\"targetInfo\":{}}}");
	receive(f, "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S1\",\"targetInfo\":{\"type\":7}}}");
	receive(f, "{\"method\":\"Browser.downloadProgress\",\"params\":{\"guid\":\"g\"}}");
	expect(f, "");
}

static void test_downloads(void **state)
{
	struct fixture *f = *state;

	receive(f, "{\"method\":\"Browser.downloadWillBegin\",\"params\":{\"guid\":\"g\",\"frameId\":\"F\",\"url\":\"u\","
		   "\"suggestedFilename\":\"n\"}}");
	receive(f, "{\"method\":\"Browser.downloadWillBegin\",\"params\":{\"url\":null}}");
	expect(f, "download 'g' of 'F': 'u' 'n'\ndownload '' of '': '' ''\n");
	receive(f,
		"{\"method\":\"Browser.downloadProgress\",\"params\":{\"guid\":\"g\",\"state\":\"inProgress\",\"receivedBytes\":3,"
		"\"totalBytes\":9}}");
	receive(f, "{\"method\":\"Browser.downloadProgress\",\"params\":{\"guid\":\"g\",\"state\":\"completed\"}}");
	receive(f, "{\"method\":\"Browser.downloadProgress\",\"params\":{\"guid\":\"g\",\"state\":\"canceled\"}}");
	expect(f, "progress 'g' 0: 3 of 9\nprogress 'g' 1: 0 of 0\nprogress 'g' 2: 0 of 0\n");
}

static void test_blobs(void **state)
{
	struct fixture *f = *state;

	receive(f, "{\"method\":\"Tracing.dataCollected\",\"params\":{\"value\":[{\"args\":{\"dumps\":{\"allocators\":{"
		   "\"site_storage/blob_storage/0x1\":{\"attrs\":{\"size\":{\"value\":\"1f\"}}},\"malloc\":{}}}}}]}}");
	expect(f, "blobs site_storage/blob_storage/0x1 31\n");
}

/* ---- the browser's own context ---- */

static int ask(struct task *t, void *data)
{
	_cleanup_(target_list_done) struct target_list list = {};
	struct fixture *f = data;
	int r = engine_own_context(t, cdp_root(f->cdp), &f->own_id, &list);

	f->target_count = list.count;
	return r;
}

static void on_done(struct task *t, int result, void *data)
{
	((struct fixture *)data)->task = NULL;
	assert_int_equal(result, 0);
}

/* The call 1 is that of a new connection. */
static void expect_own(struct fixture *f, const char *contexts, const char *id)
{
	assert_int_equal(task_start(f->loop, "ask", ask, on_done, f, &f->task), 0);
	run_queued(f->loop);
	receive(f, contexts);
	receive(f,
		"{\"id\":3,\"result\":{\"targetInfos\":[{\"targetId\":\"T1\",\"type\":\"page\",\"browserContextId\":\"C1\"},"
		"{\"targetId\":\"T2\",\"type\":\"page\",\"browserContextId\":\"OWN\"},{\"targetId\":\"T3\",\"type\":\"browser\"}]}}");
	assert_null(f->task);
	assert_string_equal(str_text(&f->own_id), id);
	assert_int_equal(f->target_count, 3);
}

static void test_own_is_said(void **state)
{
	expect_own(*state, "{\"id\":2,\"result\":{\"browserContextIds\":[\"C1\"],\"defaultBrowserContextId\":\"SAID\"}}", "SAID");
}

static void test_own_is_not_listed(void **state)
{
	expect_own(*state, "{\"id\":2,\"result\":{\"browserContextIds\":[\"C1\",\"C2\"]}}", "OWN");
}

static void test_own_is_unknown(void **state)
{
	expect_own(*state, "{\"id\":2,\"result\":{\"browserContextIds\":[\"C1\",\"OWN\"]}}", "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_attached), TEST(test_kinds),       TEST(test_useless),           TEST(test_downloads),
		TEST(test_blobs),    TEST(test_own_is_said), TEST(test_own_is_not_listed), TEST(test_own_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

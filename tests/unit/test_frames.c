/* The frames of a page stay a tree within its limits, whatever the browser says about them. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "engine/targets.h"
#include "cdp_pair.h"
#include "loop/loop.h"
#include "page/frame.h"
#include "page/group.h"
#include "page/traffic.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	struct page_group pages;
	struct page *page; /* its main frame is "F1" */
	int peer;
};

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &cdp_pair_ignored, f, &f->cdp);
	page_group_init(&f->pages);
	f->page = page_ref(page_new(&f->pages, cdp_root(f->cdp), "S1", "F1"));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	page_group_gone(&f->pages);
	page_unref(f->page);
	page_group_done(&f->pages);
	cdp_pair_end(f->loop, f->cdp, f->peer);
	free(f);
	return 0;
}

static void receive(struct fixture *f, const char *fmt, ...) _printf_(2, 3);

static void receive(struct fixture *f, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	cdp_receive(f->cdp, text.data, text.len);
}

static void attach(struct fixture *f, const char *id, const char *parent)
{
	receive(f,
		"{\"method\":\"Page.frameAttached\",\"params\":{\"frameId\":\"%s\",\"parentFrameId\":\"%s\"},\"sessionId\":\"S1\"}",
		id, parent);
}

static void navigate(struct fixture *f, const char *id, const char *parent, const char *loader)
{
	receive(f,
		"{\"method\":\"Page.frameNavigated\",\"params\":{\"frame\":{\"id\":\"%s\",\"parentId\":\"%s\",\"loaderId\":\"%s\","
		"\"url\":\"http://x/\",\"name\":\"n\"}},\"sessionId\":\"S1\"}",
		id, parent, loader);
}

static const char *parent_of(struct fixture *f, const char *id)
{
	struct frame *frame = page_find_frame(f->page, id);
	struct frame *parent = frame ? frame_parent(frame) : NULL;

	return !frame ? "gone" : parent ? frame_id(parent) : "";
}

static unsigned count(struct fixture *f)
{
	struct frame *frame = NULL;
	unsigned n = 0;

	while ((frame = page_next_frame(f->page, frame)))
		n++;
	return n;
}

/* A new document of a frame removes those below it, so a frame below itself would be freed while its document is set. */
static void test_own_parent(void **state)
{
	struct fixture *f = *state;

	attach(f, "A", "A");
	navigate(f, "A", "A", "L1");
	navigate(f, "A", "A", "L2");
	assert_string_equal(parent_of(f, "A"), "");
	navigate(f, "F1", "F1", "L3");
	navigate(f, "F1", "A", "L4");
	assert_string_equal(parent_of(f, "F1"), "");
}

static void test_cycle(void **state)
{
	struct fixture *f = *state;

	attach(f, "A", "C");
	attach(f, "B", "A");
	attach(f, "C", "B");
	assert_string_equal(parent_of(f, "C"), "B");
	assert_string_equal(parent_of(f, "B"), "A");
	attach(f, "A", "C");
	assert_string_equal(parent_of(f, "A"), "");
	navigate(f, "B", "C", "L1");
	navigate(f, "B", "C", "L2");
	assert_string_equal(parent_of(f, "B"), "A");
	assert_string_equal(parent_of(f, "C"), "gone");
}

/* A frame may be reported before its parent; it keeps the parent that it got. */
static void test_late_parent(void **state)
{
	struct fixture *f = *state;

	navigate(f, "B", "A", "L1");
	attach(f, "A", "F1");
	navigate(f, "B", "A", "L1");
	assert_string_equal(parent_of(f, "B"), "A");
	navigate(f, "B", "F1", "L1");
	assert_string_equal(parent_of(f, "B"), "A");
	navigate(f, "F1", "", "L2");
	navigate(f, "F1", "", "L3");
	assert_int_equal(count(f), 1);
}

static void test_ids(void **state)
{
	struct fixture *f = *state;
	char id[200];

	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	attach(f, id, "F1");
	attach(f, "", "F1");
	navigate(f, id, "F1", "L1");
	assert_int_equal(count(f), 1);
}

/* Many frames, one below the other: none is too many for the limit or too deep for the stack. */
static void test_count(void **state)
{
	struct fixture *f = *state;
	char id[16], parent[16] = "F1";

	for (unsigned i = 0; i < 3 * LIMIT_FRAMES_COUNT; i++) {
		snprintf(id, sizeof(id), "D%u", i);
		attach(f, id, parent);
		memcpy(parent, id, sizeof(id));
	}
	assert_int_equal(count(f), LIMIT_FRAMES_COUNT);
	navigate(f, "F1", "", "L1");
	navigate(f, "F1", "", "L2");
	assert_int_equal(count(f), 1);
}

/* Any page can give its frames long names, and addresses such as data:. */
static unsigned depth(struct frame *f)
{
	unsigned n = 0;

	while (f && (f = frame_parent(f)))
		n++;
	return n;
}

static void test_depth(void **state)
{
	struct fixture *f = *state;
	char id[16] = "F1", parent[16];

	for (unsigned i = 2; i < 2 * LIMIT_FRAME_DEPTH; i++) {
		memcpy(parent, id, sizeof(id));
		snprintf(id, sizeof(id), "F%u", i);
		attach(f, id, parent);
		assert_int_equal(depth(page_find_frame(f->page, id)), MIN(i - 1, LIMIT_FRAME_DEPTH));
	}
	for (unsigned i = 0; i < 2 * LIMIT_FRAME_DEPTH; i++) { /* the parent of each is reported later */
		snprintf(id, sizeof(id), "R%u", i);
		snprintf(parent, sizeof(parent), "R%u", i + 1);
		attach(f, id, "none");
		attach(f, parent, "none");
		attach(f, id, parent);
	}
	assert_true(depth(page_find_frame(f->page, "R0")) <= LIMIT_FRAME_DEPTH);
}

static void test_texts(void **state)
{
	struct fixture *f = *state;
	size_t kept = 0, size = 500000;
	struct frame *frame = NULL;
	char *text = must(malloc(size + 1));

	memset(text, 'x', size);
	text[size] = '\0';
	for (unsigned i = 0; i < 100; i++)
		receive(f,
			"{\"method\":\"Page.frameNavigated\",\"params\":{\"frame\":{\"id\":\"T%u\",\"parentId\":\"F1\",\"url\":\"data:,%s\","
			"\"name\":\"%s\"}},\"sessionId\":\"S1\"}",
			i, text, text);
	while ((frame = page_next_frame(f->page, frame))) {
		kept += strlen(frame_url(frame)) + strlen(frame_name(frame));
		assert_true(*frame_url(frame));
	}
	assert_true(kept <= 4u << 20);
	receive(f,
		"{\"method\":\"Page.frameNavigated\",\"params\":{\"frame\":{\"id\":\"F1\",\"url\":\"data:,%s\"}},\"sessionId\":\"S1\"}",
		text);
	assert_int_equal(strlen(page_url(f->page)), size + 6); /* that of the page itself is whole */
	free(text);
}

/* The same target or attachment once more, or one that has no proper id, changes nothing. */
static void test_attachments(void **state)
{
	static const char *const ids[] = { "S1", "", "S\\u0000", "a\\\"b", NULL };
	struct fixture *f = *state;

	for (const char *const *id = ids; *id; id++)
		receive(f,
			"{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"%s\",\"targetInfo\":{\"targetId\":\"T\","
			"\"type\":\"worker\"}},\"sessionId\":\"S1\"}",
			*id);
	assert_false(page_has_child_targets(f->page));
	assert_true(page_alive(f->page));
}

/* The browser reads nothing: the page for which too much waits ends, and no other. */
static void test_too_much_waits(void **state)
{
	struct fixture *f = *state;
	_cleanup_(page_unrefp) struct page *p = NULL;
	const struct engine_attachment a = { "S2",
					     { .kind = TARGET_PAGE, .type = "page", .id = "T2", .url = "about:blank" },
					     true };
	char *text = must(calloc(1, (1 << 20) + 1));

	memset(text, 'x', 1 << 20);
	f->pages.loop = f->loop;
	f->pages.browser = cdp_root(f->cdp);
	p = page_ref(page_attached(&f->pages, cdp_root(f->cdp), &a));
	for (unsigned i = 0; i < 64; i++)
		cdp_post(page_target(p), "A.flood", "{text: ?}", text);
	assert_true(page_alive(p)); /* who sends may use it */
	run_queued(f->loop);
	assert_false(page_alive(p));
	assert_true(page_crashed(p));
	assert_true(page_alive(f->page));
	free(text);
}

static void request(struct fixture *f, const char *id, const char *loader, const char *type)
{
	receive(f,
		"{\"method\":\"Network.requestWillBeSent\",\"params\":{\"requestId\":\"%s\",\"loaderId\":\"%s\",\"type\":\"%s\","
		"\"request\":{\"url\":\"http://x/%s\",\"method\":\"POST\"}},\"sessionId\":\"S1\"}",
		id, loader, type, id);
}

static bool awaits_request(struct fixture *f)
{
	return traffic_request_open(page_traffic(f->page), 0, TRAFFIC_NOW, false);
}

/* The browser never reports the end of a request that a document made in beforeunload. */
static void test_requests_of_a_document_that_was_left(void **state)
{
	struct fixture *f = *state;

	navigate(f, "F1", "", "L1");
	request(f, "R1", "L1", "XHR");
	request(f, "R2", "L1", "Image");
	request(f, "L2", "L2", "Document");
	navigate(f, "F1", "", "L2");
	assert_true(awaits_request(f)); /* the body of the new document */
	receive(f, "{\"method\":\"Network.loadingFinished\",\"params\":{\"requestId\":\"L2\"},\"sessionId\":\"S1\"}");
	assert_false(awaits_request(f));
}

static void test_requests_of_a_frame_that_was_removed(void **state)
{
	struct fixture *f = *state;

	attach(f, "A", "F1");
	navigate(f, "A", "F1", "L1");
	request(f, "R1", "L1", "Fetch");
	assert_true(awaits_request(f));
	receive(f, "{\"method\":\"Page.frameDetached\",\"params\":{\"frameId\":\"A\",\"reason\":\"remove\"},\"sessionId\":\"S1\"}");
	assert_false(awaits_request(f));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_requests_of_a_document_that_was_left),
		TEST(test_requests_of_a_frame_that_was_removed),
		TEST(test_own_parent),
		TEST(test_cycle),
		TEST(test_late_parent),
		TEST(test_ids),
		TEST(test_count),
		TEST(test_depth),
		TEST(test_texts),
		TEST(test_attachments),
		TEST(test_too_much_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

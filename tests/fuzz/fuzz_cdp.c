/*
 * A browser that says anything: lines of the input are messages for a connection on which a page is attached to.
 * Whatever comes, the page's frames stay a tree that can be walked, and everything can be let go.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "cdp/cdp.h"
#include "fuzz.h"
#include "loop/loop.h"
#include "loop/request.h"
#include "page/internal.h"

static struct loop *loop;

/* Work that is always there keeps the loop from waiting. */
static void nothing(struct ready *r)
{
}

static struct ready hurry = { .run = nothing };

static void ignore(void *data)
{
}

static void ignore_closed(const char *reason, void *data)
{
}

static const struct cdp_handler handler = { .open = ignore, .closed = ignore_closed };

static void receive_lines(struct cdp *c, const char *data, size_t size)
{
	while (size) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char *line = fuzz_copy(data, len);

		cdp_receive(c, line, len);
		free(line);
		len += end ? 1 : 0;
		data += len;
		size -= len;
	}
}

static void check_frames(struct page *p)
{
	struct frame *f;

	CHECK(page_main_frame(p));
	TAILQ_FOREACH(f, &p->frames, link) {
		CHECK(f->page == p);
		CHECK(strlen(str_text(&f->url)) == f->url.len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct request target = { .host = "127.0.0.1", .port = 1, .path = "/" };
	struct page_group pages;
	struct page *page;
	struct cdp *c;
	int ends[2];

	if (!loop) {
		log_set_level(LOG_EMERGENCY);
		CHECK(loop_new(&loop) == 0);
	}
	/* The other end sends nothing; what the page sends waits in the queue. */
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
	CHECK(cdp_connect(loop, ends[0], &target, &handler, NULL, &c) == 0);
	page_group_init(&pages);
	page = page_ref(page_new(&pages, c, "S1", "F1"));
	receive_lines(c, (const char *)data, size);
	check_frames(page);
	page_group_gone(&pages);
	page_unref(page);
	page_group_done(&pages);
	cdp_free(c);
	close(ends[1]);
	loop_ready(loop, &hurry);
	loop_step(loop);
	return 0;
}

/* A page on a connection to a browser that says anything: lines of the input are its messages. For fuzz targets. */
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/cdp/cdp.h"
#include "fuzz.h"
#include "loop/loop.h"
#include "loop/request.h"
#include "page/internal.h"

struct fuzzed {
	struct loop *loop;
	struct page_group pages;
	struct page *page; /* session S1, main frame F1; a reference */
	struct cdp *cdp;
	int ends[2]; /* the other end sends nothing; what the page sends waits in the queue */
};

/* Work that is always there keeps the loop from waiting. */
static void fuzzed_nothing(struct ready *r)
{
}

static void fuzzed_ignore(void *data)
{
}

static void fuzzed_ignore_closed(const char *reason, void *data)
{
}

/* `webmcp`: is told when the tools of the page change; NULL: they are not collected. */
static inline void fuzzed_begin(struct fuzzed *f, struct webmcp_watch *webmcp)
{
	static const struct request target = { .host = "127.0.0.1", .port = 1, .path = "/" };
	static const struct cdp_handler handler = { .open = fuzzed_ignore, .closed = fuzzed_ignore_closed };
	static struct loop *loop;

	if (!loop) {
		log_set_level(LOG_EMERGENCY);
		CHECK(loop_new(&loop) == 0);
	}
	f->loop = loop;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, f->ends) == 0);
	CHECK(cdp_connect(loop, f->ends[0], &target, &handler, NULL, &f->cdp) == 0);
	page_group_init(&f->pages);
	f->pages.webmcp = webmcp;
	f->page = page_ref(page_new(&f->pages, cdp_root(f->cdp), "S1", "F1"));
}

/* Calls `receive` for each line, a copy of exactly that size. */
static inline void fuzzed_receive(struct fuzzed *f, const char *data, size_t size,
				  void (*receive)(struct fuzzed *f, const char *line, size_t len))
{
	while (size) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char *line = fuzz_copy(data, len);

		receive(f, line, len);
		free(line);
		len += end ? 1 : 0;
		data += len;
		size -= len;
	}
}

static inline void fuzzed_end(struct fuzzed *f)
{
	static struct ready hurry = { .run = fuzzed_nothing };

	page_group_gone(&f->pages);
	page_unref(f->page);
	page_group_done(&f->pages);
	cdp_free(f->cdp);
	close(f->ends[1]);
	loop_ready(f->loop, &hurry);
	loop_step(f->loop);
}

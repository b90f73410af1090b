/*
 * A browser that says anything: lines of the input are messages for a connection on which a page is attached to. A line that begins
 * with '@' is CDP's TargetInfo of a further page, one with '^' the reply to Page.getFrameTree. Dialogs are kept and requests are
 * routed. Whatever comes, the frames of the pages stay a tree within its limits, and everything can be freed.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "cdp/cdp.h"
#include "fuzz.h"
#include "loop/loop.h"
#include "loop/request.h"
#include "page/intercept.h"
#include "page/internal.h"
#include "page/modal.h"
#include "page/paused_request.h"

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

static void let_through(struct route *r, struct paused_request *q)
{
	paused_request_fall_back(q, NULL);
}

static void remove_route(struct route *r)
{
	free(r);
}

/* The first is for all requests, the other one changes them. */
static void change_through(struct route *r, struct paused_request *q)
{
	paused_request_fall_back(q, &(const struct request_changes){ .set = paused_request_headers(q) });
}

static void add_route(struct page_group *g, void (*handle)(struct route *r, struct paused_request *q))
{
	struct route *r = NEW(struct route);

	r->handle = handle;
	r->removed = remove_route;
	r->number = ++g->interception.last;
	TAILQ_INSERT_HEAD(&g->interception.routes, r, link);
}

static void attach_page(struct cdp *c, struct page_group *g, const struct json *info)
{
	static unsigned number;
	char session[16];

	snprintf(session, sizeof(session), "P%u", ++number % 8);
	page_attached(g, c, session, info);
}

/* True: the line was no message of the browser. */
static bool is_setting(struct cdp *c, struct page *p, struct page_group *g, const char *line, size_t len)
{
	_cleanup_(json_freep) struct json *value = NULL;

	if (len == 0 || (line[0] != '@' && line[0] != '^'))
		return false;
	if (json_parse(line + 1, len - 1, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value) < 0)
		return true;
	if (line[0] == '@')
		attach_page(c, g, value);
	else if (page_alive(p))
		page_take_frame_tree(p, page_cdp(p), value);
	return true;
}

static void receive_lines(struct cdp *c, struct page *p, struct page_group *g, const char *data, size_t size)
{
	while (size) {
		const char *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		char *line = fuzz_copy(data, len);

		if (!is_setting(c, p, g, line, len))
			cdp_receive(c, line, len);
		free(line);
		len += end ? 1 : 0;
		data += len;
		size -= len;
	}
}

static void check_frame(const struct page *p, const struct frame *f)
{
	const struct frame *child;
	unsigned above = 0;

	CHECK(f->page == p && !f->detached);
	CHECK(strlen(str_text(&f->url)) == f->url.len);
	for (const struct frame *g = f; g; g = g->parent)
		CHECK(++above <= p->frame_count && g->page == p && !g->detached);
	TAILQ_FOREACH(child, &f->children, sibling)
		CHECK(child->parent == f);
}

static void check_frames(struct page *p)
{
	size_t texts = 0;
	unsigned count = 0;
	struct frame *f;

	CHECK(page_main_frame(p) && !p->main->parent);
	TAILQ_FOREACH(f, &p->frames, link) {
		check_frame(p, f);
		CHECK(page_find_frame(p, f->id) == f || !p->group);
		texts += f == p->main ? 0 : f->url.len + f->name.len;
		count++;
	}
	CHECK(count == p->frame_count && count <= LIMIT_FRAMES_COUNT);
	CHECK(texts == p->frame_texts && texts <= LIMIT_FRAME_TEXTS + 2 * LIMIT_FRAMES_COUNT * LIMIT_FRAME_TEXT_LEAST);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct request target = { .host = "127.0.0.1", .port = 1, .path = "/" };
	struct page_group pages;
	struct page *page, *p;
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
	page_group_keep_modals(&pages, true);
	add_route(&pages, let_through);
	add_route(&pages, change_through);
	receive_lines(c, page, &pages, (const char *)data, size);
	check_frames(page);
	TAILQ_FOREACH(p, &pages.pages, link) {
		check_frames(p);
		page_dialog_type(p);
	}
	page_group_gone(&pages);
	page_unref(page);
	page_group_done(&pages);
	cdp_free(c);
	close(ends[1]);
	loop_ready(loop, &hurry);
	loop_step(loop);
	return 0;
}

/*
 * A browser that says anything: lines of the input are messages for a connection on which a page is attached to. A line that begins
 * with '@' is CDP's TargetInfo of a further page, one with '^' the reply to Page.getFrameTree. Dialogs are kept and requests are
 * routed. Whatever comes, the frames of the pages stay a tree within its limits, and everything can be freed.
 */
#include "engine/cdp/cdp.h"
#include "engine/cdp/targets.h"
#include "fuzzed_page.h"
#include "page/intercept.h"
#include "page/modal.h"
#include "page/paused_request.h"

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
	paused_request_fall_back(q, &(const struct request_changes){ .fields = &q->reported.headers });
}

static void add_route(struct loop *l, struct page_group *g, void (*handle)(struct route *r, struct paused_request *q))
{
	struct route *r = NEW(struct route);

	r->handle = handle;
	r->removed = remove_route;
	r->number = ++g->interception.last;
	g->interception.loop = l;
	TAILQ_INSERT_HEAD(&g->interception.routes, r, link);
}

static void attach_page(struct cdp *c, struct page_group *g, const struct json *info)
{
	static unsigned number;
	char session[16];

	snprintf(session, sizeof(session), "P%u", ++number % 8);
	page_attached(g, cdp_root(c), &(const struct engine_attachment){ session, cdp_read_target(info), true });
}

static void list_frames(struct page *p, const char *tree, size_t len)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "{\"result\":{\"frameTree\":%.*s}}", (int)len, tree);
	if (page_alive(p) && json_parse(text.data, text.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &call.reply) == 0)
		engine_read_frames(&call, LIMIT_FRAMES_COUNT, page_take_document, p);
}

/* True: the line was no message of the browser. */
static bool is_setting(struct cdp *c, struct page *p, struct page_group *g, const char *line, size_t len)
{
	_cleanup_(json_freep) struct json *value = NULL;

	if (len == 0 || (line[0] != '@' && line[0] != '^'))
		return false;
	if (line[0] == '^')
		list_frames(p, line + 1, len - 1);
	else if (json_parse(line + 1, len - 1, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value) == 0)
		attach_page(c, g, value);
	return true;
}

static void receive(struct fuzzed *f, const char *line, size_t len)
{
	if (!is_setting(f->cdp, f->page, &f->pages, line, len))
		cdp_receive(f->cdp, line, len);
}

static void check_frame(const struct page *p, const struct frame *f)
{
	const struct frame *child;
	unsigned above = 0;

	CHECK(f->page == p && !f->detached);
	CHECK(strlen(str_text(&f->url)) == f->url.len);
	for (const struct frame *g = f; g; g = frame_parent(g))
		CHECK(++above <= p->frame_count && g->page == p && !g->detached);
	TAILQ_FOREACH(child, &f->children, sibling)
		CHECK(frame_parent(child) == f);
}

static void check_frames(struct page *p)
{
	size_t texts = 0;
	unsigned count = 0;
	struct frame *f;

	CHECK(page_main_frame(p) && !frame_parent(p->main));
	TAILQ_FOREACH(f, &p->frames, link) {
		check_frame(p, f);
		CHECK(page_find_frame(p, f->at.id) == f || !p->group);
		texts += f == p->main ? 0 : f->url.len + f->name.len + f->failed.len;
		count++;
	}
	CHECK(count == p->frame_count && count <= LIMIT_FRAMES_COUNT);
	CHECK(texts == p->frame_texts && texts <= LIMIT_FRAME_TEXTS + 3 * LIMIT_FRAMES_COUNT * LIMIT_FRAME_TEXT_LEAST);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzzed f;
	struct page *p;

	fuzzed_begin(&f, NULL);
	page_group_keep_modals(&f.pages, true);
	add_route(f.loop, &f.pages, let_through);
	add_route(f.loop, &f.pages, change_through);
	fuzzed_receive(&f, (const char *)data, size, receive);
	check_frames(f.page);
	TAILQ_FOREACH(p, &f.pages.pages, link) {
		check_frames(p);
		page_dialog_type(p);
	}
	fuzzed_end(&f);
	return 0;
}

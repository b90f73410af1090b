#include "page/webmcp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/tools.h"
#include "page/internal.h"
#include "page/navigate.h"
#include "page/options.h"

/* A call of a tool, on the stack of the task that waits for its end. */
struct webmcp_call {
	LIST_ENTRY(webmcp_call) link;
	struct engine_call invocation;
	bool ended;
	size_t length;               /* bytes of the message that said so */
	bool was_read;               /* false: the tool has not ended, or `length` or the number of values is above its limit */
	struct tool_outcome outcome; /* after it was read */
};

static void webmcp_init(struct page *p)
{
	TAILQ_INIT(&p->webmcp.tools);
	LIST_INIT(&p->webmcp.calls);
}

static void webmcp_prepare(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (p->group->webmcp && kind != TARGET_OTHER)
		engine_report_tools(s);
}

static struct webmcp_tool *webmcp_tool_free(struct webmcp_tool *tool)
{
	if (!tool)
		return NULL;
	free(tool->frame_id);
	free(tool->name);
	free(tool->description);
	free(tool->schema);
	free(tool);
	return NULL;
}
DEFINE_FREEP(webmcp_tool);

/* Every change gives the list a new number, which no list of any page has had. */
static void changed(struct webmcp *w)
{
	static uint64_t last;

	w->version = ++last;
}

static size_t text_size(const struct webmcp_tool *tool)
{
	return strlen(tool->description) + (tool->schema ? strlen(tool->schema) : 0);
}

static void webmcp_drop(struct webmcp *w, struct webmcp_tool *tool)
{
	TAILQ_REMOVE(&w->tools, tool, link);
	w->count--;
	w->text -= text_size(tool);
	changed(w);
	webmcp_tool_free(tool);
}

static void webmcp_done(struct page *p)
{
	struct webmcp_tool *tool;

	while ((tool = TAILQ_FIRST(&p->webmcp.tools)))
		webmcp_drop(&p->webmcp, tool);
}

static bool collects(const struct page *p)
{
	return p->group && p->group->webmcp;
}

/* Notifies if the list has another number than `before`. */
static void notify(struct page *p, uint64_t before)
{
	struct webmcp_watch *watch = p->group ? p->group->webmcp : NULL;

	if (watch && p->webmcp.version != before)
		watch->changed(watch);
}

void webmcp_forget_document(struct frame *f)
{
	struct page *p = f->page;
	struct webmcp_tool *tool, *next;
	uint64_t before = p->webmcp.version;

	for (tool = TAILQ_FIRST(&p->webmcp.tools); tool; tool = next) {
		next = TAILQ_NEXT(tool, link);
		if (f == p->main || strcmp(tool->frame_id, f->at.id) == 0)
			webmcp_drop(&p->webmcp, tool);
	}
	notify(p, before);
}

static struct webmcp_tool *webmcp_find_offered(struct webmcp *w, const char *frame_id, const char *name)
{
	struct webmcp_tool *tool;

	TAILQ_FOREACH(tool, &w->tools, link)
		if (strcmp(tool->frame_id, frame_id) == 0 && strcmp(tool->name, name) == 0)
			return tool;
	return NULL;
}

static unsigned place_of(const struct frame *f)
{
	const struct frame *before = f;
	unsigned n = 0;

	while ((before = TAILQ_PREV(before, frames, link)))
		n++;
	return n;
}

/*
 * Inserts it in the order of frames and names. What is above the limits of the page is dropped from the end, so that no frame takes
 * the place of a tool of a frame before it.
 */
static void insert(struct webmcp *w, struct webmcp_tool *tool)
{
	struct webmcp_tool *at;

	TAILQ_FOREACH(at, &w->tools, link)
		if (at->place > tool->place || (at->place == tool->place && strcmp(at->name, tool->name) > 0))
			break;
	if (at)
		TAILQ_INSERT_BEFORE(at, tool, link);
	else
		TAILQ_INSERT_TAIL(&w->tools, tool, link);
	w->count++;
	w->text += text_size(tool);
	changed(w);
	while (w->count > LIMIT_WEBMCP_TOOLS_COUNT || w->text > LIMIT_WEBMCP_PAGE_TEXT)
		webmcp_drop(w, TAILQ_LAST(&w->tools, webmcp_tools));
}

/* NULL: the tool is not one that can be listed. */
static struct webmcp_tool *read_tool(const struct frame *f, const struct offered_tool *given)
{
	_cleanup_(webmcp_tool_freep) struct webmcp_tool *tool = NULL;
	_cleanup_(str_done) struct str text = {};

	if (!*given->name || strlen(given->name) > LIMIT_WEBMCP_NAME || strlen(given->description) > LIMIT_WEBMCP_TEXT ||
	    (given->schema && !webmcp_schema_is_accepted(given->schema)))
		return NULL;
	tool = NEW(struct webmcp_tool);
	tool->frame_id = must(strdup(f->at.id));
	tool->document = f->commits;
	tool->place = place_of(f);
	tool->name = must(strdup(given->name));
	tool->description = must(strdup(given->description));
	if (given->schema) {
		json_print(&text, given->schema);
		tool->schema = str_take(&text);
	}
	tool->read_only = given->read_only;
	tool->untrusted_content = given->untrusted_content;
	return text_size(tool) <= LIMIT_WEBMCP_TEXT ? TAKE_PTR(tool) : NULL;
}

static void webmcp_add(struct page *p, const struct offered_tool *given)
{
	struct frame *f = page_find_frame(p, given->frame);
	struct webmcp_tool *old = f ? webmcp_find_offered(&p->webmcp, f->at.id, given->name) : NULL, *tool;

	if (!f)
		return;
	if (old)
		webmcp_drop(&p->webmcp, old);
	tool = read_tool(f, given);
	if (tool)
		insert(&p->webmcp, tool);
}

static void on_added(struct engine_target *s, const struct offered_tool *tools, size_t count, void *page)
{
	struct page *p = page;
	uint64_t before = p->webmcp.version;

	if (!collects(p))
		return;
	for (size_t i = 0; i < count; i++)
		webmcp_add(p, &tools[i]);
	notify(p, before);
}

static void on_removed(struct engine_target *s, const struct offered_tool *tools, size_t count, void *page)
{
	struct page *p = page;
	uint64_t before = p->webmcp.version;

	for (size_t i = 0; i < count; i++) {
		struct webmcp_tool *tool = tools[i].frame ? webmcp_find_offered(&p->webmcp, tools[i].frame, tools[i].name) : NULL;

		if (tool)
			webmcp_drop(&p->webmcp, tool);
	}
	notify(p, before);
}

static const char *id_of(const struct webmcp_call *call)
{
	return engine_tool_call_id(&call->invocation);
}

/* NULL: nobody waits for the tool. */
static struct webmcp_call *find_call(struct webmcp *w, const char *id, size_t len)
{
	struct webmcp_call *call;

	LIST_FOREACH(call, &w->calls, link)
		if (len && !call->ended && strlen(id_of(call)) == len && memcmp(id_of(call), id, len) == 0)
			return call;
	return NULL;
}

/* The browser reports this after its reply, which has the id; the task that called may not have run in between. */
static void on_ended(struct engine_target *s, const char *id, size_t len, const struct tool_end *e, void *page)
{
	struct page *p = page;
	struct webmcp_call *call = find_call(&p->webmcp, id, len);

	if (!call)
		return;
	call->ended = true;
	call->length = engine_tool_end_length(e);
	call->was_read = call->length <= LIMIT_WEBMCP_OUTPUT && engine_read_tool_end(e, &call->outcome);
	waitq_wake(&p->changed);
}

const struct engine_tool_events page_tool_events = {
	.added = on_added,
	.removed = on_removed,
	.ended = on_ended,
};

const struct webmcp_tool *page_next_tool(const struct page *p, const struct webmcp_tool *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&p->webmcp.tools);
}

unsigned page_tool_count(const struct page *p)
{
	return p->webmcp.count;
}

uint64_t page_tools_version(const struct page *p)
{
	return p->webmcp.count ? p->webmcp.version : 0;
}

const char *page_tool_url(const struct page *p, const struct webmcp_tool *tool)
{
	struct frame *f = page_find_frame((struct page *)p, tool->frame_id);

	return f ? frame_url(f) : "";
}

static void call_done(struct webmcp_call *call)
{
	LIST_REMOVE(call, link);
	engine_call_done(&call->invocation);
	tool_outcome_done(&call->outcome);
}

/*
 * Whether the document was left. The browser then reports that the tool has completed with an empty list, before or after it reports
 * the new document.
 */
static bool was_left(struct page *p, struct frame *f, unsigned commits, const struct webmcp_call *call)
{
	const struct json *output = call->outcome.output;
	bool is_empty = json_type(output) == JSON_ARRAY && !json_count(output);

	if (!page_alive(p) || frame_detached(f))
		return true;
	return (!call->ended || is_empty) && (frame_commits(f) != commits || (call->ended && page_navigating(p)));
}

/* Waits for the end of the tool, or of its document. */
static int await_end(struct task *t, struct page *p, struct frame *f, struct webmcp_call *call)
{
	unsigned commits = frame_commits(f);
	int r;

	r = engine_await(t, &call->invocation);
	while (r == 0 && !call->ended && !was_left(p, f, commits, call))
		r = waitq_wait(t, &p->changed, "the tool of the page");
	if (r == 0 && was_left(p, f, commits, call))
		return -ESTALE;
	if ((r == -ETIMEDOUT || r == -ECANCELED) && frame_alive(f) && *id_of(call))
		engine_cancel_tool(frame_target(f), id_of(call));
	return r;
}

/* The browser gives no text when the tool's own function threw; the text is then that of its JavaScript API. */
static int fail(struct task *t, const char *text)
{
	return task_fail(t, -EREMOTE, "%s",
			 *text ? text :
				 "UnknownError: Tool was executed but the invocation failed. For example, the "
				 "script function threw an error");
}

#define SMALLER "; ask the tool for less, if it has a parameter for that"

static int fail_too_large(struct task *t, const struct webmcp_call *call)
{
	if (call->length <= LIMIT_WEBMCP_OUTPUT)
		return task_fail(t, -EMSGSIZE, "the output of the tool has more than %u members and elements, the limit" SMALLER,
				 JSON_VALUES_MAX);
	return task_fail(t, -EMSGSIZE, "the output of the tool has %.1f MiB as JSON, and the limit is %u MiB" SMALLER,
			 (double)call->length / (1 << 20), LIMIT_WEBMCP_OUTPUT >> 20);
}

int page_call_tool(struct task *t, struct page *p, const struct webmcp_tool *tool, const char *input, struct json **ret)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_find_frame(p, tool->frame_id));
	_cleanup_(call_done) struct webmcp_call call = {};
	int r;

	LIST_INSERT_HEAD(&p->webmcp.calls, &call, link);
	if (!f || !frame_alive(f))
		return -ESTALE;
	engine_call_tool(t, frame_target(f), &call.invocation, tool->frame_id, tool->name, input);
	r = await_end(t, p, f, &call);
	if (r < 0)
		return r;
	if (!call.was_read)
		return fail_too_large(t, &call);
	if (!call.outcome.completed)
		return fail(t, str_text(&call.outcome.error));
	*ret = TAKE_PTR(call.outcome.output);
	return 0;
}

const struct page_part webmcp_part = {
	.init = webmcp_init,
	.prepare = webmcp_prepare,
	.done = webmcp_done,
};

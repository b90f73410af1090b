/* Messages of a browser about one page: lines of the input. Tools that pages register, and storage, are here as well. */
#include "base/error.h"
#include "browser/blob_dump.h"
#include "browser/cookies.h"
#include "browser/storage.h"
#include "engine/cdp/cdp.h"
#include "fuzz/fuzzed_page.h"
#include "page/address.h"
#include "page/frames.h"
#include "page/intercept.h"
#include "page/modal.h"
#include "page/origins.h"
#include "page/paused_request.h"
#include "ratios/ratios.h"
#include "tools/session/bound.h"
#include "session/tabs.h"
#include "tools/browser/webmcp_names.h"

static void remove_route(struct route *r)
{
	free(r);
}

/* As code of agents does that goes on with the headers of the request. */
static void change_headers(struct route *r, struct paused_request *q)
{
	_cleanup_(header_list_done) struct header_list headers = {};

	paused_request_changed_headers(q, &headers);
	paused_request_fall_back(q, &(const struct request_changes){ .fields = &headers });
}

static void answer_request(struct route *r, struct paused_request *q)
{
	paused_request_fulfill(q, &(const struct fulfilment){ .status = 200 });
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

static void receive_line(struct fuzzed *f, const char *line, size_t len)
{
	cdp_receive(f->cdp, line, len);
}

static void ignore_change(struct webmcp_watch *w)
{
}

static void run(const struct str *in, void (*handle)(struct route *r, struct paused_request *q))
{
	struct webmcp_watch watch = { .changed = ignore_change };
	struct fuzzed f;

	fuzzed_begin(&f, &watch);
	page_group_keep_modals(&f.pages, true);
	if (handle)
		add_route(f.loop, &f.pages, handle);
	fuzzed_receive(&f, in->data, in->len, receive_line);
	fuzzed_end(&f);
}

static void received(const struct str *in)
{
	run(in, NULL);
}

static void changed(const struct str *in)
{
	run(in, change_headers);
}

static void answered(const struct str *in)
{
	run(in, answer_request);
}

/* The reply to Page.getFrameTree. */
static void tree(const struct str *in)
{
	struct engine_call call = {};
	struct fuzzed f;

	NEEDED(json_parse(in->data, in->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &call.reply) == 0);
	fuzzed_begin(&f, NULL);
	engine_read_frames(&call, LIMIT_FRAMES_COUNT, page_take_document, f.page);
	fuzzed_end(&f);
	engine_call_done(&call);
}

static void schema(const struct str *in)
{
	struct json *value = NULL;

	NEEDED(json_parse(in->data, in->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value) == 0);
	for (unsigned i = 0; i < 20; i++)
		webmcp_schema_is_accepted(value);
	json_free(value);
}

static void address(const struct str *in)
{
	struct arena a = {};
	char scheme[ADDRESS_SCHEME_SIZE];

	address_scheme(in->data, scheme);
	address_may_stay(in->data, false);
	address_complete(&a, in->data, "http://h/a/b/c");
	arena_done(&a);
}

static int check_state(struct task *t, void *data)
{
	return storage_check_all(t, data);
}

static void storage_state(const struct str *in)
{
	struct json *state = NULL;

	NEEDED(json_parse(in->data, in->len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &state) == 0);
	(void)storage_check(state);
	ratio_in_task(check_state, state);
	json_free(state);
}

static int bind_state(struct task *t, void *data)
{
	static const char *const origins[] = { "https://a.very.long.host.of.many.parts.test", "http://h.test:8080",
					       "http://127.0.0.1" };
	const struct string_list list = { (const char **)origins, ARRAY_SIZE(origins) };
	_cleanup_(str_done) struct str out = {};

	bound_print(t, data, &list, NULL, &out);
	return 0;
}

/* Half of the cookies are of the origins. */
static void bound_state(const struct str *in)
{
	struct json *state = NULL;

	NEEDED(json_parse(in->data, in->len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &state) == 0);
	ratio_in_task(bind_state, state);
	json_free(state);
}

#define EVENT(method, params) "{\"method\":\"" method "\",\"params\":{" params "},\"sessionId\":\"S1\"}\n"
#define FRAME(id, url) "\"frame\":{\"id\":\"" id "\",\"parentId\":\"F1\",\"loaderId\":\"L#\",\"url\":\"" url "\"}"
#define ATTACHED EVENT("Page.frameAttached", "\"frameId\":\"G#\",\"parentFrameId\":\"F1\"")
#define CHILD \
	"\"sessionId\":\"C#\",\"targetInfo\":{\"targetId\":\"T#\",\"type\":\"worker\",\"url\":\"\"},\"waitingForDebugger\":true"
#define REQUEST \
	"\"requestId\":\"R#\",\"type\":\"Fetch\",\"timestamp\":1,\"request\":{\"method\":\"GET\",\"url\":\"http://h/#\",\"headers\":{}}"
#define PAUSED "\"requestId\":\"R\",\"networkId\":\"N\",\"request\":{\"method\":\"GET\",\"url\":\"http://h/\",\"headers\":{"
#define TOOL "{\"frameId\":\"F1\",\"name\":\"t#\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}"

static void make_contexts(struct str *out, unsigned n)
{
	ratio_repeat(out, ATTACHED, LIMIT_FRAMES_COUNT - 1);
	ratio_repeat(out,
		     EVENT("Runtime.executionContextCreated",
			   "\"context\":{\"id\":#,\"name\":\"\",\"auxData\":{\"frameId\":\"G1\",\"isDefault\":true}}")
			     EVENT("Runtime.executionContextDestroyed", "\"executionContextId\":#"),
		     n);
}

/* As many updates as bytes, of as many tools and names as there may be. */
static void tool_names(const struct str *in)
{
	struct webmcp_names *names = NEW(struct webmcp_names);
	struct webmcp_watch watch = { .changed = ignore_change };
	struct fuzzed f;

	fuzzed_begin(&f, &watch);
	for (unsigned i = 0; i < LIMIT_WEBMCP_NAMES_COUNT; i++) {
		_cleanup_(str_done) struct str lines = {};

		if (i >= LIMIT_WEBMCP_TOOLS_COUNT)
			ratio_append(&lines, EVENT("WebMCP.toolsRemoved", "\"tools\":[" TOOL "]"), i - LIMIT_WEBMCP_TOOLS_COUNT);
		ratio_append(&lines, EVENT("WebMCP.toolsAdded", "\"tools\":[" TOOL "]"), i);
		fuzzed_receive(&f, lines.data, lines.len, receive_line);
		webmcp_names_update(names, f.page);
	}
	NEEDED(names->count == LIMIT_WEBMCP_NAMES_COUNT);
	for (size_t i = 0; i < in->len; i++)
		webmcp_names_update(names, f.page);
	fuzzed_end(&f);
	free(names);
}

static void cookies(const struct str *in)
{
	struct cookies all = { .items = must(calloc(in->len, sizeof(*all.items))), .count = in->len };
	_cleanup_(str_done) struct str out = {};

	for (size_t i = 0; i < in->len; i++)
		all.items[i] = (struct cookie){ "name", "\1\"", ".h.example", "/", -1, true, true, "Lax", NULL };
	cookies_print(&out, &all);
	free(all.items);
}

/* Lines are addresses. */
static void origins(const struct str *in)
{
	struct visited_origins all;
	char *text = must(strdup(in->data)), *at = text;

	origins_init(&all);
	while (*at)
		origins_visit(&all, strsep(&at, "\n"));
	origins_done(&all);
	free(text);
}

/* Each frame has a child before its parent is known, which is reported last. */
static void make_late_parents(struct str *out, unsigned n)
{
	ratio_repeat(out,
		     EVENT("Page.frameAttached", "\"frameId\":\"G#\",\"parentFrameId\":\"H#\"")
			     EVENT("Page.frameAttached", "\"frameId\":\"C#\",\"parentFrameId\":\"G#\""),
		     n);
	ratio_repeat(out,
		     EVENT("Page.frameAttached", "\"frameId\":\"H#\",\"parentFrameId\":\"F1\"")
			     EVENT("Page.frameAttached", "\"frameId\":\"G#\",\"parentFrameId\":\"H#\""),
		     n);
}

/* The page has a frame for each line; some refs of the last are looked up. */
static void refs(const struct str *in)
{
	struct fuzzed f;

	fuzzed_begin(&f, NULL);
	fuzzed_receive(&f, in->data, in->len, receive_line);
	for (unsigned i = 0; i < 200; i++)
		NEEDED(!page_frame_of_ref(f.page, "f999999e1"));
	fuzzed_end(&f);
}

/* A page for each byte, which all calls look for among the tabs of their session. */
static void tabs(const struct str *in)
{
	struct page **all = must(calloc(in->len, sizeof(*all)));
	struct tabs tabs;
	struct fuzzed f;

	fuzzed_begin(&f, NULL);
	tabs_init(&tabs);
	for (size_t i = 0; i < in->len; i++) {
		char name[32];

		snprintf(name, sizeof(name), "P%zu", i);
		all[i] = page_ref(page_new(&f.pages, cdp_root(f.cdp), name, name));
	}
	for (unsigned n = 0; n < 5; n++)
		for (size_t i = 0; i < in->len; i++)
			tabs_add(&tabs, all[i], NULL);
	NEEDED(tabs_count(&tabs) == in->len);
	tabs_done(&tabs);
	for (size_t i = 0; i < in->len; i++)
		page_unref(all[i]);
	fuzzed_end(&f);
	free(all);
}

/* `make` of rows: the last one is detached first. */
static void make_detached(struct str *out, const char *attached, const char *detached, unsigned n)
{
	ratio_repeat(out, attached, n);
	for (unsigned i = n; i-- > 0;)
		ratio_append(out, detached, i);
}

static void make_workers(struct str *out, unsigned n)
{
	make_detached(out, EVENT("Target.attachedToTarget", CHILD), EVENT("Target.detachedFromTarget", "\"sessionId\":\"C#\""), n);
}

static void make_frames(struct str *out, unsigned n)
{
	make_detached(out, ATTACHED, EVENT("Page.frameDetached", "\"frameId\":\"G#\""), n);
}

/* Each frame is reported before its parent. */
static void make_orphans(struct str *out, unsigned n)
{
	for (unsigned i = n; i-- > 0;)
		str_appendf(out, EVENT("Page.frameAttached", "\"frameId\":\"G%u\",\"parentFrameId\":\"G%u\""), i + 1, i);
}

/* As many contexts as stores: each is looked for by how much its store has grown. */
static void blobs(const struct str *in)
{
	_cleanup_(blob_dump_done) struct blob_dump before = {}, after = {};

	for (size_t i = 0; i < in->len; i++) {
		char name[32];

		snprintf(name, sizeof(name), "site_storage/%zx", i * 7919);
		blob_dump_add(&before, name, i * 4096);
		blob_dump_add(&after, name, i * 4096 + 4096 + i);
	}
	blob_dump_compare(&before, &after);
	for (size_t i = 0; i < in->len; i++)
		NEEDED(blob_dump_grown_by(&after, 4096 + i));
	blob_dump_largest(&after);
}

const struct ratio_row ratio_page_rows[] = {
	{ "cdp_receive: members before the session", 100000, received, .head = "{\"a\":\"", .unit = ",\\\"sessionId\\\":\\\"",
	  .tail = "\",\"sessionId\":\"S1\",\"method\":\"Page.x\"}" },
	{ "frames: attached", 250, received, .unit = ATTACHED },
	{ "frames: attached and detached", 250, received, .unit = ATTACHED,
	  .close = EVENT("Page.frameDetached", "\"frameId\":\"G#\"") },
	{ "frames: navigated", 250, received, .unit = EVENT("Page.frameNavigated", FRAME("G#", "http://h#.test/")) },
	{ "frames: contexts of one of the most that there may be", 3000, received, .make = make_contexts },
	{ "frames: the main one is left", 250, received, .unit = ATTACHED,
	  .tail = EVENT("Page.frameNavigated", "\"frame\":{\"id\":\"F1\",\"loaderId\":\"M\",\"url\":\"http://h/\"}") },
	{ "frames: a tree of siblings", 480, tree,
	  .head = "{\"result\":{\"frameTree\":{\"frame\":{\"id\":\"F1\",\"loaderId\":\"L\",\"url\":\"http://h/\"},\"childFrames\":[",
	  .unit = "{" FRAME("G#", "http://h/#") "},", .tail = "{}]}}}" },
	{ "frames: an address", 30000, received,
	  .head = "{\"method\":\"Page.navigatedWithinDocument\",\"params\":{\"frameId\":\"F1\",\"url\":\"http://h/", .unit = "a/?#",
	  .tail = "\"},\"sessionId\":\"S1\"}" },
	{ "frames: attached before their parents, with children", 150, received, .make = make_late_parents },
	{ "page_frame_of_ref: frames", 450, refs, .unit = ATTACHED },
	{ "targets: workers attached", 1500, received, .unit = EVENT("Target.attachedToTarget", CHILD) },
	{ "targets: workers attached and detached", 1500, received, .unit = EVENT("Target.attachedToTarget", CHILD),
	  .close = EVENT("Target.detachedFromTarget", "\"sessionId\":\"C#\"") },
	{ "targets: workers attached and detached, the last first", 1500, received, .make = make_workers },
	{ "requests paused: by workers", 500, answered, .unit = EVENT("Target.attachedToTarget", CHILD),
	  .close = "{\"method\":\"Fetch.requestPaused\",\"params\":{" PAUSED "}}},\"sessionId\":\"C#\"}\n" },
	{ "frames: attached and detached, the last first", 450, received, .make = make_frames },
	{ "frames: attached before their parents", 450, received, .make = make_orphans },
	{ "traffic: requests that end in order", 1000, received, .unit = EVENT("Network.requestWillBeSent", REQUEST),
	  .close = EVENT("Network.loadingFinished", "\"requestId\":\"R#\",\"timestamp\":2") },
	{ "console: messages", 5000, received,
	  .unit = EVENT("Runtime.consoleAPICalled", "\"type\":\"log\",\"args\":[{\"type\":\"object\",\"objectId\":\"#\"}]") },
	{ "dialogs: opened and closed", 5000, received,
	  .unit = EVENT("Page.javascriptDialogOpening", "\"type\":\"alert\",\"message\":\"m\"")
		  EVENT("Page.javascriptDialogClosed", "\"result\":true") },
	{ "requests paused: answered", 5000, answered,
	  .unit = EVENT("Fetch.requestPaused",
			"\"requestId\":\"R#\",\"request\":{\"method\":\"GET\",\"url\":\"http://h/#\",\"headers\":{}}") },
	{ "requests paused: headers that are set", 4000, changed, .head = "{\"method\":\"Fetch.requestPaused\",\"params\":{" PAUSED,
	  .unit = "\"Name-#\":\"a\",", .tail = "\"z\":\"1\"}}},\"sessionId\":\"S1\"}" },
	{ "webmcp: tools of one message", 5000, received, .head = "{\"method\":\"WebMCP.toolsAdded\",\"params\":{\"tools\":[",
	  .unit = TOOL ",", .tail = "{}]},\"sessionId\":\"S1\"}" },
	{ "webmcp: tools, the last first", 5000, received, .unit = EVENT("WebMCP.toolsAdded", "\"tools\":[" TOOL "]") },
	{ "webmcp_names_update: updates of the most tools", 200, tool_names, .unit = "x" },
	{ "cookies_print: cookies", 10000, cookies, .unit = "x" },
	{ "webmcp: members of a schema", 50, schema, .head = "{\"type\":\"object\",\"properties\":{",
	  .unit = "\"p#\":{\"type\":\"string\"},", .tail = "\"z\":{}}}" },
	{ "webmcp: references of a schema", 50, schema,
	  .head = "{\"type\":\"object\",\"$defs\":{\"a\":{\"allOf\":[{\"title\":\"x\"},{\"title\":\"x\"}]}},\"allOf\":[",
	  .unit = "{\"$ref\":\"#/$defs/a\"},", .tail = "{}]}" },
	{ "address_complete: control characters", 200000, address, .unit = "\t\n", .tail = "http:" },
	{ "address_complete: dots", 200000, address, .unit = "a.b:" },
	{ "tabs_add: pages", 500, tabs, .unit = "x" },
	{ "blob_dump_compare: stores and contexts", 2500, blobs, .unit = "x" },
	{ "origins_visit: origins", LIMIT_ORIGINS_COUNT * 2, origins, .unit = "http://h#.test/x\n" },
	{ "origins_visit: one origin", 10000, origins, .unit = "http://h.test/#\n" },
	{ "storage_check: cookies", 5000, storage_state, .head = "{\"cookies\":[",
	  .unit = "{\"name\":\"n#\",\"value\":\"v\",\"domain\":\"h\",\"path\":\"/\",\"expires\":-1,\"httpOnly\":false,\"secure\":false,\"sameSite\":\"Lax\"},",
	  .tail = "{\"name\":\"n\",\"value\":\"v\",\"domain\":\"h\",\"path\":\"/\",\"expires\":-1,\"httpOnly\":false,\"secure\":false,\"sameSite\":\"Lax\"}],\"origins\":[]}" },
	{ "bound_print: cookies", 5000, bound_state, .head = "{\"origins\":[],\"cookies\":[",
	  .unit = "{\"name\":\"n#\",\"value\":\"v\",\"domain\":\".of.many.parts.test\"},{\"name\":\"n#\",\"value\":\"v\",\"domain\":\"h#.test\"},",
	  .tail = "{\"name\":\"n\",\"value\":\"v\",\"domain\":\"h\"}]}" },
	{ "storage_check: origins", 10000, storage_state, .head = "{\"cookies\":[],\"origins\":[",
	  .unit = "{\"origin\":\"http://h#\",\"localStorage\":[]},", .tail = "{\"origin\":\"http://h\",\"localStorage\":[]}]}" },
	{},
};

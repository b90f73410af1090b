/* What a browser says of a target and its frames, as structs, and what of it is recorded. */
#include "test.h"

#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cdp_pair.h"
#include "engine/cdp/cdp.h"
#include "engine/events.h"
#include "loop/loop.h"
#include "observe/journal.h"
#include "run_queued.h"

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	int peer;
	struct engine_target *page, *deaf;
	struct engine_meter meter;
	struct journal *journal;
	struct str said; /* what was reported, a line each */
	double cost;
	bool awaits; /* the end of a tool's call */
};

#define SAY(data, ...) str_appendf(&((struct fixture *)(data))->said, __VA_ARGS__)

static const char *word(const char *text)
{
	return text ? text : "-";
}

static void on_frame_attached(struct engine_target *s, const char *frame, const char *parent, void *data)
{
	SAY(data, "frame %s in %s\n", word(frame), word(parent));
}

static void on_frame_removed(struct engine_target *s, const char *frame, void *data)
{
	SAY(data, "removed %s\n", word(frame));
}

static void say_document(const struct engine_document *d, void *data)
{
	SAY(data, "document %s of %s in %s: '%s' '%s' '%s' '%s'%s\n", word(d->id), word(d->frame), word(d->parent), d->url,
	    d->fragment, d->name, d->failed, d->restored ? " restored" : "");
}

static void on_navigated(struct engine_target *s, const struct engine_document *d, void *data)
{
	say_document(d, data);
}

static void on_moved(struct engine_target *s, const char *frame, const char *url, void *data)
{
	SAY(data, "moved %s to '%s'\n", word(frame), url);
}

static void on_loaded(struct engine_target *s, const char *frame, const char *document, enum load_state state, void *data)
{
	SAY(data, "loaded %s of %s: %d\n", document, word(frame), state);
}

static const struct engine_frame_events frames = { on_frame_attached, on_frame_removed, on_navigated, on_moved, on_loaded };

static void on_requested(struct engine_target *s, const char *frame, void *data)
{
	SAY(data, "requested in %s\n", word(frame));
}

static void on_started(struct engine_target *s, const char *frame, const char *document, bool same_document, void *data)
{
	SAY(data, "started '%s' in %s%s\n", document, word(frame), same_document ? ", the same" : "");
}

static void on_stopped(struct engine_target *s, const char *frame, void *data)
{
	SAY(data, "stopped in %s\n", word(frame));
}

static const struct engine_navigation_events navigations = { on_requested, on_started, on_stopped };

static void on_created(struct engine_target *s, const struct engine_world *w, void *data)
{
	SAY(data, "world %d '%s' of %s%s\n", w->id, w->name, word(w->frame), w->is_page ? ", the page's" : "");
}

static void on_destroyed(struct engine_target *s, int world, void *data)
{
	SAY(data, "no world %d\n", world);
}

static void on_cleared(struct engine_target *s, void *data)
{
	SAY(data, "no worlds\n");
}

static void on_message(struct engine_target *s, const struct engine_message *m, void *data)
{
	SAY(data, "%s from %d: %zu bytes\n", m->function, m->world, strlen(m->text));
}

static bool may_be_long(const char *function, size_t len, void *data)
{
	return len == 4 && memcmp(function, "long", len) == 0;
}

static const struct engine_world_events worlds = { on_created, on_destroyed, on_cleared, on_message, may_be_long };

static void say_exchange(const char *what, const struct exchange_event *x, void *data)
{
	SAY(data, "%s %s by %s for %s%s%s%s, after %d records\n", what, word(x->id), x->target, word(x->loader),
	    x->is_data ? ", data" : "", x->redirected ? ", again" : "", x->canceled ? ", canceled" : "",
	    (int)journal_end(((struct fixture *)data)->journal));
}

static void on_request(const struct exchange_event *x, void *data)
{
	say_exchange(x->resource == RESOURCE_DOCUMENT ? "document" : "request", x, data);
}

static void on_response(const struct exchange_event *x, void *data)
{
	say_exchange("response", x, data);
	SAY(data, "%d '%s' of %s\n", x->status, x->status_text, word(x->frame));
}

static void on_finished(const struct exchange_event *x, void *data)
{
	say_exchange("finished", x, data);
}

static void on_failed(const struct exchange_event *x, void *data)
{
	say_exchange("failed", x, data);
}

static void on_received(struct engine_target *s, void *data)
{
	SAY(data, "received\n");
}

static void on_intercepted(struct engine_target *s, struct intercepted_request *q, void *data)
{
	SAY(data, "%s waits for '%s'\n", q->id, q->url);
}

static void on_challenged(struct engine_target *s, const struct challenge *c, void *data)
{
	SAY(data, "%s is asked by '%s'\n", c->id, c->origin);
}

static const struct engine_traffic_events traffic = {
	.request = on_request,
	.response = on_response,
	.finished = on_finished,
	.failed = on_failed,
	.received = on_received,
	.intercepted = on_intercepted,
	.challenged = on_challenged,
};

static void on_kept_objects(struct engine_target *s, void *data)
{
	SAY(data, "objects\n");
}

static const struct engine_console_events console = { on_kept_objects };

static void on_dialog_opened(struct engine_target *s, const struct opened_dialog *d, void *data)
{
	SAY(data, "dialog '%s' '%s' of '%s'\n", d->type, d->message, word(d->url));
}

static void on_dialog_closed(struct engine_target *s, bool accepted, const char *input, void *data)
{
	SAY(data, "%s with '%s'\n", accepted ? "accepted" : "dismissed", word(input));
}

static void on_chooser_opened(struct engine_target *s, int field, void *data)
{
	SAY(data, "chooser of %d\n", field);
}

static const struct engine_modal_events modals = { on_dialog_opened, on_dialog_closed, on_chooser_opened };

static void on_attached(struct engine_target *s, const struct engine_attachment *a, void *data)
{
	SAY(data, "attached %s: %s\n", a->id, a->target.type);
}

static void on_detached(struct engine_target *s, const char *attachment, void *data)
{
	SAY(data, "detached '%s'\n", attachment);
}

static void on_crashed(struct engine_target *s, void *data)
{
	SAY(data, "crashed\n");
}

static const struct engine_target_events targets = { on_attached, on_detached, on_crashed };

static void on_drag(struct engine_target *s, const char *what, void *data)
{
	SAY(data, "drag of %s\n", what);
}

static const struct engine_drag_events drags = { on_drag };

static void say_tools(const char *what, const struct offered_tool *list, size_t count, void *data)
{
	SAY(data, "%zu tools %s\n", count, what);
	for (size_t i = 0; i < count; i++)
		SAY(data, "'%s' of %s: '%s'%s%s%s\n", list[i].name, word(list[i].frame), list[i].description,
		    list[i].schema ? ", arguments" : "", list[i].read_only ? ", reads" : "",
		    list[i].untrusted_content ? ", untrusted" : "");
}

static void on_added(struct engine_target *s, const struct offered_tool *list, size_t count, void *data)
{
	say_tools("added", list, count, data);
}

static void on_removed(struct engine_target *s, const struct offered_tool *list, size_t count, void *data)
{
	say_tools("removed", list, count, data);
}

static void on_tool_ended(struct engine_target *s, const char *call, size_t len, const struct tool_end *e, void *data)
{
	_cleanup_(tool_outcome_done) struct tool_outcome o = {};
	_cleanup_(str_done) struct str output = {};

	SAY(data, "ended %.*s\n", (int)len, call);
	if (!((struct fixture *)data)->awaits)
		return;
	if (!engine_read_tool_end(e, &o)) {
		SAY(data, "cannot be read\n");
		return;
	}
	if (o.output)
		json_print(&output, o.output);
	SAY(data, "%s '%s' %s\n", o.completed ? "completed" : "failed", str_text(&o.error), str_text(&output));
}

static const struct engine_tool_events tools = { on_added, on_removed, on_tool_ended };

static struct journal *journal_of(void *data)
{
	return ((struct fixture *)data)->journal;
}

static const struct engine_events all = { &frames, &navigations, &worlds, &traffic, &console,
					  &modals, &targets,     &drags,  &tools,   journal_of };
static const struct engine_events none = {};

static void on_cost(struct engine_meter *m, struct engine_target *s, double cost)
{
	CONTAINER_OF(m, struct fixture, meter)->cost += cost;
}

static void on_moved_bytes(struct engine_meter *m, size_t bytes)
{
}

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &cdp_pair_ignored, f, &f->cdp);
	f->journal = journal_new(100, 1 << 20);
	f->meter = (struct engine_meter){ .event = on_cost, .moved = on_moved_bytes };
	f->page = engine_target_new(cdp_root(f->cdp), "S1", &all, f);
	f->deaf = engine_target_new(cdp_root(f->cdp), "S2", &none, f);
	assert_non_null(f->page);
	assert_non_null(f->deaf);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	engine_target_free(f->page);
	engine_target_free(f->deaf);
	cdp_pair_end(f->loop, f->cdp, f->peer);
	journal_free(f->journal);
	str_done(&f->said);
	free(f);
	return 0;
}

static void receive(struct fixture *f, const char *session, const char *method, const char *params)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "{\"method\":\"%s\",\"params\":%s,\"sessionId\":\"%s\"}", method, params, session);
	cdp_receive(f->cdp, text.data, text.len);
}

/* Whoever hears nothing gets nothing, and survives everything. */
static void expect(struct fixture *f, const char *method, const char *params, const char *said)
{
	receive(f, "S2", method, params);
	assert_string_equal(str_text(&f->said), "");
	receive(f, "S1", method, params);
	assert_string_equal(str_text(&f->said), said);
	str_reset(&f->said);
}

static void test_frames(void **state)
{
	struct fixture *f = *state;

	expect(f, "Page.frameAttached", "{\"frameId\":\"F2\",\"parentFrameId\":\"F1\"}", "frame F2 in F1\n");
	expect(f, "Page.frameAttached", "{\"frameId\":7}", "frame - in -\n");
	expect(f, "Page.frameDetached", "{\"frameId\":\"F2\",\"reason\":\"remove\"}", "removed F2\n");
	expect(f, "Page.frameDetached", "{\"frameId\":\"F2\"}", "removed F2\n");
	expect(f, "Page.frameDetached", "{\"frameId\":\"F2\",\"reason\":\"swap\"}", "");
	expect(f, "Page.frameNavigated",
	       "{\"frame\":{\"id\":\"F1\",\"loaderId\":\"L\",\"url\":\"u\",\"urlFragment\":\"#f\",\"name\":\"n\"}}",
	       "document L of F1 in -: 'u' '#f' 'n' ''\n");
	expect(f, "Page.frameNavigated",
	       "{\"type\":\"BackForwardCacheRestore\",\"frame\":{\"id\":\"F2\",\"parentId\":\"F1\",\"unreachableUrl\":\"v\"}}",
	       "document - of F2 in F1: '' '' '' 'v' restored\n");
	expect(f, "Page.frameNavigated", "{}", "document - of - in -: '' '' '' ''\n");
	expect(f, "Page.navigatedWithinDocument", "{\"frameId\":\"F1\",\"url\":\"u#x\"}", "moved F1 to 'u#x'\n");
	expect(f, "Page.navigatedWithinDocument", "{\"frameId\":\"F1\"}", "");
	expect(f, "Page.lifecycleEvent", "{\"frameId\":\"F1\",\"loaderId\":\"L\",\"name\":\"load\"}", "loaded L of F1: 4\n");
	expect(f, "Page.lifecycleEvent", "{\"frameId\":\"F1\",\"loaderId\":\"L\",\"name\":\"firstPaint\"}", "");
	expect(f, "Page.lifecycleEvent", "{\"frameId\":\"F1\",\"name\":\"load\"}", "");
}

static void test_listed_frames(void **state)
{
	static const char reply[] =
		"{\"result\":{\"frameTree\":{\"frame\":{\"id\":\"F1\"},\"childFrames\":[{\"frame\":{\"id\":\"F2\"},"
		"\"childFrames\":[{\"frame\":{\"id\":\"F3\"}}]},{\"frame\":{\"id\":\"F4\"}}]}}}";
	struct engine_call call = {};
	struct fixture *f = *state;

	engine_read_frames(&call, 9, say_document, f);
	assert_string_equal(str_text(&f->said), "document - of - in -: '' '' '' ''\n");
	str_reset(&f->said);
	assert_int_equal(json_parse(reply, strlen(reply), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &call.reply), 0);
	engine_read_frames(&call, 3, say_document, f);
	assert_string_equal(str_text(&f->said), "document - of F1 in -: '' '' '' ''\ndocument - of F2 in -: '' '' '' ''\n"
						"document - of F3 in -: '' '' '' ''\n");
	engine_call_done(&call);
}

static void test_navigations(void **state)
{
	struct fixture *f = *state;

	expect(f, "Page.frameRequestedNavigation", "{\"frameId\":\"F1\",\"disposition\":\"currentTab\"}", "requested in F1\n");
	expect(f, "Page.frameRequestedNavigation", "{\"frameId\":\"F1\",\"disposition\":\"newTab\"}", "");
	expect(f, "Page.frameStartedNavigating", "{\"frameId\":\"F1\",\"loaderId\":\"L\",\"navigationType\":\"differentDocument\"}",
	       "started 'L' in F1\n");
	expect(f, "Page.frameStartedNavigating", "{\"frameId\":\"F1\",\"navigationType\":\"sameDocument\"}",
	       "started '' in F1, the same\n");
	expect(f, "Page.frameStartedNavigating", "{\"frameId\":\"F1\",\"loaderId\":\"L\"}", "");
	expect(f, "Page.frameStoppedLoading", "{\"frameId\":\"F1\"}", "stopped in F1\n");
}

static void test_worlds(void **state)
{
	struct fixture *f = *state;

	expect(f, "Runtime.executionContextCreated",
	       "{\"context\":{\"id\":7,\"name\":\"own\",\"auxData\":{\"frameId\":\"F1\",\"isDefault\":false}}}",
	       "world 7 'own' of F1\n");
	expect(f, "Runtime.executionContextCreated", "{\"context\":{\"id\":8,\"auxData\":{\"frameId\":\"F1\",\"isDefault\":true}}}",
	       "world 8 '' of F1, the page's\n");
	expect(f, "Runtime.executionContextDestroyed", "{\"executionContextId\":7}", "no world 7\n");
	expect(f, "Runtime.executionContextsCleared", "{}", "no worlds\n");
}

static void send_message(struct fixture *f, const char *function, size_t size, const char *said)
{
	_cleanup_(str_done) struct str params = {};
	char *text = must(calloc(1, size + 1));

	memset(text, 'x', size);
	str_appendf(&params, "{\"name\":\"%s\",\"payload\":\"%s\",\"executionContextId\":7}", function, text);
	expect(f, "Runtime.bindingCalled", params.data, said);
	free(text);
}

/* Only those whose senders are known may be long. */
static void test_messages(void **state)
{
	struct fixture *f = *state;

	send_message(f, "short", 5, "short from 7: 5 bytes\n");
	send_message(f, "short", LIMIT_OBSERVED_MESSAGE, "");
	send_message(f, "long", LIMIT_OBSERVED_MESSAGE, "long from 7: 8388608 bytes\n");
	send_message(f, "longer", LIMIT_OBSERVED_MESSAGE, "");
	expect(f, "Runtime.bindingCalled", "{\"name\":\"short\",\"executionContextId\":7}", "");
}

/* The owner of the target hears of an event before it is in the journal. */
static void test_traffic(void **state)
{
	struct fixture *f = *state;

	expect(f, "Network.requestWillBeSent",
	       "{\"requestId\":\"R\",\"loaderId\":\"R\",\"type\":\"Document\",\"request\":{\"url\":\"http://h/\"}}",
	       "document R by S1 for R, after 0 records\n");
	expect(f, "Network.responseReceived",
	       "{\"requestId\":\"R\",\"loaderId\":\"R\",\"frameId\":\"F1\",\"response\":{\"status\":404,\"statusText\":\"Gone\"}}",
	       "response R by S1 for R, after 1 records\n404 'Gone' of F1\n");
	expect(f, "Network.dataReceived", "no JSON", "received\n");
	expect(f, "Network.loadingFinished", "{\"requestId\":\"R\"}", "finished R by S1 for -, after 2 records\n");
	expect(f, "Network.requestWillBeSent", "{\"requestId\":\"Q\",\"redirectResponse\":{},\"request\":{\"url\":\"data:,\"}}",
	       "request Q by S1 for -, data, again, after 3 records\n");
	expect(f, "Network.loadingFailed", "{\"requestId\":\"Q\",\"canceled\":true}",
	       "failed Q by S1 for -, canceled, after 3 records\n");
	expect(f, "Network.webSocketClosed", "{\"requestId\":\"W\"}", "");
	assert_int_equal(journal_end(f->journal), 4);
	expect(f, "Fetch.requestPaused", "{\"requestId\":\"P\",\"request\":{\"url\":\"u\"}}", "P waits for 'u'\n");
	expect(f, "Fetch.requestPaused", "{\"requestId\":\"P\"}", "");
	expect(f, "Fetch.authRequired", "{\"requestId\":\"P\",\"authChallenge\":{\"origin\":\"o\"}}", "P is asked by 'o'\n");
}

static void test_console(void **state)
{
	struct fixture *f = *state;

	expect(f, "Runtime.consoleAPICalled", "{\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"a\"}]}", "");
	expect(f, "Runtime.consoleAPICalled",
	       "{\"type\":\"log\",\"args\":[{\"type\":\"string\"},{\"type\":\"object\",\"objectId\":\"1\"}]}", "objects\n");
	expect(f, "Runtime.exceptionThrown", "{\"exceptionDetails\":{\"text\":\"t\",\"exception\":{\"objectId\":\"2\"}}}",
	       "objects\n");
	expect(f, "Log.entryAdded", "{\"entry\":{\"text\":\"t\"}}", "");
	assert_int_equal(journal_end(f->journal), 4);
}

static void test_modals(void **state)
{
	struct fixture *f = *state;

	expect(f, "Page.javascriptDialogOpening", "{\"type\":\"prompt\",\"message\":\"m\",\"url\":\"u\"}",
	       "dialog 'prompt' 'm' of 'u'\n");
	expect(f, "Page.javascriptDialogOpening", "{}", "dialog '' '' of '-'\n");
	expect(f, "Page.javascriptDialogClosed", "{\"result\":true,\"userInput\":\"i\"}", "accepted with 'i'\n");
	expect(f, "Page.javascriptDialogClosed", "{}", "dismissed with '-'\n");
	expect(f, "Page.fileChooserOpened", "{\"backendNodeId\":5}", "chooser of 5\n");
	expect(f, "Page.fileChooserOpened", "{}", "chooser of 0\n");
}

static void test_targets(void **state)
{
	struct fixture *f = *state;

	expect(f, "Target.attachedToTarget", "{\"sessionId\":\"S3\",\"targetInfo\":{\"type\":\"worker\"}}",
	       "attached S3: worker\n");
	expect(f, "Target.attachedToTarget", "{\"sessionId\":\"S3\"}", "");
	expect(f, "Target.detachedFromTarget", "{\"sessionId\":\"S3\"}", "detached 'S3'\n");
	expect(f, "Target.detachedFromTarget", "{}", "detached ''\n");
	expect(f, "Inspector.targetCrashed", "{}", "crashed\n");
	expect(f, "Input.dragIntercepted", "{\"data\":{\"items\":[]}}", "drag of {\"items\":[]}\n");
}

static void test_tools(void **state)
{
	struct fixture *f = *state;

	expect(f, "WebMCP.toolsAdded",
	       "{\"tools\":[{\"frameId\":\"F1\",\"name\":\"a\",\"description\":\"d\",\"inputSchema\":{},\"annotations\":{\"readOnly\":true}},{}]}",
	       "2 tools added\n'a' of F1: 'd', arguments, reads\n'' of -: ''\n");
	expect(f, "WebMCP.toolsAdded", "{}", "0 tools added\n");
	expect(f, "WebMCP.toolsRemoved", "{\"tools\":[{\"frameId\":\"F1\",\"name\":\"a\"}]}", "1 tools removed\n'a' of F1: ''\n");
	expect(f, "WebMCP.toolResponded", "{\"invocationId\":\"I\",this is not read}", "ended I\n");
	expect(f, "WebMCP.toolResponded", "{\"status\":\"Completed\"}", "");
	f->awaits = true;
	expect(f, "WebMCP.toolResponded", "{\"invocationId\":\"I\",\"status\":\"Completed\",\"output\":[1]}",
	       "ended I\ncompleted '' [1]\n");
	expect(f, "WebMCP.toolResponded", "{\"invocationId\":\"I\",\"status\":\"Error\",\"errorText\":\"e\"}",
	       "ended I\nfailed 'e' \n");
	expect(f, "WebMCP.toolResponded", "{\"invocationId\":\"I\",\"output\":tru}", "ended I\ncannot be read\n");
}

static double cost_of(struct fixture *f, const char *method, const char *params)
{
	f->cost = 0;
	receive(f, "S1", method, params);
	return f->cost;
}

/* Also of what nobody hears. */
static void test_costs(void **state)
{
	struct fixture *f = *state;
	double usual;

	engine_count(f->page, &f->meter);
	assert_true(cost_of(f, "Page.frameAttached", "{}") == 40);
	assert_true(cost_of(f, "Network.dataReceived", "{}") == 0.25);
	assert_true(cost_of(f, "Page.screencastFrame", "{}") == 0);
	usual = cost_of(f, "Other.event", "{}");
	assert_true(usual > 1 && usual < 2);
	assert_true(cost_of(f, "Other.event", "{\"a\":\"a longer one\"}") > usual);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_frames),   TEST(test_listed_frames), TEST(test_navigations), TEST(test_worlds),
		TEST(test_messages), TEST(test_traffic),       TEST(test_console),     TEST(test_modals),
		TEST(test_targets),  TEST(test_tools),         TEST(test_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "browser_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "floor.h"
#include "measure.h"
#include "stdio_client.h"

#define SNAPSHOTS 15 /* of each table, on either side */
#define URL_SIZE 128

/* What any snapshot has to do: walk over all nodes, ask each element for its style, build a text and send it. */
static const char walk[] =
	"{\"returnByValue\":true,\"expression\":\"(() => { let text = ''; const w = document.createTreeWalker(document.body, 5);"
	"for (let n = w.nextNode(); n; n = w.nextNode()) text += n.nodeType === 3 ? n.data : "
	"'\\\\n- ' + n.localName + ' [' + getComputedStyle(n).cursor + ']: '; return text })()\"}";

/* The same function, awaited and with a user's gesture as a call of the tool has it. */
static const char one_and_one[] =
	"{\"expression\":\"(() => 1+1)()\",\"returnByValue\":true,\"awaitPromise\":true,\"userGesture\":true}";

/* From now on, ten times a second, a hundredth of the rows of a table changes. A worker counts, as settling would wait for a timer of the page. */
static const char change_rows[] =
	"() => { const script = 'setInterval(() => postMessage(0), 100)'; let n = 0;"
	"window.worker = new Worker(URL.createObjectURL(new Blob([script])));"
	"worker.onmessage = () => { for (n++, i = n % 100; i < t.rows.length; i += 100) t.rows[i].cells[2].textContent = `sold, ${n}`; } }";

/* Of answers, docs/answers.md. */
struct form {
	const char *name, *before_ref;
	bool is_compact;
};

static usec_t floor_walk(struct floor *f)
{
	return floor_call(f, "Runtime.evaluate", walk);
}

static void call(struct stdio_client *c, const char *tool, const char *name, const char *value)
{
	if (name)
		json_free(stdio_client_call(c, tool, "{?: ?}", JSON_RAW(name), value));
	else
		json_free(stdio_client_call(c, tool, "{}"));
}

/* Of the first button that a snapshot shows; the caller frees. */
static char *take_ref(struct stdio_client *c, const struct form *form)
{
	_cleanup_(json_freep) struct json *reply = stdio_client_call(c, "browser_snapshot", "{}");
	const char *text = json_str(json_first(json_get(reply, "result.content")), "text");
	const char *at = text ? strstr(text, "button \"") : NULL;

	at = at ? strstr(at, form->before_ref) : NULL;
	if (!at) {
		fprintf(stderr, "benchmark: no button in the snapshot\n");
		exit(1);
	}
	at += strlen(form->before_ref);
	return strndup(at, strcspn(at, " ]\n"));
}

/* Looks, clicks what it saw, and the answer shows what became of it. */
static void snapshot_and_click(struct stdio_client *c, const struct form *form)
{
	char *ref = take_ref(c, form);

	json_free(stdio_client_call(c, "browser_click", "{element: 'the button', target: ?}", ref));
	free(ref);
}

static void fill_form(struct stdio_client *c, const char *text)
{
	json_free(stdio_client_call(c, "browser_fill_form",
				    "{fields: [{name: 'First name', target: '#f0', type: 'textbox', value: ?}, "
				    "{name: 'Last name', target: '#f1', type: 'textbox', value: ?}, "
				    "{name: 'Street', target: '#f2', type: 'textbox', value: ?}, "
				    "{name: 'City', target: '#f3', type: 'textbox', value: ?}, "
				    "{name: 'Country', target: '#f4', type: 'textbox', value: ?}]}",
				    text, text, text, text, text));
}

/* Seven steps: open, look, fill in, choose, agree, send, look. */
static void workflow(struct stdio_client *c, const char *url)
{
	call(c, "browser_navigate", "\"url\"", url);
	call(c, "browser_snapshot", NULL, NULL);
	fill_form(c, "Ada");
	json_free(stdio_client_call(c, "browser_select_option", "{element: 'Size', target: '#s', values: ['large']}"));
	json_free(stdio_client_call(c, "browser_click", "{element: 'I agree', target: '#c'}"));
	json_free(stdio_client_call(c, "browser_click", "{element: 'Send', target: '#b'}"));
	call(c, "browser_snapshot", NULL, NULL);
}

static usec_t floor_workflow(struct floor *f, const char *url, const char *done)
{
	usec_t sum = floor_navigate(f, url) + floor_walk(f) + floor_fill(f, "Ada");

	sum += floor_call(f, "Runtime.evaluate", "{\"expression\":\"s.value = 'large'; c.click()\"}");
	return sum + floor_navigate(f, done) + floor_walk(f);
}

static void go(struct stdio_client *c, struct floor *f, const char *url)
{
	floor_navigate(f, url);
	call(c, "browser_navigate", "\"url\"", url);
}

static void bench_small_pages(struct stdio_client *c, struct floor *f, const char *url, const struct form *form)
{
	char form_url[URL_SIZE], done[URL_SIZE];

	snprintf(form_url, sizeof(form_url), "%sform", url);
	snprintf(done, sizeof(done), "%sdone", url);
	go(c, f, url);
	IN_TURNS("browser_evaluate", "1.3 x", CALLS, call(c, "browser_evaluate", "\"function\"", "() => 1+1"),
		 floor_call(f, "Runtime.evaluate", one_and_one));
	IN_TURNS("browser_snapshot, click that changes text", "20 ms by hand", CALLS, snapshot_and_click(c, form),
		 floor_walk(f) + floor_click(f) + floor_walk(f));
	IN_TURNS("browser_take_screenshot", "1.2 x", CALLS, call(c, "browser_take_screenshot", NULL, NULL),
		 floor_call(f, "Page.captureScreenshot", "{\"format\":\"png\"}"));
	go(c, f, form_url);
	IN_TURNS("browser_fill_form, 5 fields", "15 ms by hand", CALLS, fill_form(c, "Ada"), floor_fill(f, "Ada"));
	IN_TURNS("form workflow of 7 steps", "103 ms by hand", CALLS / 2, workflow(c, form_url), floor_workflow(f, form_url, done));
	report("server memory after it", "8 MiB", (double)pss_kib(stdio_client_pid(c)) / 1024, 0, "MiB");
}

static void bench_table(struct stdio_client *c, struct floor *f, const char *url, unsigned elements, const struct form *form)
{
	char table[URL_SIZE], what[64];

	snprintf(table, sizeof(table), "%stable?%u", url, elements / 7);
	go(c, f, table);
	snprintf(what, sizeof(what), "%s, %u elements", form->name, elements);
	IN_TURNS(what, "2.3 x", SNAPSHOTS, call(c, "browser_snapshot", NULL, NULL), floor_walk(f));
	if (!form->is_compact)
		return;
	/* A view with a depth takes nothing over from the last one. */
	snprintf(what, sizeof(what), "%s, %u elements read anew", form->name, elements);
	IN_TURNS(what, "2.3 x", SNAPSHOTS, json_free(stdio_client_call(c, "browser_snapshot", "{depth: 100}")), floor_walk(f));
	call(c, "browser_evaluate", "\"function\"", change_rows);
	snprintf(what, sizeof(what), "%s, 1 %% of %u elements changed", form->name, elements);
	IN_TURNS(what, "1.0 x", SNAPSHOTS, call(c, "browser_snapshot", NULL, NULL), floor_walk(f));
}

static void bench_form(const char *program, const char *folder, struct floor *f, const char *url, const struct form *form)
{
	struct stdio_client *c =
		stdio_client_start(program, (const char *const[]){ "--output-dir", folder, "--answers", form->name, NULL });

	stdio_client_initialize(c);
	printf("answers: %s\n", form->name);
	bench_small_pages(c, f, url, form);
	bench_table(c, f, url, 1000, form);
	bench_table(c, f, url, 7000, form);
	bench_table(c, f, url, 20000, form);
	bench_table(c, f, url, 40000, form);
	stdio_client_stop(c);
}

void bench_browser_tools(const char *program, struct floor *f, const char *url)
{
	static const struct form form_table[] = { { "compact", "\" ", true }, { "playwright", "[ref=", false } };
	char folder[] = "/tmp/browserd-bench-XXXXXX";
	_cleanup_(str_done) struct str clean = {};

	if (!mkdtemp(folder))
		exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(form_table); i++)
		bench_form(program, folder, f, url, &form_table[i]);
	str_appendf(&clean, "rm -r %s", folder);
	if (system(clean.data) != 0)
		fprintf(stderr, "benchmark: %s is left\n", folder);
}

/* Recordings for the trace viewer: their files, lines, events of pages, and archives. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/serialize.h"
#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "fuzz/fuzzed_page.h"
#include "ratios/ratios.h"
#include "session/tabs.h"
#include "trace/internal.h"
#include "trace/zip.h"

static char folder[] = "/dev/shm/browserd-ratios-XXXXXX";

static void remove_folder(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	NEEDED(system(command) == 0);
}

static struct trace *begin(void)
{
	static const char *const redacted[] = { "token", NULL };
	struct trace *tr = NEW(struct trace);

	TAILQ_INIT(&tr->pages);
	tr->redacted_params = redacted;
	tr->root = must(strdup(folder));
	tr->rest = must(strdup(""));
	tr->path = must(strdup(folder));
	tr->parts = must(calloc(LIMIT_TRACE_PARTS_COUNT, sizeof(*tr->parts)));
	tr->actions = open("/dev/null", O_WRONLY | O_CLOEXEC);
	tr->network = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return tr;
}

/* A file for each line, which is its contents. */
static int write_resources(struct task *t, void *data)
{
	struct trace *tr = begin();
	char name[TRACE_PART_SIZE];

	for (const char *at = data, *end; *at; at = end + (*end == '\n')) {
		end = at + strcspn(at, "\n");
		NEEDED(trace_write_resource(t, tr, at, (size_t)(end - at), "text/plain", name));
	}
	trace_free(tr);
	return 0;
}

static void resources(const struct str *in)
{
	ratio_in_task(write_resources, in->data);
}

/* The files are there before they are measured, which then takes no time for their writing. */
static void write_all_resources(void)
{
	_cleanup_(str_done) struct str all = {};

	NEEDED(mkdtemp(folder));
	atexit(remove_folder);
	ratio_repeat(&all, "#\n", LIMIT_TRACE_PARTS_COUNT);
	resources(&all);
}

static void line(const struct str *in)
{
	_cleanup_(str_done) struct str text = {};
	struct trace *tr = begin();

	str_append_len(&text, in->data, in->len);
	trace_redact(tr, &text);
	trace_write_big_line(tr, &text);
	trace_free(tr);
}

/* A frame for each byte, of which two snapshots are the same. */
static void documents(const struct str *in)
{
	struct serialized s = { .nodes = 1 };
	_cleanup_(str_done) struct str out = {};
	struct trace *tr = begin();

	str_append(&s.html, "[]");
	for (size_t i = 0; i < 2 * in->len; i++) {
		char id[32];

		snprintf(id, sizeof(id), "F%zu", i % in->len);
		str_reset(&out);
		trace_append_html(tr, id, &s, &out);
	}
	trace_free(tr);
	str_done(&s.html);
}

struct recorded {
	struct fuzzed f;
	const struct str *in;
};

static void receive_line(struct fuzzed *f, const char *line, size_t len)
{
	cdp_receive(f->cdp, line, len);
}

/* What a page does between two calls, and between these and the end. */
static int collect(struct task *t, void *data)
{
	struct recorded *r = data;
	struct trace *tr = begin();
	struct tabs tabs = {};

	tabs_init(&tabs);
	trace_add_page(tr, r->f.page, true);
	fuzzed_receive(&r->f, r->in->data, r->in->len, receive_line);
	trace_collect(t, tr, &tabs, false);
	trace_collect(t, tr, &tabs, true);
	tabs_done(&tabs);
	trace_free(tr);
	return 0;
}

static void collected(const struct str *in)
{
	struct recorded r = { .in = in };

	fuzzed_begin(&r.f, NULL);
	ratio_in_task(collect, &r);
	fuzzed_end(&r.f);
}

/* Each line is a file of the archive, as its name and contents. */
static int pack(struct task *t, void *data)
{
	int archive = memfd_create("archive", MFD_CLOEXEC), from = memfd_create("from", MFD_CLOEXEC);
	struct zip *z = zip_new(archive, 0);

	for (char *at = data, *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		*end = '\0';
		NEEDED(ftruncate(from, 0) == 0 && pwrite(from, at, (size_t)(end - at), 0) == end - at);
		NEEDED(lseek(from, 0, SEEK_SET) == 0 && zip_add(t, z, at, from, true) == 0);
		*end = '\n';
	}
	NEEDED(zip_finish(z) == 0);
	zip_free(z);
	close(archive);
	close(from);
	return 0;
}

static void packed(const struct str *in)
{
	ratio_in_task(pack, in->data);
}

/* The whole input is one file. */
static int pack_one(struct task *t, void *data)
{
	const struct str *in = data;
	int archive = memfd_create("archive", MFD_CLOEXEC), from = memfd_create("from", MFD_CLOEXEC);
	struct zip *z = zip_new(archive, 0);

	NEEDED(pwrite(from, in->data, in->len, 0) == (ssize_t)in->len);
	NEEDED(zip_add(t, z, "name", from, true) == 0 && zip_finish(z) == 0);
	zip_free(z);
	close(archive);
	close(from);
	return 0;
}

static void packed_one(const struct str *in)
{
	ratio_in_task(pack_one, (void *)in);
}

#define EVENT(method, params) "{\"method\":\"" method "\",\"params\":{" params "},\"sessionId\":\"S1\"}\n"
#define REQUEST \
	"\"requestId\":\"R#\",\"type\":\"Fetch\",\"timestamp\":1,\"request\":{\"method\":\"GET\",\"url\":\"http://h/#\",\"headers\":{}}"

const struct ratio_row ratio_trace_rows[] = {
	{ "trace_write_resource: files", LIMIT_TRACE_PARTS_COUNT / 4, resources, .unit = "#\n", .prepare = write_all_resources },
	{ "trace_write_resource: the same file again", 4000, resources, .unit = "a\n" },
	{ "trace_write_big_line: addresses with secrets", 50000, line, .head = "{\"html\":\"", .unit = "http://h/?token=a ",
	  .tail = "\"}" },
	{ "trace_write_big_line: beginnings of addresses", 50000, line, .head = "{\"html\":\"", .unit = "?token?token=&",
	  .tail = "\"}" },
	{ "trace_append_html: frames", LIMIT_TRACE_FRAMES_COUNT / 4, documents, .unit = "x" },
	{ "trace_collect: messages", 2500, collected,
	  .unit = EVENT("Runtime.consoleAPICalled", "\"type\":\"log\",\"args\":[{\"type\":\"string\",\"value\":\"#\"}]") },
	{ "trace_collect: a message of arguments", 20000, collected,
	  .head = "{\"method\":\"Runtime.consoleAPICalled\",\"params\":{\"type\":\"log\",\"args\":[",
	  .unit = "{\"type\":\"number\",\"value\":#},", .tail = "{}]},\"sessionId\":\"S1\"}" },
	{ "trace_collect: an error without a name", 50000, collected,
	  .head = "{\"method\":\"Runtime.exceptionThrown\",\"params\":{\"exceptionDetails\":{\"exception\":{\"subtype\":\"error\",\"description\":\"",
	  .unit = "Error", .tail = "\"}}},\"sessionId\":\"S1\"}" },
	{ "trace_collect: requests that do not end", 1500, collected, .unit = EVENT("Network.requestWillBeSent", REQUEST) },
	{ "trace_collect: requests that fail in order", 1500, collected, .unit = EVENT("Network.requestWillBeSent", REQUEST),
	  .close = EVENT("Network.loadingFailed", "\"requestId\":\"R#\",\"timestamp\":2,\"errorText\":\"x\"") },
	{ "zip_add: files", 1000, packed, .unit = "resources/#\n" },
	{ "zip_add: a file of one byte", 2000000, packed_one, .unit = "a" },
	{ "zip_add: a file that nearly repeats", 100000, packed_one, .unit = "aaaaaaaa#" },
	{},
};

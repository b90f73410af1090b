#include "main/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/histogram.h"
#include "browser/pool.h"
#include "engine/connection.h"
#include "observe/event.h"
#include "page/cast.h"
#include "people/site.h"
#include "recordings/recordings.h"
#include "session/observation.h"

#define OUTCOMES (MCP_CALL_CANCELLED + 1)

static const char *const outcome_table[OUTCOMES] = { "ok", "failed", "cancelled" };

/* What stands for all tools that are not in the server's list, such as those of pages: their names would be labels without a limit. */
static const struct tool other_tool = { .name = "other" };

struct tool_calls {
	const struct tool *tool;
	uint64_t outcomes[OUTCOMES];
	struct histogram durations;
};

struct report {
	const struct app *app;
	const struct recordings *recordings;
	const struct mcp_http *http;
	usec_t started;
	size_t count;
	struct tool_calls calls[]; /* the last is that of other_tool */
};

struct report *report_new(const struct app *app, const struct recordings *recordings, const struct tool *const *tools)
{
	struct report *r;
	size_t count = 0;

	while (tools[count])
		count++;
	r = must(calloc(1, sizeof(*r) + (count + 1) * sizeof(*r->calls)));
	r->app = app;
	r->recordings = recordings;
	r->started = clock_now();
	r->count = count + 1;
	for (size_t i = 0; i < count; i++)
		r->calls[i].tool = tools[i];
	r->calls[count].tool = &other_tool;
	return r;
}

struct report *report_free(struct report *r)
{
	free(r);
	return NULL;
}

void report_set_http(struct report *r, const struct mcp_http *http)
{
	r->http = http;
}

const char *report_outcome(enum mcp_outcome outcome)
{
	return outcome_table[outcome];
}

void report_call(struct report *r, const struct tool *tool, enum mcp_outcome outcome, usec_t duration)
{
	struct tool_calls *calls = r->calls;

	while (calls->tool != tool && calls->tool != &other_tool)
		calls++;
	calls->outcomes[outcome]++;
	histogram_add(&calls->durations, duration);
}

/* Resident memory of this process in bytes, without the browser. */
static uint64_t resident_memory(void)
{
	unsigned long size, resident = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%lu %lu", &size, &resident) != 2)
		resident = 0;
	fclose(f);
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t uptime(const struct report *r)
{
	return (clock_now() - r->started) / USEC_PER_SEC;
}

void report_health(struct str *out, void *report)
{
	const struct report *r = report;
	struct mcp_http_counts counts = mcp_http_counts(r->http);

	str_json(out,
		 "{status: 'ok', version: ?, uptimeSeconds: ?, sessions: ?, browserSessions: ?, memoryBytes: ?, "
		 "browser: ?}",
		 BROWSERD_VERSION, uptime(r), counts.sessions, registry_count(r->app->registry), resident_memory(),
		 pool_running(r->app->pool) ? "running" :
		 pool_starts(r->app->pool)  ? "stopped" :
					      "not started");
}

bool report_ready(struct str *reason, void *report)
{
	const struct report *r = report;

	if (!registry_free_places(r->app->registry))
		str_append(reason, "full");
	return !reason->len;
}

bool report_has_session(uint64_t owner, const char *id, void *report)
{
	const struct report *r = report;

	return registry_has(r->app->registry, owner, id);
}

static void append_family(struct str *out, const char *name, const char *type, const char *help)
{
	str_appendf(out, "# HELP browserd_%s %s\n# TYPE browserd_%s %s\n", name, help, name, type);
}

static void report_append_number(struct str *out, const char *name, const char *type, const char *help, uint64_t value)
{
	append_family(out, name, type, help);
	str_appendf(out, "browserd_%s %" PRIu64 "\n", name, value);
}

static void append_calls(const struct report *r, struct str *out)
{
	append_family(out, "tool_calls_total", "counter", "Tool calls by outcome");
	for (size_t i = 0; i < r->count; i++)
		for (int k = 0; k < OUTCOMES; k++)
			if (r->calls[i].outcomes[k])
				str_appendf(out, "browserd_tool_calls_total{tool=\"%s\",outcome=\"%s\"} %" PRIu64 "\n",
					    r->calls[i].tool->name, outcome_table[k], r->calls[i].outcomes[k]);
}

/* `label`: 'tool="click"', or "". */
static void append_histogram(struct str *out, const char *name, const char *label, const struct histogram *h)
{
	const char *comma = *label ? "," : "", *open = *label ? "{" : "", *close = *label ? "}" : "";
	uint64_t count = 0;

	for (size_t i = 0; i < HISTOGRAM_BOUNDS; i++) {
		count += h->buckets[i];
		str_appendf(out, "browserd_%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, label, comma, histogram_bounds[i], count);
	}
	str_appendf(out, "browserd_%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, label, comma, h->count);
	str_appendf(out, "browserd_%s_sum%s%s%s %.6f\n", name, open, label, close, (double)h->total / USEC_PER_SEC);
	str_appendf(out, "browserd_%s_count%s%s%s %" PRIu64 "\n", name, open, label, close, h->count);
}

static void append_durations(const struct report *r, struct str *out)
{
	_cleanup_(str_done) struct str label = {};

	append_family(out, "tool_call_seconds", "histogram", "Duration of tool calls");
	for (size_t i = 0; i < r->count; i++) {
		if (!r->calls[i].durations.count)
			continue;
		str_set(&label, "");
		str_appendf(&label, "tool=\"%s\"", r->calls[i].tool->name);
		append_histogram(out, "tool_call_seconds", label.data, &r->calls[i].durations);
	}
}

static void append_http(const struct report *r, struct str *out)
{
	struct mcp_http_counts counts = mcp_http_counts(r->http);

	report_append_number(out, "sessions", "gauge", "MCP sessions", counts.sessions);
	report_append_number(out, "sessions_max", "gauge", "MCP sessions that may exist at a time", counts.sessions_max);
	report_append_number(out, "http_connections", "gauge", "Open connections", counts.connections);
	report_append_number(out, "http_requests", "gauge", "Requests being handled", counts.requests);
	report_append_number(out, "ready", "gauge", "Whether GET /ready says so: new sessions are taken", mcp_http_ready(r->http));
	report_append_number(out, "draining", "gauge", "Whether new sessions are refused until this process ends",
			     mcp_http_draining(r->http));
	append_family(out, "http_answers_total", "counter", "Responses by status");
	for (int status = 0; status <= HTTP_STATUS_MAX; status++)
		if (counts.answers[status])
			str_appendf(out, "browserd_http_answers_total{status=\"%d\"} %" PRIu64 "\n", status,
				    counts.answers[status]);
}

static void append_tasks(const struct mcp_task_counts *tasks, struct str *out)
{
	append_family(out, "tasks", "gauge", "Calls that are tasks for their clients; ended ones are kept until they expire");
	str_appendf(out, "browserd_tasks{state=\"working\"} %u\nbrowserd_tasks{state=\"input_required\"} %u\n", tasks->running,
		    tasks->asking);
	str_appendf(out, "browserd_tasks{state=\"ended\"} %u\n", tasks->ended);
	report_append_number(out, "tasks_bytes", "gauge", "Responses of ended tasks", tasks->bytes);
}

/* What an autoscaler and a scheduler decide by. */
static void append_load(const struct report *r, struct str *out)
{
	const struct registry *registry = r->app->registry;
	const struct session_waits *waits = registry_waits(registry);
	const struct process_tree_use *use = registry_memory(registry);
	struct mcp_http_counts counts = mcp_http_counts(r->http);
	unsigned calls = MAX(counts.calls, waits->now);

	report_append_number(out, "browser_sessions", "gauge", "Browser sessions", registry_count(registry));
	report_append_number(out, "browser_sessions_max", "gauge", "Browser sessions that may exist at a time",
			     registry_options(registry)->max);
	report_append_number(out, "browser_sessions_free", "gauge", "Browser sessions that can be created at the moment",
			     registry_free_places(registry));
	append_family(out, "browser_session_states", "gauge", "Browser sessions by what they do");
	for (unsigned i = 0; i < SESSION_STATES; i++)
		str_appendf(out, "browserd_browser_session_states{state=\"%s\"} %u\n", session_state_table[i],
			    registry_count_state(registry, i));
	report_append_number(out, "views", "gauge", "Live views that are open", r->app->site ? site_views(r->app->site) : 0);
	report_append_number(out, "casts", "gauge", "Pages that somebody looks at live", cast_count());
	report_append_number(out, "processes", "gauge", "This process and all that it has started", use->processes);
	report_append_number(out, "processes_memory_bytes", "gauge", "Memory of these processes", use->memory);
	report_append_number(out, "processes_memory_max_bytes", "gauge",
			     "Above which browser sessions sleep, and none is created; 0: any amount",
			     (uint64_t)registry_options(registry)->max_memory << 20);
	append_family(out, "calls", "gauge", "Calls that run, and that wait for their turn on a session or for its browser");
	str_appendf(out, "browserd_calls{state=\"running\"} %u\nbrowserd_calls{state=\"waiting\"} %u\n", calls - waits->now,
		    waits->now);
	append_tasks(&counts.tasks, out);
	append_family(out, "call_wait_seconds", "histogram",
		      "How long calls waited for their turn on a session and for its browser");
	append_histogram(out, "call_wait_seconds", "", &waits->times);
}

static void append_browser(const struct report *r, struct str *out)
{
	const struct engine_traffic *traffic = engine_traffic();

	report_append_number(out, "browser_up", "gauge", "Browsers that run or are connected to", pool_running(r->app->pool));
	report_append_number(out, "browser_starts_total", "counter", "Starts of browsers, and connections to those elsewhere",
			     pool_starts(r->app->pool));
	append_family(out, "cdp_messages_total", "counter", "Messages to and from the browser");
	str_appendf(out,
		    "browserd_cdp_messages_total{direction=\"sent\"} %" PRIu64 "\n"
		    "browserd_cdp_messages_total{direction=\"received\"} %" PRIu64 "\n",
		    traffic->sent, traffic->received);
	append_family(out, "cdp_bytes_total", "counter", "Bytes of these messages");
	str_appendf(out,
		    "browserd_cdp_bytes_total{direction=\"sent\"} %" PRIu64 "\n"
		    "browserd_cdp_bytes_total{direction=\"received\"} %" PRIu64 "\n",
		    traffic->bytes_sent, traffic->bytes_received);
}

static uint64_t events_of(const struct journal_totals *totals, unsigned kinds)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < OBSERVED_KINDS; i++)
		n += kinds & 1u << i ? totals->events[i] : 0;
	return n;
}

static void append_events(const struct report *r, struct str *out)
{
	const struct journal_totals *totals = journal_totals();

	append_family(out, "events_total", "counter", "Console and network events of all pages");
	for (const char *const *kind = event_kind_table; *kind; kind++)
		str_appendf(out, "browserd_events_total{kind=\"%s\"} %" PRIu64 "\n", *kind, events_of(totals, event_kinds(*kind)));
	report_append_number(out, "events_dropped_total", "counter", "Events dropped because of limits", totals->dropped);
	report_append_number(out, "events_bytes", "gauge", "Memory of stored events", totals->bytes);
	report_append_number(out, "observed_targets", "gauge", "Observed targets", observers_attached(r->app->observers));
}

static void append_recordings(const struct report *r, struct str *out)
{
	struct recordings_counts counts = recordings_counts(r->recordings);

	report_append_number(out, "recordings", "gauge", "Sessions that are being recorded", counts.now);
	append_family(out, "recorded_sessions_total", "counter", "Recordings that have ended");
	str_appendf(out,
		    "browserd_recorded_sessions_total{state=\"finished\"} %" PRIu64 "\n"
		    "browserd_recorded_sessions_total{state=\"incomplete\"} %" PRIu64 "\n",
		    counts.finished, counts.incomplete);
	report_append_number(out, "recorded_bytes_total", "counter", "Bytes of recordings that have ended", counts.bytes);
}

void report_metrics(struct str *out, void *report)
{
	const struct report *r = report;

	report_append_number(out, "uptime_seconds", "gauge", "Time since the start", uptime(r));
	report_append_number(out, "memory_bytes", "gauge", "Resident memory, without the browser", resident_memory());
	append_http(r, out);
	append_load(r, out);
	append_browser(r, out);
	append_events(r, out);
	append_recordings(r, out);
	append_calls(r, out);
	append_durations(r, out);
}

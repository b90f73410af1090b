#include "main/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cdp/cdp.h"
#include "observe/event.h"
#include "session/observation.h"

#define OUTCOMES (MCP_CALL_CANCELLED + 1)

static const char *const outcome_table[OUTCOMES] = { "ok", "failed", "cancelled" };
static const double bucket_table[] = { 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30 }; /* seconds */

/* What stands for all tools that are not in the server's list, such as those of pages: their names would be labels without a limit. */
static const struct tool other_tool = { .name = "other" };

struct tool_calls {
	const struct tool *tool;
	uint64_t outcomes[OUTCOMES];
	uint64_t buckets[ARRAY_SIZE(bucket_table)]; /* calls that took at most this long, and longer than the previous bound */
	usec_t total;
};

struct report {
	const struct app *app;
	const struct mcp_http *http;
	usec_t started;
	size_t count;
	struct tool_calls calls[]; /* the last is that of other_tool */
};

struct report *report_new(const struct app *app, const struct tool *const *tools)
{
	struct report *r;
	size_t count = 0;

	while (tools[count])
		count++;
	r = must(calloc(1, sizeof(*r) + (count + 1) * sizeof(*r->calls)));
	r->app = app;
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
	size_t bucket = 0;

	while (calls->tool != tool && calls->tool != &other_tool)
		calls++;
	calls->outcomes[outcome]++;
	calls->total += duration;
	while (bucket < ARRAY_SIZE(bucket_table) && (double)duration > bucket_table[bucket] * USEC_PER_SEC)
		bucket++;
	if (bucket < ARRAY_SIZE(bucket_table))
		calls->buckets[bucket]++;
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
		 browser_running(r->app->browser) ? "running" :
		 browser_starts(r->app->browser)  ? "stopped" :
						    "not started");
}

static void append_family(struct str *out, const char *name, const char *type, const char *help)
{
	str_appendf(out, "# HELP browserd_%s %s\n# TYPE browserd_%s %s\n", name, help, name, type);
}

static void append_number(struct str *out, const char *name, const char *type, const char *help, uint64_t value)
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

static void append_durations_of(const struct tool_calls *calls, struct str *out)
{
	uint64_t all = 0, count = 0;

	for (int k = 0; k < OUTCOMES; k++)
		all += calls->outcomes[k];
	if (!all)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(bucket_table); i++) {
		count += calls->buckets[i];
		str_appendf(out, "browserd_tool_call_seconds_bucket{tool=\"%s\",le=\"%g\"} %" PRIu64 "\n", calls->tool->name,
			    bucket_table[i], count);
	}
	str_appendf(out, "browserd_tool_call_seconds_bucket{tool=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", calls->tool->name, all);
	str_appendf(out, "browserd_tool_call_seconds_sum{tool=\"%s\"} %.6f\n", calls->tool->name,
		    (double)calls->total / USEC_PER_SEC);
	str_appendf(out, "browserd_tool_call_seconds_count{tool=\"%s\"} %" PRIu64 "\n", calls->tool->name, all);
}

static void append_http(const struct report *r, struct str *out)
{
	struct mcp_http_counts counts = mcp_http_counts(r->http);

	append_number(out, "sessions", "gauge", "MCP sessions", counts.sessions);
	append_number(out, "http_connections", "gauge", "Open connections", counts.connections);
	append_number(out, "http_requests", "gauge", "Requests being handled", counts.requests);
	append_family(out, "http_answers_total", "counter", "Responses by status");
	for (int status = 0; status <= HTTP_STATUS_MAX; status++)
		if (counts.answers[status])
			str_appendf(out, "browserd_http_answers_total{status=\"%d\"} %" PRIu64 "\n", status,
				    counts.answers[status]);
}

static void append_browser(const struct report *r, struct str *out)
{
	const struct cdp_traffic *traffic = cdp_traffic();

	append_number(out, "browser_sessions", "gauge", "Browser sessions", registry_count(r->app->registry));
	append_number(out, "browser_up", "gauge", "Whether the browser runs", browser_running(r->app->browser));
	append_number(out, "browser_starts_total", "counter", "Starts of the browser", browser_starts(r->app->browser));
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
	append_number(out, "events_dropped_total", "counter", "Events dropped because of limits", totals->dropped);
	append_number(out, "events_bytes", "gauge", "Memory of stored events", totals->bytes);
	append_number(out, "observed_targets", "gauge", "Observed targets", observers_attached(r->app->observers));
}

void report_metrics(struct str *out, void *report)
{
	const struct report *r = report;

	append_number(out, "uptime_seconds", "gauge", "Time since the start", uptime(r));
	append_number(out, "memory_bytes", "gauge", "Resident memory, without the browser", resident_memory());
	append_http(r, out);
	append_browser(r, out);
	append_events(r, out);
	append_calls(r, out);
	append_family(out, "tool_call_seconds", "histogram", "Duration of tool calls");
	for (size_t i = 0; i < r->count; i++)
		append_durations_of(&r->calls[i], out);
}

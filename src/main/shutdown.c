/*
 * The shutdown has stages, each with a time limit, so that it takes less than two seconds whatever hangs.
 *
 * draining: with --drain, after SIGTERM, an HTTP server takes no new sessions, until those that it has have ended or the time is over
 *
 * saving: a node of a fleet with a state store saves the sessions that are left, for other nodes
 *
 * finishing: stdin has ended, running calls may still respond (an HTTP server skips this stage)
 *
 * closing: calls are cancelled and clean up
 *
 * killing: the browser is killed, which fails everything that still waits for it
 *
 * recording: no call is left, and what is recorded of sessions is finished
 *
 * A stage ends early when no call is left.
 */
#include "main/serve_internal.h"

#include "base/log.h"
#include "browser/pool.h"
#include "fleet/fleet.h"
#include "main/service.h"

#define FINISH_MSEC 700
#define CLOSE_MSEC 500
#define KILL_MSEC 300
#define RECORD_MSEC 700 /* fetching the rest of a video takes 10 to 100 ms */
#define DRAIN_POLL_MSEC 100
#define SAVE_MSEC 30000
#define END_MSEC (SAVE_MSEC + CLOSE_MSEC + KILL_MSEC + RECORD_MSEC + FLUSH_MSEC + REMOVE_MSEC) /* what may follow a drain */

static void on_recorded(void *data)
{
	struct serve *s = data;

	s->stage = STAGE_OVER;
	loop_stop(s->loop);
}

static void on_drained(void *data)
{
	struct serve *s = data;

	s->drained = true;
	s->stage = STAGE_RECORDING;
	timer_set(s->stage_timer, clock_now() + RECORD_MSEC * USEC_PER_MSEC);
	registry_finish_records(s->app.registry, on_recorded, s);
}

void serve_log_end(const struct serve *s)
{
	log_lifecycle("gracefully closing %d", s->ends_browser);
}

static void announce_end(struct serve *s, enum stage first)
{
	if (!s->drain_ends)
		service_notify("STOPPING=1");
	s->ends_browser = browser_has_process(s->app.browser);
	s->ends_client_first = first == STAGE_FINISHING;
	if (!s->ends_client_first)
		serve_log_end(s);
}

void serve_enter_stage(struct serve *s, enum stage stage)
{
	static const int limit_msec[] = {
		[STAGE_FINISHING] = FINISH_MSEC,
		[STAGE_CLOSING] = CLOSE_MSEC,
		[STAGE_KILLING] = KILL_MSEC,
		[STAGE_RECORDING] = RECORD_MSEC,
		[STAGE_OVER] = 0,
	};

	if (s->stage >= stage)
		return;
	if (s->stage < STAGE_FINISHING)
		announce_end(s, stage);
	if (s->fleet)
		fleet_stop(s->fleet);
	s->stage = stage;
	timer_set(s->stage_timer, clock_now() + (usec_t)limit_msec[stage] * USEC_PER_MSEC);
	if (stage == STAGE_FINISHING)
		mcp_conn_finish(s->conn, on_drained, s);
	else if (stage == STAGE_CLOSING && s->http)
		mcp_http_close(s->http, on_drained, s);
	else if (stage == STAGE_CLOSING)
		mcp_conn_close(s->conn, on_drained, s);
	else if (stage == STAGE_KILLING)
		pool_kill(s->app.pool);
	else
		loop_stop(s->loop);
}

/* Whether no client can come back for anything. */
static bool is_deserted(const struct serve *s)
{
	struct mcp_http_counts counts = mcp_http_counts(s->http);

	return !counts.sessions && !counts.requests && !counts.calls && !counts.tasks.unread && !registry_count(s->app.registry);
}

static void on_saved(void *data)
{
	serve_enter_stage(data, STAGE_CLOSING);
}

static void serve_save(struct serve *s)
{
	s->stage = STAGE_SAVING;
	timer_set(s->stage_timer, clock_now() + SAVE_MSEC * USEC_PER_MSEC);
	fleet_save_all(s->fleet, on_saved, s);
}

/* The time of the drain is over, or there is none. */
void serve_end(struct serve *s)
{
	if (s->fleet && !is_deserted(s))
		serve_save(s);
	else
		serve_enter_stage(s, STAGE_CLOSING);
}

static void continue_drain(struct serve *s)
{
	usec_t now = clock_now();

	if (now >= s->drain_ends || is_deserted(s))
		serve_end(s);
	else
		timer_set(s->stage_timer, MIN(s->drain_ends, now + DRAIN_POLL_MSEC * USEC_PER_MSEC));
}

void serve_drain(struct serve *s)
{
	_cleanup_(str_done) struct str state = {};

	s->stage = STAGE_DRAINING;
	s->drain_ends = clock_now() + s->drain;
	log_notice("draining: no new sessions; %u MCP sessions and %u browser sessions have up to %llu s",
		   mcp_http_counts(s->http).sessions, registry_count(s->app.registry), s->drain / USEC_PER_SEC);
	str_appendf(&state, "STOPPING=1\nSTATUS=Draining\nEXTEND_TIMEOUT_USEC=%llu", s->drain + END_MSEC * USEC_PER_MSEC);
	service_notify(state.data);
	mcp_http_drain(s->http, s->drain_ends);
	continue_drain(s);
}

void serve_on_stage_timer(void *data)
{
	struct serve *s = data;

	if (s->stage == STAGE_DRAINING)
		continue_drain(s);
	else if (s->stage == STAGE_SAVING)
		serve_enter_stage(s, STAGE_CLOSING);
	else
		serve_enter_stage(s, s->stage == STAGE_KILLING ? STAGE_OVER : s->stage + 1);
}

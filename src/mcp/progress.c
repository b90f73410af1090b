/*
 * notifications/progress: after half a second, then once a second, for requests with a progress token. `progress` is
 * the elapsed time in seconds, which always increases. There is no total, because the duration is unknown.
 */
#include "loop/gate.h"
#include "mcp/call.h"

#define PROGRESS_FIRST (500 * USEC_PER_MSEC)
#define PROGRESS_EVERY USEC_PER_SEC

static void send_progress(struct mcp_call *call, double progress, double total, const char *message)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: ?, progress: ?",
		 JSON_RAW(call->request.progress.raw), progress);
	if (total > 0)
		str_json(&out, ", total: ?", total);
	if (message && call->request.version->progress_message)
		str_json(&out, ", message: ?", message);
	str_append(&out, "}}");
	request_notify(&call->request, &out);
}

/* A closed gate is what the call waits for, or will at its next step. */
const char *progress_words(const struct mcp_call *call)
{
	const char *gate = gate_words(call->task);

	return gate ? gate : call->waiting_for.len ? call->waiting_for.data : NULL;
}

static void on_progress_timer(void *data)
{
	struct mcp_call *call = data;
	_cleanup_(str_done) struct str message = {};
	const char *words = progress_words(call);
	double seconds = (double)((clock_now() - call->started) / USEC_PER_MSEC) / 1000;

	str_appendf(&message, "%s: %s (%.1f s)", call->name, words ? words : "running", seconds);
	send_progress(call, seconds, 0, message.data);
	call->progress_from = seconds + 1;
	timer_set(call->progress_timer, clock_now() + PROGRESS_EVERY);
}

void progress_start(struct mcp_call *call)
{
	if (!call->request.progress.raw)
		return;
	call->progress_timer = timer_new(call->request.conn->server->loop, on_progress_timer, call);
	timer_set(call->progress_timer, call->started + PROGRESS_FIRST);
}

void progress_stop(struct mcp_call *call)
{
	call->progress_timer = timer_free(call->progress_timer);
}

void mcp_call_progress(struct mcp_call *call, const char *message)
{
	str_set(&call->waiting_for, message);
}

void mcp_call_progress_of(struct mcp_call *call, double progress, double total)
{
	progress_stop(call);
	if (call->request.progress.raw && !call->cancelled) /* the numbers of a call must increase */
		send_progress(call, call->progress_from + progress, call->progress_from + total, call->waiting_for.data);
}

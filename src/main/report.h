/* The server's state for monitoring: GET /health, GET /ready and GET /metrics. */
#pragma once

#include "app/app.h"
#include "base/clock.h"
#include "mcp/http.h"

struct recordings;
struct report;

/* `app` and `recordings` must outlive it. Calls are counted for each of `tools`, and for all others together. */
struct report *report_new(const struct app *app, const struct recordings *recordings, const struct tool *const *tools);
struct report *report_free(struct report *r);
DEFINE_FREEP(report);
void report_set_http(struct report *r, const struct mcp_http *http);

const char *report_outcome(enum mcp_outcome outcome); /* "ok", "failed", "cancelled" */
void report_call(struct report *r, const struct tool *tool, enum mcp_outcome outcome, usec_t duration);
void report_health(struct str *out, void *report);
void report_metrics(struct str *out, void *report);
/* Services of the HTTP server (mcp/http.h). */
bool report_ready(struct str *reason, void *report);
bool report_has_session(uint64_t owner, const char *id, void *report);

/* What the engines share of sending calls and waiting for their replies. */
#pragma once

#include "engine/meter.h"

struct transport;

/* Makes the result of a call that has failed the task's failure, and returns it. `refusal`: why the browser refused. */
int engine_explain(struct task *t, const struct engine_call *call, const char *refusal);
/*
 * Suspends until the call, which is under way, is complete: 0; or fails with the failure of the task. `needs_thread`: the reply waits for the thread
 * of the page's scripts. `unanswered`, which lives as long as the call's target, is the id of a call that the page had no reply to in time, 0: none;
 * such calls wait less then (engine_doubt()). `is_browser`: the browser itself was asked, and no page.
 */
int engine_wait(struct task *t, struct engine_call *call, int *unanswered, bool needs_thread, bool is_browser);
/* Whether `len` more bytes may be queued for the targets of a backlog; what waits for all of them is limited. */
bool engine_has_share(struct engine_backlog *b, const struct transport *t, size_t len);

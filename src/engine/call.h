/* For engines: what has become of a call, in words for clients. */
#pragma once

#include "engine/engine.h"

/* Makes the result of a call that has failed the task's failure, and returns it. `refusal`: why the browser refused. */
int engine_explain(struct task *t, const struct engine_call *call, const char *refusal);
/* Likewise of a call whose reply has not come in time. `is_browser`: the browser itself was asked, and no page. */
int engine_explain_timeout(struct task *t, const struct engine_call *call, bool is_browser);

/* Documents that a target is made to open. */
#pragma once

#include "engine/engine.h"

/* `call`: to await the reply, which comes when the document has committed or there will be none; NULL: the reply is dropped. */
void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url);
/* The browser's name of the error ("net::ERR_ABORTED") for which there is no document; NULL: there is one, or no reply. */
const char *engine_navigation_error(const struct engine_call *call);

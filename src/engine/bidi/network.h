/* Requests that wait for an answer. */
#pragma once

#include "engine/bidi/normalise.h"

/* A request of the page `s` that is blocked: its owner is asked, or it goes on. `r` NULL: it goes on. */
void bidi_report_blocked(struct engine_target *s, struct bidi_request *r, const struct json *params, const struct bidi_kind *kind);
/* A server or proxy of which the page `s` has asked something wants to know who asks. */
void bidi_report_challenge(struct engine_target *s, const struct json *params);
/* Goes on with a request, changed: members of JSON behind a comma. */
void bidi_send_on(struct engine_target *s, const char *request, const char *changes);
/* The event `name` is of nobody's request: if it is blocked, it goes on. */
void bidi_let_pass(struct bidi *c, const char *name, const struct json *params);

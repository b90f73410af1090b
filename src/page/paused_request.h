/* For intercept.c: requests as the browser pauses them. */
#pragma once

#include "engine/network.h"
#include "page/internal.h"
#include "page/intercept.h"

struct paused_request {
	TAILQ_ENTRY(paused_request) link; /* in interception.waiting, if `waiting` */
	bool waiting;
	unsigned refs;
	_kept_ struct page *page;
	char session_id[ENGINE_ID_SIZE]; /* of the attachment by which it is answered */
	struct intercepted_request reported;
	bool answered;
	bool of_group;  /* the routes of its own page have been asked */
	uint64_t asked; /* number of the route that was asked or compared last */
	struct {
		char *url, *method, *body;
		struct header_list fields;
	} changed; /* by routes that have fallen back, as in struct request_changes */
};

/* Takes over what `s` has reported. The caller gets the reference; never NULL. */
struct paused_request *paused_request_new(struct page *p, const struct engine_target *s, struct intercepted_request *reported);
/* Whether the browser asks on its own if a request of a document of another origin may follow (CORS). */
bool paused_request_is_preflight(const struct paused_request *q);
void paused_request_answer_preflight(struct paused_request *q);
/* A request that is sent has these changes, which come before those of earlier calls. */
void paused_request_remember(struct paused_request *q, const struct request_changes *c);
/* The requests whose header fields were changed, all but the latest. What follows them after a redirect is not changed any more. */
void changed_requests_forget(struct interception *all, unsigned kept);

/*
 * Adds events of BiDi to the journal in the form that observe/journal.h describes. `params` are those of the event, `session` is the id of the
 * page that it is of. Members may be missing, of a wrong type or huge: missing ones become "" or 0, texts are cut at the limits of
 * base/limits.h. No function suspends or fails.
 *
 * A redirect ends the request that it answers and begins another with the same id, so that each hop is a request with its own response.
 * Addresses that carry their content (data:) are skipped, as they cause no traffic.
 */
#pragma once

#include "base/json.h"
#include "engine/bidi/internal.h"
#include "observe/journal.h"

/* What a request is for, as BiDi says it in several places. */
struct bidi_kind {
	const char *word; /* CDP's, in lower case, as clients know these */
	enum resource_kind resource;
	bool is_socket, is_preflight;
	bool is_embedded; /* by <object> or <embed>: it has no end when it becomes a document of its own */
};
struct bidi_kind bidi_kind_of(const struct json *request);
/* Whether the event is of a response that sends the request elsewhere. */
bool bidi_is_redirect(const struct json *params);
bool bidi_is_data(const struct json *params);
/* How many bytes the body of a response has as it is saved, by its header; 0: not known. */
double bidi_announced_size(const struct json *params);

/* `document`: id of the one that the request is for; NULL: it is for none. */
void bidi_normalise_request(struct journal *j, const char *session, const struct json *params, const struct bidi_kind *kind,
			    const char *document);
/* The body of the last request with that id, as network.getData gives it. */
void bidi_normalise_sent_body(struct journal *j, const char *request, const struct json *bytes);
void bidi_normalise_response(struct journal *j, const char *session, const struct json *params);
void bidi_normalise_finished(struct journal *j, const char *session, const struct json *params);
/* `refused`: this program has failed it, because it may not be made. */
void bidi_normalise_failed(struct journal *j, const char *session, const struct json *params, bool refused);
void bidi_normalise_socket(struct journal *j, const char *session, const struct json *params, enum websocket_event event);

void bidi_normalise_console(struct journal *j, const char *session, const struct json *entry);
/* An uncaught error, or what the browser itself has to say. */
void bidi_normalise_script_entry(struct journal *j, const char *session, const struct json *entry);

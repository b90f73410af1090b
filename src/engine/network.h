/*
 * The network activity of targets: requests that are stopped on their way, bodies, and how a target uses the network. A target is a page with
 * its frames of the same process, one of its other frames, or a worker. Requests and their answers refer to the target that reported them.
 */
#pragma once

#include "base/header_list.h"
#include "engine/engine.h"
#include "observe/resource.h"

/* ---- requests on their way ---- */

/* What of a target waits for an answer. */
enum intercepted {
	INTERCEPT_REQUESTS = 1,   /* before they are sent */
	INTERCEPT_RESPONSES = 2,  /* before their bodies are read */
	INTERCEPT_DOCUMENTS = 8,  /* the requests for documents alone, where not all are intercepted */
	INTERCEPT_CHALLENGES = 4, /* servers and proxies that ask for credentials; only where all requests are intercepted */
};

/*
 * From here on the target reports these, `what` or-ed, and each waits for one of the answers below; 0: none, and what waits is sent on.
 * `url`: those for this address only; NULL: all. `call`: to await the reply; NULL: it is dropped, and so `t` has no meaning.
 */
void engine_intercept(struct task *t, struct engine_target *s, struct engine_call *call, const char *url, unsigned what);

/* The response to such a request; `status` is 0 where there is none. */
struct intercepted_response {
	int status;
	char *status_text;
	struct header_list headers;
	bool failed; /* there will be none, but an error */
};

/* A request that waits. The texts are its own. */
struct intercepted_request {
	char *id;              /* by which it is answered */
	char *network_id;      /* of its events in the journal; "" without */
	char *redirected_from; /* `id` of the request whose redirect led to it; NULL: none */
	char *frame_id;        /* "" for a worker's */
	char *url, *method;    /* the URL without its fragment */
	char *type;            /* the browser's word for what it is for, in lower case: "xhr" for those of fetch() as well */
	enum resource_kind kind;
	char *post_data; /* text of the body; NULL: it has none, or a binary one */
	struct header_list headers;
	bool has_response; /* of INTERCEPT_RESPONSES */
	struct intercepted_response response;
};
void intercepted_request_done(struct intercepted_request *q);

/* A server or proxy asks for a user name and password. Borrowed. */
struct challenge {
	const char *id, *origin;
	bool is_proxy;
};

/* ---- their answers: each request gets one. What is not sent is lost with its target ---- */

/* How a request is sent; NULL in a member: as it is. */
struct sent_request {
	const char *url, *method;
	const char *body;                  /* base64 */
	const struct header_list *headers; /* all that it has; those that the browser decides itself are left out */
};
void engine_continue(struct engine_target *s, const char *request, const struct sent_request *c); /* `c` NULL: as it is */

struct fulfilment {
	int status;
	const struct header_list *headers; /* NULL: none */
	const char *body;                  /* base64; NULL: empty */
};
/*
 * The message is charged to the meter of `s`, because it may be long and a few bytes of a page ask for it. Returns its size in bytes, or a
 * negative errno when it was not sent; then `replied` is not called.
 */
int engine_fulfil(struct engine_target *s, const char *request, const struct fulfilment *f, struct engine_call *call,
		  void (*replied)(struct engine_call *call, void *data), void *data);

/* Why a request fails, for its page. */
enum abort_reason {
	ABORT_FAILED,
	ABORT_ABORTED,
	ABORT_ACCESS_DENIED,
	ABORT_ADDRESS_UNREACHABLE,
	ABORT_BLOCKED_BY_CLIENT,
	ABORT_BLOCKED_BY_RESPONSE,
	ABORT_CONNECTION_ABORTED,
	ABORT_CONNECTION_CLOSED,
	ABORT_CONNECTION_FAILED,
	ABORT_CONNECTION_REFUSED,
	ABORT_CONNECTION_RESET,
	ABORT_INTERNET_DISCONNECTED,
	ABORT_NAME_NOT_RESOLVED,
	ABORT_TIMED_OUT,
	ABORT_REASONS,
};
void engine_fail(struct engine_target *s, const char *request, enum abort_reason reason);

void engine_answer_challenge(struct engine_target *s, const char *challenge, const char *name,
			     const char *password); /* name NULL: with none */

/*
 * Suspends: the body of a response that waits, base64 in the task's arena. The response may wait no longer then, and its target show it as a
 * document that loads and runs nothing. -EMSGSIZE: it is too large to be read, and other errors of engine_await().
 */
int engine_waiting_body(struct task *t, _borrowed_ struct engine_target *s, const char *request, const char **ret);

/* ---- bodies of requests that have ended, which the browser keeps while their document is shown, up to a size ---- */

/* A body as the browser has it, until fetched_body_done(). */
struct fetched_body {
	const char *text;   /* never NULL after a success */
	bool is_base64;     /* of bytes that are no text */
	struct json *reply; /* holds the text */
};
void fetched_body_done(struct fetched_body *b);

enum body_of { BODY_OF_REQUEST, BODY_OF_RESPONSE };
/* Suspends; `ret` is the caller's after a success. -EREMOTE, -ESTALE: the browser does not hold it (any more) · -EMSGSIZE: it is too large. */
int engine_body(struct task *t, _borrowed_ struct engine_target *s, enum body_of of, const char *network_id,
		struct fetched_body *ret);
/* Asks for the body of a response; `replied` gets the call. Returns a negative errno, and does not call it, when the call was not sent. */
int engine_ask_body(struct engine_target *s, const char *network_id, struct engine_call *call,
		    void (*replied)(struct engine_call *call, void *data), void *data);
/* What such a call has got, after its success; borrowed from the call. */
struct fetched_body engine_body_of(const struct engine_call *call);

/* ---- how a target uses the network ---- */

/* All requests fail that are not fulfilled or cached. `call` as for engine_intercept(), here and below. */
void engine_set_offline(struct task *t, struct engine_target *s, struct engine_call *call, bool offline);
/* Whether responses are taken from the browser's cache, and kept there. */
void engine_set_cache(struct task *t, struct engine_target *s, struct engine_call *call, bool on);
/* Whether requests go past the service workers, which would answer before a request is intercepted. */
void engine_bypass_workers(struct engine_target *s, bool on);
/* Only where ENGINE_CERTIFICATES says so; otherwise by engine_create_context() and engine_options.ignores_certificates. */
void engine_ignore_certificates(struct engine_target *s, bool on);

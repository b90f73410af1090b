/*
 * What a page did: console messages, uncaught errors, requests and WebSocket frames, in the order in which the browser
 * told of them. One journal for each page takes in its frames of other processes and its workers too. Nothing here
 * suspends.
 *
 * A journal is a ring: events have sequence numbers from 0 and, above a number of events or of bytes, the oldest are
 * dropped, which readers can see. Bytes are what the journal really holds, not what texts add up to. An event and its
 * texts lie one behind the other in chunks that are released from the old end, so that an event costs no allocation
 * of its own.
 *
 * Readers borrow events; they stay valid until something is added or cleared, which happens between two waits of a
 * task: look up again by number after a wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/macros.h"

enum observed_kind {
	OBSERVED_CONSOLE = 1,    /* a call of console.* */
	OBSERVED_LOG = 2,        /* what the browser itself writes to the console */
	OBSERVED_EXCEPTION = 4,  /* an error or rejection that nobody caught */
	OBSERVED_REQUEST = 8,
	OBSERVED_RESPONSE = 16,  /* its head */
	OBSERVED_FINISHED = 32,  /* its body has come */
	OBSERVED_FAILED = 64,
	OBSERVED_WEBSOCKET = 128,
	OBSERVED_DIALOG = 256, /* an alert and the like, of a page that is driven */
	OBSERVED_DOWNLOAD = 512, /* the same */
	OBSERVED_MESSAGES = OBSERVED_CONSOLE | OBSERVED_LOG | OBSERVED_EXCEPTION,
	OBSERVED_NETWORK = OBSERVED_REQUEST | OBSERVED_RESPONSE | OBSERVED_FINISHED | OBSERVED_FAILED | OBSERVED_WEBSOCKET,
	OBSERVED_ALL = 1023,
};

enum message_level { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_INFO, MESSAGE_DEBUG }; /* most severe first */

#define OBSERVED_NONE UINT64_MAX /* no such event */

struct observed_header {
	const char *name;  /* in lower case */
	const char *value; /* of equal headers the values, with '\n' between */
};

struct observed_headers {
	const struct observed_header *rows;
	size_t count;
	bool cut; /* there were more */
};

/* What console.*, the browser or an uncaught error said. */
struct observed_message {
	const char *type; /* CDP's: "log", "warning", "startGroup"... */
	enum message_level level;
	const char *text; /* the arguments with a blank between; of an error its stack, when it has one */
	const uint32_t *argument_ends; /* where in `text` each argument ends */
	unsigned arguments;
	int line, column; /* from 0 */
};

struct observed_request {
	unsigned number; /* from 1 since journal_restart(); 0: not in the list that agents see (preflights, favicons) */
	const char *method, *type, *initiator; /* type: "document", "fetch", "script"...: CDP's in lower case */
	struct observed_headers headers;
	const char *body; /* NULL: none, or too large to be told: see has_body */
	size_t body_size; /* of `body`, which may hold anything and ends with a NUL */
	bool has_body;
	bool from_memory_cache;
	double wall_time;       /* Unix seconds; `time` of the event is the same moment on the monotonic clock */
	uint64_t response, end; /* OBSERVED_NONE until they have come; a redirect ends with its response */
	double end_time;        /* seconds, on the clock of `time` */
};

/* Milliseconds after `request_time`, -1 where the phase did not happen: CDP's Network.ResourceTiming. */
struct observed_timing {
	double request_time; /* seconds, on the clock of `time`; 0: no timing was told */
	float dns_start, dns_end, connect_start, connect_end, ssl_start, ssl_end, send_start, send_end, headers_end;
};

struct observed_response {
	int status;
	const char *status_text; /* "" where the protocol has none */
	const char *mime_type;   /* as the browser sees it; the server's word is in the headers */
	const char *protocol;    /* "http/1.1", "h2", "blob"... */
	const char *remote_address; /* "127.0.0.1:80"; NULL when none was contacted */
	struct observed_headers headers;
	struct observed_timing timing;
	bool from_disk_cache, from_service_worker, redirect;
};

struct observed_failure {
	const char *error; /* "net::ERR_..." */
	const char *blocked; /* why, CDP's word; NULL when it was not blocked */
	bool canceled;
};

enum websocket_event {
	WEBSOCKET_CREATED, WEBSOCKET_OPENED, WEBSOCKET_SENT, WEBSOCKET_RECEIVED, WEBSOCKET_ERROR, WEBSOCKET_CLOSED,
};

struct observed_websocket {
	enum websocket_event event;
	int opcode;          /* of a frame: 1 text, 2 binary */
	int status;          /* of the handshake */
	const char *payload; /* of a frame, binary ones in base64; of an error its text; else NULL */
};

struct observed_dialog {
	bool opened;         /* else: closed */
	const char *type;    /* "alert", "confirm", "prompt", "beforeunload" */
	const char *message; /* what the page asks; of one that was closed, what was put in, or NULL */
	bool accepted;
};

enum download_event { DOWNLOAD_BEGAN, DOWNLOAD_SAVED_AS, DOWNLOAD_BROKE };

struct observed_download {
	enum download_event event;
	const char *guid, *name; /* the browser's id of it; the name that the page suggests */
	const char *detail;      /* of one that was saved its path, of one that failed why; NULL: it has begun */
	double bytes;            /* that have come so far */
};

struct observed {
	uint64_t seq;
	enum observed_kind kind;
	int64_t received;       /* Unix milliseconds, when it came here */
	double time;            /* when it happened: messages Unix milliseconds, others seconds of the browser's clock */
	const char *session;    /* CDP session that told it */
	const char *url;        /* of a message its source; NULL where the event names none: see journal_url() */
	const char *request_id; /* CDP's, NULL for messages */
	uint64_t request;       /* number of the event that began the exchange (itself, for that one) */
	uint64_t chain;         /* the journal's own */
	union {
		struct observed_message message;
		struct observed_request sent;
		struct observed_response response;
		double encoded_bytes; /* OBSERVED_FINISHED: what came over the network */
		struct observed_failure failure;
		struct observed_websocket websocket;
		struct observed_dialog dialog;
		struct observed_download download;
	};
};

struct journal;

struct journal *journal_new(size_t max_count, size_t max_bytes);
/* One reference more; each is given back with journal_free(). */
struct journal *journal_ref(struct journal *j);
struct journal *journal_free(struct journal *j);
DEFINE_FREEP(journal);

/* What it is about: CDP's id of the page or worker; "" until it was set. Cut after 63 bytes. */
void journal_set_target(struct journal *j, const char *target_id);
const char *journal_target(const struct journal *j);

/* What is let in. */

struct journal_filter {
	unsigned kinds; /* enum observed_kind, or-ed; 0: all */
	/* Parts of URLs, NULL-terminated, NULL: none. Network events alone are judged by them: `block` first, then `allow`. */
	const char *const *block, *const *allow;
	size_t text_max; /* bytes of a text after which it is cut; 0: LIMIT_OBSERVED_TEXT */
};

void journal_set_filter(struct journal *j, const struct journal_filter *f); /* copies it; NULL: everything is let in */
const struct journal_filter *journal_filter(const struct journal *j);
/* Is an event of that kind and URL to be stored? What has no URL (NULL) is not, where URLs decide. Counts the others. */
bool journal_admits(struct journal *j, enum observed_kind kind, const char *url);
uint64_t journal_refused(const struct journal *j); /* events that were not let in, so far */
size_t journal_text_max(const struct journal *j);

/* Other bounds; the oldest events go when there are too many. */
void journal_resize(struct journal *j, size_t max_count, size_t max_bytes);
/* Events go all at once when nothing was added for `ttl`; 0: never. */
void journal_set_ttl(struct journal *j, usec_t ttl);
/* When that will be, unless something is added; USEC_NEVER when there is nothing to go. */
usec_t journal_expires_at(const struct journal *j);
/* Clears the journal when `now` has come to that. True: it did. */
bool journal_expire(struct journal *j, usec_t now);

/* Reading. */

struct journal_query {
	unsigned kinds;           /* enum observed_kind, or-ed; 0: all */
	const char *url_includes; /* part of journal_url(); NULL: any */
	const char *method;       /* of the request that the event belongs to, in any case; NULL: any */
};

/*
 * The first event from `*offset` on that `q` (NULL: any) asks for, and puts `*offset` behind it; NULL at the end, with
 * `*offset` at journal_end(). Start with 0, or with an offset from earlier.
 */
const struct observed *journal_next(const struct journal *j, const struct journal_query *q, uint64_t *offset);
const struct observed *journal_at(const struct journal *j, uint64_t seq); /* NULL when it is not there (any more) */
uint64_t journal_first(const struct journal *j); /* oldest event held; journal_end() when there is none */
uint64_t journal_end(const struct journal *j);   /* number that the next event will get */
/* How many events from `offset` on were dropped for want of room: what a reader who comes back there has missed. */
uint64_t journal_missed(const struct journal *j, uint64_t offset);
uint64_t journal_dropped(const struct journal *j); /* so far, in all */
size_t journal_bytes(const struct journal *j);
/* URL of the event, or of the request that it belongs to; NULL when that is gone. */
const char *journal_url(const struct journal *j, const struct observed *e);
/* The event that began the exchange of `e`; NULL when it is gone, or `e` is a message. */
const struct observed *journal_request(const struct journal *j, const struct observed *e);
/* Request `number` since journal_restart(); NULL when there is none (any more). */
const struct observed *journal_numbered(const struct journal *j, unsigned number);

/* Messages since the page shows its present document. They count what was dropped, too. */
struct message_counts {
	unsigned total, errors, warnings; /* "Console: N errors, M warnings" */
};
const struct message_counts *journal_counts(const struct journal *j);
uint64_t journal_document(const struct journal *j); /* number of the first event of that document */

/*
 * Where a navigation that was asked for begins: the numbers of requests start at 1 again, and so does the clock that
 * log files show. A page that navigates by itself goes on with both.
 */
void journal_restart(struct journal *j);
uint64_t journal_restarted(const struct journal *j);        /* number of the first event since then */
int64_t journal_restarted_at(const struct journal *j);      /* Unix milliseconds */

void journal_clear(struct journal *j); /* numbers go on; what is cleared does not count as dropped */

/*
 * Given each event once it is complete: the journal keeps it in memory, a listener what it makes of it. Embedded in its
 * owner, who removes it before the journal goes.
 */
struct journal_listener {
	LIST_ENTRY(journal_listener) link;
	/* must not add to the journal */
	void (*observed)(struct journal_listener *l, const struct journal *j, const struct observed *e);
};
/* NULL: to all journals of the process, present and to come. */
void journal_listen(struct journal *j, struct journal_listener *l);
void journal_unlisten(struct journal_listener *l);

/* What all journals of the process have seen so far, and what they hold now. */
#define OBSERVED_KINDS 10
struct journal_totals {
	uint64_t events[OBSERVED_KINDS]; /* kind 1 << n at n */
	uint64_t dropped;                /* for want of room */
	uint64_t refused;                /* by filters */
	size_t bytes;                    /* memory of what is held */
};
const struct journal_totals *journal_totals(void);

/* Writing: for the normaliser, and for who owns the page. */

void journal_new_document(struct journal *j); /* the page shows another document from here on */
/* A new event, zeroed but for numbers and time; fill it, then journal_done(). */
struct observed *journal_add(struct journal *j, enum observed_kind kind, const char *session);
/* Memory for the event that is being filled, zeroed. */
void *journal_alloc(struct journal *j, size_t size);
/* A copy of `text` (NULL gives NULL), cut after `limit` bytes with a mark that says how many are missing. */
char *journal_text(struct journal *j, const char *text, size_t limit);
/* The same for what may hold a secret, which is masked (redact.h) before it is cut. */
char *journal_masked(struct journal *j, const char *text, size_t limit);
/* The next number for a request that agents see. */
unsigned journal_number(struct journal *j);
/* Makes what `request_id` names findable by it; `e->request_id` is set. */
void journal_index(struct journal *j, struct observed *e);
struct observed *journal_find(struct journal *j, const char *request_id); /* newest one; NULL when there is none */
void journal_done(struct journal *j, struct observed *e);

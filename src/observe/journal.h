/*
 * The record of a page's events: console messages, uncaught errors, requests and WebSocket frames, in the order in
 * which the browser reported them. One journal per page also holds the events of its out-of-process frames and its
 * workers. No function here suspends.
 *
 * A journal is a ring. Events have sequence numbers from 0. Above a number of events or bytes the oldest events are
 * dropped; readers can detect that by the numbers. The byte count is the memory that the journal holds, not the sum
 * of the text lengths. Events and their texts lie back to back in chunks that are released from the oldest end, so
 * that an event needs no allocation of its own.
 *
 * Readers borrow events. A borrowed event is valid until an event is added, which can happen whenever
 * the reader's task waits: after a wait, look the event up again by its number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/macros.h"
#include "observe/resource.h"

enum observed_kind {
	OBSERVED_CONSOLE = 1,   /* a call of console.* */
	OBSERVED_LOG = 2,       /* a console entry of the browser itself */
	OBSERVED_EXCEPTION = 4, /* an uncaught error or unhandled rejection */
	OBSERVED_REQUEST = 8,
	OBSERVED_RESPONSE = 16, /* status and headers */
	OBSERVED_FINISHED = 32, /* the body is complete */
	OBSERVED_FAILED = 64,
	OBSERVED_WEBSOCKET = 128,
	OBSERVED_DIALOG = 256,   /* a JavaScript dialog; only of pages in sessions */
	OBSERVED_DOWNLOAD = 512, /* only of pages in sessions */
	OBSERVED_MESSAGES = OBSERVED_CONSOLE | OBSERVED_LOG | OBSERVED_EXCEPTION,
	OBSERVED_NETWORK = OBSERVED_REQUEST | OBSERVED_RESPONSE | OBSERVED_FINISHED | OBSERVED_FAILED | OBSERVED_WEBSOCKET,
	OBSERVED_ALL = 1023,
};

enum message_level { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_INFO, MESSAGE_DEBUG }; /* most severe first */

/* The functions of `console`, and the levels of what the browser writes there itself. */
enum message_kind {
	CONSOLE_LOG,
	CONSOLE_DEBUG,
	CONSOLE_VERBOSE,
	CONSOLE_INFO,
	CONSOLE_WARNING,
	CONSOLE_ERROR,
	CONSOLE_ASSERT,
	CONSOLE_TRACE,
	CONSOLE_DIR,
	CONSOLE_DIRXML,
	CONSOLE_TABLE,
	CONSOLE_CLEAR,
	CONSOLE_GROUP,
	CONSOLE_GROUP_COLLAPSED,
	CONSOLE_GROUP_END,
	CONSOLE_PROFILE,
	CONSOLE_PROFILE_END,
	CONSOLE_COUNT,
	CONSOLE_TIME_END,
};

#define OBSERVED_NONE UINT64_MAX /* no such event */

struct observed_header {
	const char *name;  /* in lower case */
	const char *value; /* the values of repeated headers are joined by '\n' */
};

struct observed_headers {
	const struct observed_header *rows;
	size_t count;
	bool cut; /* further headers did not fit */
};

/* A console call, a console entry of the browser, or an uncaught error. */
struct observed_message {
	enum message_kind kind; /* CONSOLE_ERROR for an uncaught error */
	enum message_level level;
	const char *text;              /* the arguments separated by blanks; for an error its stack, if it has one */
	const uint32_t *argument_ends; /* offset in `text` at which each argument ends */
	unsigned arguments;
	int line, column; /* from 0 */
};

struct observed_request {
	unsigned number; /* counted from 1, journal_restart(); 0: not listed for agents (preflights, favicons) */
	const char *method, *initiator;
	const char *type;     /* "document", "fetch", "script"...: the browser's word in lower case; code compares `resource` */
	const char *document; /* id of the document that the request is for; NULL: it is for none */
	enum resource_kind resource;
	struct observed_headers headers;
	const char *body; /* NULL: no body, or one too large for the event: see has_body */
	size_t body_size; /* of `body`, which may contain NULs and is NUL-terminated */
	bool has_body;
	bool from_memory_cache;
	double wall_time;       /* Unix seconds; the event's `time` is the same moment on the monotonic clock */
	uint64_t response, end; /* OBSERVED_NONE until received; a redirect ends with its response */
	double end_time;        /* seconds, on the clock of `time` */
};

/* Milliseconds after `request_time`, -1 for phases that did not occur. */
struct observed_timing {
	double request_time; /* seconds, on the clock of `time`; 0: the event had no timing */
	float dns_start, dns_end, connect_start, connect_end, ssl_start, ssl_end, send_start, send_end, headers_end;
};

struct observed_response {
	int status;
	const char *status_text;    /* "" for protocols without one */
	const char *mime_type;      /* as determined by the browser; the server's Content-Type is in the headers */
	const char *protocol;       /* "http/1.1", "h2", "blob"... */
	const char *remote_address; /* "127.0.0.1:80"; NULL: no server was contacted */
	struct observed_headers headers;
	struct observed_timing timing;
	bool from_disk_cache, from_service_worker, redirect;
};

struct observed_failure {
	const char *error;   /* "net::ERR_..." */
	const char *blocked; /* the browser's word for why; NULL: the request was not blocked */
	bool canceled;
	bool aborted; /* `error` says so: a download, an answer without a document, or what the page has stopped */
};

enum websocket_event {
	WEBSOCKET_CREATED,
	WEBSOCKET_OPENED,
	WEBSOCKET_SENT,
	WEBSOCKET_RECEIVED,
	WEBSOCKET_ERROR,
	WEBSOCKET_CLOSED,
};

struct observed_websocket {
	enum websocket_event event;
	int opcode;          /* of a frame: 1 text, 2 binary */
	int status;          /* of the handshake */
	const char *payload; /* frames: the payload, base64 if binary; errors: the text; else NULL */
};

struct observed_dialog {
	bool opened;         /* else: closed */
	const char *type;    /* "alert", "confirm", "prompt", "beforeunload" */
	const char *message; /* opened: the page's text; closed: the user's input, or NULL */
	bool accepted;
};

enum download_event { DOWNLOAD_BEGAN, DOWNLOAD_SAVED_AS, DOWNLOAD_BROKE };

struct observed_download {
	enum download_event event;
	const char *guid, *name; /* the browser's id of the download; the file name that the page suggests */
	const char *detail;      /* saved: the path; failed: the reason; begun: NULL */
	double bytes;            /* received so far */
};

struct observed {
	uint64_t seq;
	enum observed_kind kind;
	int64_t received;       /* Unix milliseconds at which browserd received it */
	double time;            /* when it occurred: Unix milliseconds for messages, else seconds on the browser's clock */
	const char *session;    /* id of the target that reported it, or of its attachment */
	const char *url;        /* for a message its source; NULL: the event has no URL of its own, see journal_url() */
	const char *request_id; /* the browser's, NULL for messages */
	uint64_t request;       /* sequence number of the exchange's first event (which refers to itself) */
	uint64_t chain;         /* private to journal.c */
	bool is_private;        /* it has no texts and no body, journal_set_private() */
	union {
		struct observed_message message;
		struct observed_request sent;
		struct observed_response response;
		double encoded_bytes; /* OBSERVED_FINISHED: bytes received over the network */
		struct observed_failure failure;
		struct observed_websocket websocket;
		struct observed_dialog dialog;
		struct observed_download download;
	};
};

struct journal;

struct journal *journal_new(size_t max_count, size_t max_bytes);
/* Takes a reference, which journal_free() releases. */
struct journal *journal_ref(struct journal *j);
struct journal *journal_free(struct journal *j);
DEFINE_FREEP(journal);

/* The target id of the page or worker; "" until it is set. Truncated to 63 bytes. */
void journal_set_target(struct journal *j, const char *target_id);
const char *journal_target(const struct journal *j);

/*
 * The journals of one owner share LIMIT_OWNER_JOURNALS, or what the largest of them may have if that is more. Above that the oldest events
 * of the journal that holds the most are dropped.
 */
void journal_set_owner(struct journal *j, uint64_t owner);
/* Changes the limits; drops the oldest events above them. */
void journal_resize(struct journal *j, size_t max_count, size_t max_bytes);
/* Reading. */

struct journal_query {
	unsigned kinds;           /* values of enum observed_kind combined with |; 0: all */
	const char *url_includes; /* substring of journal_url(); NULL: any */
	const char *method;       /* method of the event's request, case-insensitive; NULL: any */
};

/*
 * Returns the first event from `*offset` on that matches `q` (NULL: any) and sets `*offset` to the number after it.
 * At the end returns NULL and sets `*offset` to journal_end(). Start with 0 or an earlier offset.
 */
const struct observed *journal_next(const struct journal *j, const struct journal_query *q, uint64_t *offset);
const struct observed *journal_at(const struct journal *j, uint64_t seq); /* NULL: dropped or never existed */
uint64_t journal_first(const struct journal *j); /* number of the oldest event held; journal_end() if empty */
uint64_t journal_end(const struct journal *j);   /* number that the next event will get */
/*
 * How many events from `offset` on were dropped because of the limits, i.e. what a reader that resumes there has
 * missed.
 */
uint64_t journal_missed(const struct journal *j, uint64_t offset);
uint64_t journal_dropped(const struct journal *j); /* total so far */
size_t journal_bytes(const struct journal *j);
/* URL of the event or of its request; NULL if that request was dropped. */
const char *journal_url(const struct journal *j, const struct observed *e);
/* The first event of the exchange that `e` belongs to; NULL if it was dropped or `e` is a message. */
const struct observed *journal_request(const struct journal *j, const struct observed *e);
/* Request `number` since journal_restart(), or since the last one that did not keep the numbers; NULL: none, or dropped. */
const struct observed *journal_numbered(const struct journal *j, unsigned number);

/* Messages of the page's current document, including dropped ones. */
struct message_counts {
	unsigned total, errors, warnings; /* "Console: N errors, M warnings" */
};
const struct message_counts *journal_counts(const struct journal *j);
uint64_t journal_document(const struct journal *j); /* number of the current document's first event */

/*
 * To be called at the start of a navigation that a tool requested: request numbers start at 1 again, unless they are kept, and so
 * does the clock of log files. A navigation by the page itself continues both.
 */
void journal_restart(struct journal *j, bool keep_numbers);
uint64_t journal_restarted(const struct journal *j);   /* number of the first event since then */
int64_t journal_restarted_at(const struct journal *j); /* Unix milliseconds */

/*
 * Called with each event once it is complete. A listener is embedded in its owner, which removes it before the
 * journal is freed.
 */
struct journal_listener {
	LIST_ENTRY(journal_listener) link;
	/* must not add to the journal */
	void (*observed)(struct journal_listener *l, const struct journal *j, const struct observed *e);
};
/* `j` NULL: listens to all current and future journals of the process. */
void journal_listen(struct journal *j, struct journal_listener *l);
void journal_unlisten(struct journal_listener *l);

/* Totals over all journals of the process. */
#define OBSERVED_KINDS 10
struct journal_totals {
	uint64_t events[OBSERVED_KINDS]; /* kind 1 << n at n */
	uint64_t dropped;                /* because of the limits */
	size_t bytes;                    /* memory held now */
};
const struct journal_totals *journal_totals(void);

/* Writing: used by the normalisers and the owner of the page. */

/*
 * While the journal is private, because a person works in the page, events say that something happened and not what: of addresses they have
 * the scheme and the host, of other texts REDACTED_PRIVATELY (redact.h), of bodies nothing. Listeners never see more, and the journal keeps no more.
 */
void journal_set_private(struct journal *j, bool is_private);
/* The event that is being filled belongs to, or follows, an earlier one (NULL: none), and is as private as that. */
void journal_follow(struct journal *j, struct observed *e, const struct observed *earlier);

void journal_new_document(struct journal *j); /* later events belong to a new document */
/* Adds an event with numbers and time of receipt set, all else zero; fill it, then call journal_done(). */
struct observed *journal_add(struct journal *j, enum observed_kind kind, const char *session);
/* Zeroed memory that lives as long as the event that is being filled. */
void *journal_alloc(struct journal *j, size_t size);
/* A copy of `text` (NULL gives NULL), cut after `limit` bytes with a mark that gives the number of missing bytes. */
char *journal_text(struct journal *j, const char *text, size_t limit);
/* journal_text() for text that may hold secrets: they are masked (redact.h) before the text is cut. */
char *journal_masked(struct journal *j, const char *text, size_t limit);
/* The next number for a request that is listed for agents. */
unsigned journal_number(struct journal *j);
/* Makes `e` available to journal_find() by its `request_id`, which must be set. */
void journal_index(struct journal *j, struct observed *e);
struct observed *journal_find(struct journal *j, const char *request_id); /* the newest with this id, or NULL */
void journal_done(struct journal *j, struct observed *e);
/* Gives request `e` a copy of its body, which came after the event was complete; secrets are masked. May drop the oldest events, `e` among them. */
void journal_add_body(struct journal *j, struct observed *e, const void *body, size_t size);

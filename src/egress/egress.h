/*
 * Controls where the pages of one session may connect. Each session has a proxy (egress/socks.h) that checks the host name and
 * the actual destination address of every connection, so that neither redirects nor DNS can bypass the rules. All connections
 * of a page go through it: documents, workers of all kinds, WebSockets, prefetches, reports.
 *
 * A connection is made only if all rules allow it: the rules of a session can narrow what the server allows, never extend it.
 * Ref-counted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/str.h"
#include "egress/rules.h"
#include "egress/upstream.h"
#include "loop/loop.h"

struct egress;

/* Settings for all sessions of the server; borrowed by their proxies. */
struct egress_settings {
	const struct egress_rules *rules;                            /* NULL: everything is allowed */
	const char *const *allowed_origins, *const *blocked_origins; /* egress/origin.h, NULL-terminated; NULL: no such list */
	const struct upstream *upstream;                             /* NULL: none */
	struct {
		const char *rules, *allowed_origins, *blocked_origins;
	} names;                /* what messages call the settings */
	bool upstream_unusable; /* the operator's proxy is of a kind that the proxies of sessions cannot use */
};

/* Whether the settings restrict anything, so that sessions need a proxy. */
bool egress_settings_restrict(const struct egress_settings *s);

/* Additional settings of one session. */
struct egress_plan {
	struct egress_rules *rules; /* requested by the session's creator; the proxy takes ownership; NULL: none */
	/* Whether the session's own dev server listens on this port; the rules do not apply to it. NULL: no such server. */
	bool (*is_own)(int port, void *data);
	/* Whether that server listened on the port before it ended; such a connection fails, but is not reported as refused. */
	bool (*was_own)(int port, void *data);
	void *data;
	const struct egress_rules *server_rules; /* for sessions with their own dev server, borrowed; NULL: none */
	const char *server_rules_why;            /* the reason in refusals by these rules; static */
};

/* `plan` may be NULL. Negative errno. */
int egress_new(struct loop *l, const struct egress_settings *settings, const struct egress_plan *plan, struct egress **ret);
struct egress *egress_ref(struct egress *e);
struct egress *egress_unref(struct egress *e);
DEFINE_UNREFP(egress);
/* The rules of its plan, borrowed; NULL: none. */
const struct egress_rules *egress_rules_of(const struct egress *e);
/* The session's dev server was removed: its ports are subject to the rules again. */
void egress_forget_server(struct egress *e);
/* The proxy's address for a browser context: "socks5://127.0.0.1:40123". Borrowed. */
const char *egress_proxy(const struct egress *e);

/* The number of refused connections so far. */
uint64_t egress_refusals(const struct egress *e);
/* Appends the stored refusals after number `since` as JSON objects {host, port, reason}, separated by commas. */
void egress_print_refusals(const struct egress *e, uint64_t since, struct str *out);
/*
 * Appends the refusals since the previous call as text, one line each: "host:port: reason". Duplicates are printed once, and at
 * most LIMIT_EGRESS_REPORTED_COUNT lines.
 */
void egress_take_refusals(struct egress *e, struct str *out);

/* The number of failed connections so far, and the last one: "localhost port 80: Connection refused" (borrowed). */
uint64_t egress_failures(const struct egress *e);
const char *egress_failure(const struct egress *e);

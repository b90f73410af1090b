/*
 * Where the pages of one session may connect: a proxy of its own (egress/socks.h) that judges every connection by the name and by
 * the very address that it goes to, so that neither redirects nor name servers lead to where it is not allowed. Whatever a page
 * has that connects goes through it: documents, workers of all kinds, WebSockets, prefetches, reports.
 *
 * A connection is made when every limit in the plan allows it. They only ever add up: a limit of the session narrows
 * what the server allows. Ref-counted.
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

/* What holds for all sessions of a server; borrowed by their proxies. */
struct egress_settings {
	const struct egress_rules *rules; /* --egress; NULL: everything */
	const char *const *allowed_origins, *const *blocked_origins; /* egress/origin.h, NULL-terminated; NULL: no such list */
	const struct upstream *upstream; /* NULL: none */
};

/* Whether sessions need a proxy at all. */
bool egress_settings_restrict(const struct egress_settings *s);

/* What holds for one session besides. */
struct egress_plan {
	struct egress_rules *rules; /* as its creator asked; becomes the proxy's; NULL: none */
	/* A server of the session's own on this machine: its ports are reached whatever the rules say. NULL: there is none. */
	bool (*is_own)(int port, void *data);
	/* It listened there before it ended, which is no refusal. */
	bool (*was_own)(int port, void *data);
	void *data;
	const struct egress_rules *server_rules; /* of sessions with a server of their own, borrowed; NULL: none */
	const char *server_rules_why;            /* what a refusal by these is explained with; static */
};

/* `plan` NULL: nothing besides. Negative errno. */
int egress_new(struct loop *l, const struct egress_settings *settings, const struct egress_plan *plan, struct egress **ret);
struct egress *egress_ref(struct egress *e);
struct egress *egress_unref(struct egress *e);
DEFINE_UNREFP(egress);
/* The session's own server is no more: none of its ports is reached from now on. */
void egress_forget_server(struct egress *e);
/* The proxy's address for a browser context: "socks5://127.0.0.1:40123". Borrowed. */
const char *egress_proxy(const struct egress *e);

/* Connections that were refused so far. */
uint64_t egress_refusals(const struct egress *e);
/* Appends those since then that are still known, as JSON objects {host, port, reason} with commas between. */
void egress_print_refusals(const struct egress *e, uint64_t since, struct str *out);
/*
 * The same for a person, one line each: "host:port: reason". Those since the last time that this was called, repeated ones
 * once, and no more than a few.
 */
void egress_take_refusals(struct egress *e, struct str *out);

/* Connections that could not be made so far, and the last of them: "localhost port 80: Connection refused" (borrowed). */
uint64_t egress_failures(const struct egress *e);
const char *egress_failure(const struct egress *e);

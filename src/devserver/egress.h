/*
 * What the pages of a session may reach: a proxy of its own (loop/socks.h) that judges every connection by the name and by the very
 * address that it goes to, so that neither redirects nor name servers lead to where it is not allowed.
 *
 * Loopback is allowed where the session's own server listens. Private, link-local, metadata and other addresses that are not
 * of the public Internet are refused, unless the operator's list names the host exactly. With a list, nothing else is
 * reached at all.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/macros.h"
#include "base/str.h"
#include "devserver/server.h"

struct egress;

/* `hosts`: NAME, NAME:PORT or *.NAME, NULL-terminated, borrowed; NULL: every public one. Negative errno. */
int egress_new(struct loop *l, const char *const *hosts, struct egress **ret);
struct egress *egress_free(struct egress *e);
DEFINE_FREEP(egress);
/* Whose ports are allowed; NULL: nobody's any more. Borrowed. */
void egress_set_server(struct egress *e, const struct devserver *server);
/* The proxy's address for a browser context: "socks5://127.0.0.1:40123". Borrowed. */
const char *egress_proxy(const struct egress *e);

/* Connections that were refused so far. */
uint64_t egress_refusals(const struct egress *e);
/* Appends those since then that are still known, as JSON objects {host, port, reason} with commas between. */
void egress_print_refusals(const struct egress *e, uint64_t since, struct str *out);

/* Connections that could not be made so far, and the last of them: "localhost port 80: Connection refused" (borrowed). */
uint64_t egress_failures(const struct egress *e);
const char *egress_failure(const struct egress *e);

/* Why this is no address of the public Internet (static), NULL when it is one. */
const char *egress_judge_address(const struct sockaddr *address);
/* Is it an entry that egress_new() takes? */
bool egress_is_host(const char *entry);

/*
 * Egress rules as an operator or a client writes them: a comma-separated list of items, each of which allows destinations.
 *
 *	public, loopback, private   addresses of that class (egress/address.h)
 *	10.0.0.0/8, fd00::/8        addresses of that network, under any name
 *	db.test, 10.1.2.3, [::1]    this host, when it is requested by this name or address
 *	*.example.com               subdomains of a domain, not the domain itself
 *	none                        nothing; must be the only item
 *	all                         everything; must be the only item
 *
 * Items other than the last two may end in :PORT or :FROM-TO; without it, all ports are allowed.
 *
 * Because the owner of a domain decides what its names resolve to, *.DOMAIN permits only public addresses, NAME also private
 * ones, and only `localhost` and its subdomains permit this machine. Only `all` permits metadata and link-local addresses.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"

struct egress_rules;
struct sockaddr;

/* -EINVAL: `error` names the item and the reason. */
int egress_rules_new(const char *const *items, struct egress_rules **ret, struct str *error);
/* egress_rules_new() from one comma-separated text. */
int egress_rules_parse(const char *text, struct egress_rules **ret, struct str *error);
struct egress_rules *egress_rules_free(struct egress_rules *r);
DEFINE_FREEP(egress_rules);

/* Whether `item` is a valid rule. */
bool egress_is_rule(const char *item);
/* Whether `item` names a host: NAME, ADDRESS or *.DOMAIN, with or without a port. */
bool egress_is_host(const char *item);
/* Whether the rules restrict anything; false only for `all`. */
bool egress_rules_restrict(const struct egress_rules *r);
/*
 * Whether the rules allow a connection. `host` is normalised by egress_host_normalise(), `address` is one of its addresses. A
 * NULL address asks whether `host` may be looked up, which is false when no resulting address could be allowed.
 */
bool egress_rules_allow(const struct egress_rules *r, const char *host, int port, const struct sockaddr *address);
/* The rules as they were written. Borrowed. */
const char *egress_rules_text(const struct egress_rules *r);

/* Converts to lower case and removes a trailing dot, in place. */
void egress_host_normalise(char *host);
/* Names that always mean this machine (RFC 6761, section 6.3). */
bool egress_host_is_localhost(const char *host);

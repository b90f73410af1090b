/*
 * Where a session may connect, as an operator or an agent writes it: items with commas between, each of which allows something.
 *
 *	public, loopback, private   addresses of that class (egress/address.h)
 *	10.0.0.0/8, fd00::/8        addresses of that network, by whatever name
 *	db.test, 10.1.2.3, [::1]    this host, when it is asked for by this name or number
 *	*.example.com               the hosts below a domain, not the domain itself
 *	none                        nothing; stands alone
 *	all                         everything; stands alone
 *
 * An item but the last two may end in :PORT or :FROM-TO; without, all ports are meant.
 *
 * A name is trusted as far as whoever answers for it: *.DOMAIN leads to public addresses alone, a NAME to private ones as
 * well, and to this machine only `localhost` and names below it do. Metadata and link-local addresses are reached by `all` alone.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"

struct egress_rules;
struct sockaddr;

/* -EINVAL with the reason in `error`, which names the item. */
int egress_rules_new(const char *const *items, struct egress_rules **ret, struct str *error);
/* The same from one text with commas. */
int egress_rules_parse(const char *text, struct egress_rules **ret, struct str *error);
struct egress_rules *egress_rules_free(struct egress_rules *r);
DEFINE_FREEP(egress_rules);

/* Whether `item` alone could be parsed. */
bool egress_is_rule(const char *item);
/* Only a host: NAME, ADDRESS or *.DOMAIN, each with a port or without. */
bool egress_is_host(const char *item);
/* False: `all`. */
bool egress_rules_restrict(const struct egress_rules *r);
/*
 * `host` as egress_host_normalise() leaves it, `address` one that it leads to. NULL as address: may `host` be looked up at
 * all, which is false when no address that comes out could be allowed.
 */
bool egress_rules_allow(const struct egress_rules *r, const char *host, int port, const struct sockaddr *address);
/* As it was written. Borrowed. */
const char *egress_rules_text(const struct egress_rules *r);

/* Lower case, without the dot of the root at its end; in place. */
void egress_host_normalise(char *host);
/* RFC 6761, 6.3: these names are this machine, whatever name servers say. */
bool egress_host_is_localhost(const char *host);

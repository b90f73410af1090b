/*
 * Classes of IP addresses, and networks. The one function that decides which class an address belongs to: rules about where
 * a session may connect (egress/rules.h) are written in these classes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum address_class {
	ADDRESS_PUBLIC,   /* global unicast */
	ADDRESS_LOOPBACK, /* this machine: 127.0.0.0/8, ::1, and the unspecified addresses, which connect to it as well */
	ADDRESS_PRIVATE,  /* RFC 1918, RFC 6598, RFC 4193 and the like */
	ADDRESS_METADATA, /* link-local, and where clouds serve credentials of the machine */
	ADDRESS_RESERVED, /* multicast, documentation, benchmarks, not assigned */
};

#define ADDRESS_TEXT_MAX 48

/*
 * IANA's registries of special-purpose addresses. An IPv6 address that stands for an IPv4 address (mapped, compatible,
 * translated, NAT64, 6to4) belongs to the more restricted class of the two. Other families are ADDRESS_RESERVED.
 */
enum address_class address_classify(const struct sockaddr *address);
/* In words, for messages: "this machine". Static. */
const char *address_class_text(enum address_class c);
/* The number without a port; IPv6 without brackets. */
void address_print(const struct sockaddr *address, char out[ADDRESS_TEXT_MAX]);

struct network {
	int family;
	uint8_t bytes[16];
	int bits;
};

/* "10.0.0.0/8", "fd00::/8", or an address alone, "[::1]" included. IPv4-mapped networks become IPv4. False: it is none. */
bool network_parse(const char *text, size_t len, struct network *ret);
/* An IPv4-mapped address belongs to networks of IPv4. */
bool network_contains(const struct network *n, const struct sockaddr *address);
/* The same, and addresses that lead there by way of a translation (NAT64, 6to4) belong to it, too. */
bool network_reached_by(const struct network *n, const struct sockaddr *address);
bool network_equal(const struct network *a, const struct network *b);
/* Whether an interface of this machine has the address, so that a connection to it never leaves the machine. */
bool address_is_own(const struct sockaddr *address);

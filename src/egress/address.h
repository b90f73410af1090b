/*
 * Classes of IP addresses, and networks. address_classify() is the only function that decides which class an address belongs
 * to; the rules about where a session may connect (egress/rules.h) use these classes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum address_class {
	ADDRESS_PUBLIC,   /* global unicast */
	ADDRESS_LOOPBACK, /* this machine: 127.0.0.0/8, ::1, and the unspecified addresses, which also connect to it */
	ADDRESS_PRIVATE,  /* RFC 1918, RFC 6598, RFC 4193 and similar */
	ADDRESS_METADATA, /* link-local, and the metadata services of clouds, which hand out credentials */
	ADDRESS_RESERVED, /* multicast, documentation, benchmarking, unassigned */
};

#define ADDRESS_TEXT_MAX 48

/*
 * Follows IANA's registries of special-purpose addresses. An IPv6 address that embeds an IPv4 address (mapped, compatible,
 * translated, NAT64, 6to4) gets the more restricted class of the two. Other families are ADDRESS_RESERVED.
 */
enum address_class address_classify(const struct sockaddr *address);
/* A static description for messages, such as "this machine". */
const char *address_class_text(enum address_class c);
/* Prints the numeric address without port; IPv6 without brackets. */
void address_print(const struct sockaddr *address, char out[ADDRESS_TEXT_MAX]);

struct network {
	int family;
	uint8_t bytes[16];
	int bits;
};

/* "10.0.0.0/8", "fd00::/8", or a single address, also as "[::1]". IPv4-mapped networks become IPv4. False when malformed. */
bool network_parse(const char *text, size_t len, struct network *ret);
/* An IPv4-mapped address is treated as its IPv4 address. */
bool network_contains(const struct network *n, const struct sockaddr *address);
/* network_contains() that also accepts addresses which reach the network by translation (NAT64, 6to4). */
bool network_reached_by(const struct network *n, const struct sockaddr *address);
bool network_equal(const struct network *a, const struct network *b);
/* Whether the address belongs to an interface of this machine, so that connections to it stay on the machine. */
bool address_is_own(const struct sockaddr *address);

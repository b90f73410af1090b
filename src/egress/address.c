#include "egress/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"

#define NOT_SPECIAL (-1)

/* The first match decides. */
static const struct {
	const char *network;
	int bits;
	enum address_class class;
} special_table[] = {
	{ "0.0.0.0", 8, ADDRESS_LOOPBACK },
	{ "10.0.0.0", 8, ADDRESS_PRIVATE },
	{ "100.100.100.200", 32, ADDRESS_METADATA }, /* Alibaba Cloud */
	{ "100.64.0.0", 10, ADDRESS_PRIVATE },
	{ "127.0.0.0", 8, ADDRESS_LOOPBACK },
	{ "168.63.129.16", 32, ADDRESS_METADATA }, /* Azure: a public address that the host intercepts */
	{ "169.254.0.0", 16, ADDRESS_METADATA },
	{ "172.16.0.0", 12, ADDRESS_PRIVATE },
	{ "192.0.0.192", 32, ADDRESS_METADATA }, /* Oracle Cloud */
	{ "192.0.0.0", 24, ADDRESS_RESERVED },
	{ "192.0.2.0", 24, ADDRESS_RESERVED },
	{ "192.88.99.0", 24, ADDRESS_RESERVED },
	{ "192.168.0.0", 16, ADDRESS_PRIVATE },
	{ "198.18.0.0", 15, ADDRESS_PRIVATE },
	{ "198.51.100.0", 24, ADDRESS_RESERVED },
	{ "203.0.113.0", 24, ADDRESS_RESERVED },
	{ "224.0.0.0", 4, ADDRESS_RESERVED },
	{ "240.0.0.0", 4, ADDRESS_RESERVED },
	{ "::", 128, ADDRESS_LOOPBACK },
	{ "::1", 128, ADDRESS_LOOPBACK },
	{ "64:ff9b:1::", 48, ADDRESS_PRIVATE },
	{ "100::", 64, ADDRESS_RESERVED },
	{ "2001::", 23, ADDRESS_RESERVED },
	{ "2001:db8::", 32, ADDRESS_RESERVED },
	{ "3fff::", 20, ADDRESS_RESERVED },
	{ "5f00::", 16, ADDRESS_RESERVED },
	{ "fd00:ec2::", 32, ADDRESS_METADATA }, /* Amazon */
	{ "fd20:ce::", 32, ADDRESS_METADATA },  /* Google Cloud */
	{ "fc00::", 7, ADDRESS_PRIVATE },
	{ "fe80::", 10, ADDRESS_METADATA },
	{ "fec0::", 10, ADDRESS_PRIVATE },
	{ "ff00::", 8, ADDRESS_RESERVED },
};

static bool starts_with_bits(const uint8_t *address, const uint8_t *network, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(address, network, (size_t)whole) == 0 && (!rest || (address[whole] ^ network[whole]) >> (8 - rest) == 0);
}

static int special_class(int family, const uint8_t *address)
{
	uint8_t network[16];

	for (size_t i = 0; i < ARRAY_SIZE(special_table); i++)
		if (inet_pton(family, special_table[i].network, network) == 1 &&
		    starts_with_bits(address, network, special_table[i].bits))
			return (int)special_table[i].class;
	return NOT_SPECIAL;
}

/* The IPv4 address inside a mapped, compatible, translated (RFC 6052) or 6to4 address; NULL for other addresses. */
static const uint8_t *embedded_ipv4(const uint8_t *six)
{
	static const struct {
		const char *network;
		int bits, at;
	} forms[] = {
		{ "::ffff:0:0", 96, 12 }, { "::ffff:0:0:0", 96, 12 }, { "::", 96, 12 }, { "64:ff9b::", 96, 12 }, { "2002::", 16, 2 }
	};
	uint8_t network[16];

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (inet_pton(AF_INET6, forms[i].network, network) == 1 && starts_with_bits(six, network, forms[i].bits))
			return six + forms[i].at;
	return NULL;
}

static const uint8_t *address_bytes_of(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return (const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr;
	return ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
}

enum address_class address_classify(const struct sockaddr *address)
{
	const uint8_t *bytes = address_bytes_of(address), *four;
	int class;

	if (address->sa_family != AF_INET && address->sa_family != AF_INET6)
		return ADDRESS_RESERVED;
	class = special_class(address->sa_family, bytes);
	four = address->sa_family == AF_INET6 ? embedded_ipv4(bytes) : NULL;
	if (class == NOT_SPECIAL && four)
		class = special_class(AF_INET, four);
	return class == NOT_SPECIAL ? ADDRESS_PUBLIC : (enum address_class) class;
}

const char *address_class_text(enum address_class c)
{
	static const char *const texts[] = {
		[ADDRESS_PUBLIC] = "a public address",
		[ADDRESS_LOOPBACK] = "this machine",
		[ADDRESS_PRIVATE] = "in a private network",
		[ADDRESS_METADATA] = "link-local or a metadata service of a cloud",
		[ADDRESS_RESERVED] = "reserved, no address of the public Internet",
	};

	return texts[c];
}

void address_print(const struct sockaddr *address, char out[ADDRESS_TEXT_MAX])
{
	out[0] = '\0';
	if (address->sa_family == AF_INET || address->sa_family == AF_INET6)
		inet_ntop(address->sa_family, address_bytes_of(address), out, ADDRESS_TEXT_MAX);
}

/* ---- networks ---- */

static const uint8_t mapped_prefix[12] = { [10] = 0xff, [11] = 0xff };

static void unmap(struct network *n)
{
	if (n->family != AF_INET6 || n->bits < 96 || memcmp(n->bytes, mapped_prefix, sizeof(mapped_prefix)) != 0)
		return;
	memmove(n->bytes, n->bytes + 12, 4);
	memset(n->bytes + 4, 0, 12);
	n->family = AF_INET;
	n->bits -= 96;
}

static bool parse_bits(const char *text, int max, int *ret)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n > max)
		return false;
	*ret = (int)n;
	return true;
}

bool network_parse(const char *text, size_t len, struct network *ret)
{
	struct network n = {};
	char copy[ADDRESS_TEXT_MAX + 8], *slash, *address = copy;

	if (len == 0 || len >= sizeof(copy))
		return false;
	snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
	slash = strchr(copy, '/');
	if (slash)
		*slash++ = '\0';
	if (*address == '[') {
		char *end = strchr(++address, ']');

		if (!end || end[1])
			return false;
		*end = '\0';
	}
	n.family = inet_pton(AF_INET, address, n.bytes) == 1 ? AF_INET : inet_pton(AF_INET6, address, n.bytes) == 1 ? AF_INET6 : 0;
	n.bits = n.family == AF_INET ? 32 : 128;
	if (!n.family || (slash && !parse_bits(slash, n.bits, &n.bits)))
		return false;
	unmap(&n);
	*ret = n;
	return true;
}

bool network_contains(const struct network *n, const struct sockaddr *address)
{
	const uint8_t *bytes = address_bytes_of(address);
	int family = address->sa_family;

	if (family == AF_INET6 && memcmp(bytes, mapped_prefix, sizeof(mapped_prefix)) == 0) {
		bytes += 12;
		family = AF_INET;
	}
	return family == n->family && starts_with_bits(bytes, n->bytes, n->bits);
}

bool network_reached_by(const struct network *n, const struct sockaddr *address)
{
	const uint8_t *four = address->sa_family == AF_INET6 ? embedded_ipv4(address_bytes_of(address)) : NULL;

	return network_contains(n, address) || (four && n->family == AF_INET && starts_with_bits(four, n->bytes, n->bits));
}

bool network_equal(const struct network *a, const struct network *b)
{
	return a->family == b->family && a->bits == b->bits && memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

bool address_is_own(const struct sockaddr *address)
{
	struct sockaddr_storage local = {};
	socklen_t len = address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool own;

	if (fd < 0)
		return false;
	memcpy(&local, address, len);
	((struct sockaddr_in *)&local)->sin_port = 0;        /* at the same offset in both families */
	own = bind(fd, (struct sockaddr *)&local, len) == 0; /* the kernel permits binding only to local addresses */
	close(fd);
	return own;
}

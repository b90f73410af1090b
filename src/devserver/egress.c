#include "devserver/egress.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loop/socks.h"

#define REFUSALS_MAX 32u

struct refusal {
	char host[256];
	int port;
	const char *reason;
};

struct egress {
	struct socks *socks;
	const char *const *hosts;
	const struct devserver *server;
	char proxy[64];
	struct refusal refusals[REFUSALS_MAX]; /* a ring */
	uint64_t refused, failed;
	char failure[400]; /* the last one */
};

/* ---- addresses ---- */

#define LOOPBACK "it is this machine, and not the session's own server"
#define PRIVATE "it is in a private network"
#define METADATA "it is link-local, where clouds tell their secrets"
#define RESERVED "it is reserved and no address of the public Internet"

/* IANA's registries of special-purpose addresses. */
static const struct {
	const char *network;
	int bits;
	const char *why;
} network_table[] = {
	{ "0.0.0.0", 8, LOOPBACK },
	{ "10.0.0.0", 8, PRIVATE },
	{ "100.64.0.0", 10, PRIVATE },
	{ "127.0.0.0", 8, LOOPBACK },
	{ "169.254.0.0", 16, METADATA },
	{ "172.16.0.0", 12, PRIVATE },
	{ "192.0.0.0", 24, RESERVED },
	{ "192.0.2.0", 24, RESERVED },
	{ "192.88.99.0", 24, RESERVED },
	{ "192.168.0.0", 16, PRIVATE },
	{ "198.18.0.0", 15, PRIVATE },
	{ "198.51.100.0", 24, RESERVED },
	{ "203.0.113.0", 24, RESERVED },
	{ "224.0.0.0", 4, RESERVED },
	{ "240.0.0.0", 4, RESERVED },
	{ "::", 128, LOOPBACK },
	{ "::1", 128, LOOPBACK },
	{ "64:ff9b:1::", 48, PRIVATE },
	{ "100::", 64, RESERVED },
	{ "2001::", 23, RESERVED },
	{ "2001:db8::", 32, RESERVED },
	{ "3fff::", 20, RESERVED },
	{ "5f00::", 16, RESERVED },
	{ "fd00:ec2::", 32, METADATA },
	{ "fc00::", 7, PRIVATE },
	{ "fe80::", 10, METADATA },
	{ "fec0::", 10, PRIVATE },
	{ "ff00::", 8, RESERVED },
};

static bool starts_with_bits(const uint8_t *address, const uint8_t *network, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(address, network, (size_t)whole) == 0 &&
	       (!rest || (address[whole] ^ network[whole]) >> (8 - rest) == 0);
}

static const char *judge_bytes(int family, const uint8_t *address)
{
	uint8_t network[16];

	for (size_t i = 0; i < ARRAY_SIZE(network_table); i++)
		if (inet_pton(family, network_table[i].network, network) == 1 &&
		    starts_with_bits(address, network, network_table[i].bits))
			return network_table[i].why;
	return NULL;
}

/* Where the IPv4 address is within those that stand for one: mapped, compatible, translated (RFC 6052), 6to4; -1: none. */
static int embedded_ipv4(const uint8_t *six)
{
	static const struct {
		const char *network;
		int bits, at;
	} forms[] = { { "::ffff:0:0", 96, 12 }, { "::ffff:0:0:0", 96, 12 }, { "::", 96, 12 }, { "64:ff9b::", 96, 12 }, { "2002::", 16, 2 } };
	uint8_t network[16];

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (inet_pton(AF_INET6, forms[i].network, network) == 1 && starts_with_bits(six, network, forms[i].bits))
			return forms[i].at;
	return -1;
}

const char *egress_judge_address(const struct sockaddr *address)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;
	const char *why;
	int at;

	if (address->sa_family == AF_INET)
		return judge_bytes(AF_INET, (const uint8_t *)&four->sin_addr);
	if (address->sa_family != AF_INET6)
		return RESERVED;
	why = judge_bytes(AF_INET6, six->sin6_addr.s6_addr);
	at = embedded_ipv4(six->sin6_addr.s6_addr);
	return why || at < 0 ? why : judge_bytes(AF_INET, six->sin6_addr.s6_addr + at);
}

/* ---- names ---- */

/* The entry's port, 0 when it has none; `ret_len` the length of its name. IPv6 addresses stand in brackets. */
static int entry_port(const char *entry, size_t *ret_len)
{
	const char *bracket = strchr(entry, ']'), *colon = strchr(bracket ? bracket : entry, ':');

	*ret_len = colon ? (size_t)(colon - entry) : strlen(entry);
	return colon ? atoi(colon + 1) : 0;
}

bool egress_is_host(const char *entry)
{
	size_t len;
	int port = entry_port(entry, &len);

	return len > 0 && !strpbrk(entry, " \t/@") && (!entry[len] || (port > 0 && port <= 65535)) &&
	       !memchr(entry + (strncmp(entry, "*.", 2) == 0 ? 2 : 0), '*', len - (strncmp(entry, "*.", 2) == 0 ? 2 : 0));
}

static bool entry_matches(const char *entry, const char *host, int port)
{
	size_t len, host_len = strlen(host);
	int wanted = entry_port(entry, &len);

	if (wanted && wanted != port)
		return false;
	if (*entry == '[') {
		entry++;
		len = strcspn(entry, "]");
	}
	if (strncmp(entry, "*.", 2) == 0)
		return host_len > len - 1 && strncasecmp(host + host_len - (len - 1), entry + 1, len - 1) == 0;
	return host_len == len && strncasecmp(host, entry, len) == 0;
}

enum listing { NOT_LISTED, LISTED_BY_PATTERN, LISTED_BY_NAME };

static enum listing find_entry(const struct egress *e, const char *host, int port)
{
	enum listing found = NOT_LISTED;

	for (const char *const *entry = e->hosts; entry && *entry; entry++)
		if (entry_matches(*entry, host, port) && found != LISTED_BY_NAME)
			found = **entry == '*' ? LISTED_BY_PATTERN : LISTED_BY_NAME;
	return found;
}

static bool is_own_server(const struct egress *e, int port, const char *why)
{
	return why && strcmp(why, LOOPBACK) == 0 && e->server && devserver_listens_on(e->server, port);
}

/* The browser tries again when a server ends while it answers. */
static const char server_ended[] = "the session's server has ended";

static bool was_own_server(const struct egress *e, int port, const char *why)
{
	return why && strcmp(why, LOOPBACK) == 0 && e->server && devserver_info(e->server)->port == port;
}

#define UNLISTED "it is not among the hosts that the operator allows (--egress-hosts, ALLOWED_HOSTS)"

static const char *admit(const char *host, int port, void *data)
{
	const struct egress *e = data;

	return e->hosts && find_entry(e, host, port) == NOT_LISTED ? UNLISTED : NULL;
}

static const char *judge(const char *host, int port, const struct sockaddr *address, void *data)
{
	const struct egress *e = data;
	enum listing listing = find_entry(e, host, port);
	const char *why = egress_judge_address(address);

	if (is_own_server(e, port, why))
		return NULL;
	if (was_own_server(e, port, why))
		return server_ended;
	if (e->hosts && listing == NOT_LISTED)
		return UNLISTED;
	if (listing == LISTED_BY_NAME && (!why || strcmp(why, METADATA) != 0))
		return NULL;
	return why;
}

static void failed(const char *host, int port, const char *why, void *data)
{
	struct egress *e = data;

	e->failed++;
	snprintf(e->failure, sizeof(e->failure), "%s port %d: %s", host, port, why);
}

static void refused(const char *host, int port, const char *reason, void *data)
{
	struct egress *e = data;
	struct refusal *r;

	if (reason == server_ended) { /* nothing that was forbidden */
		failed(host, port, reason, e);
		return;
	}
	r = &e->refusals[e->refused++ % REFUSALS_MAX];
	snprintf(r->host, sizeof(r->host), "%s", host);
	r->port = port;
	r->reason = reason;
}

static const struct socks_rules rules = { admit, judge, refused, failed };

int egress_new(struct loop *l, const char *const *hosts, struct egress **ret)
{
	_cleanup_(egress_freep) struct egress *e = NEW(struct egress);
	int r;

	e->hosts = hosts;
	r = socks_new(l, &rules, e, &e->socks);
	if (r < 0)
		return r;
	snprintf(e->proxy, sizeof(e->proxy), "socks5://127.0.0.1:%d", socks_port(e->socks));
	*ret = TAKE_PTR(e);
	return 0;
}

struct egress *egress_free(struct egress *e)
{
	if (!e)
		return NULL;
	socks_free(e->socks);
	free(e);
	return NULL;
}

void egress_set_server(struct egress *e, const struct devserver *server)
{
	e->server = server;
}

const char *egress_proxy(const struct egress *e)
{
	return e->proxy;
}

uint64_t egress_refusals(const struct egress *e)
{
	return e->refused;
}

uint64_t egress_failures(const struct egress *e)
{
	return e->failed;
}

const char *egress_failure(const struct egress *e)
{
	return e->failure;
}

void egress_print_refusals(const struct egress *e, uint64_t since, struct str *out)
{
	uint64_t from = e->refused > REFUSALS_MAX ? MAX(since, e->refused - REFUSALS_MAX) : since;

	for (uint64_t i = from; i < e->refused; i++) {
		const struct refusal *r = &e->refusals[i % REFUSALS_MAX];

		str_json(out, "%p{host: %s, port: %d, reason: %s}", i == from ? "" : ",", r->host, r->port, r->reason);
	}
}

#include "egress/egress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "egress/address.h"
#include "egress/origin.h"
#include "egress/socks.h"

enum verdict {
	VERDICT_ALLOWED,
	VERDICT_OWN_SERVER_ENDED,
	VERDICT_BLOCKED_ORIGIN,
	VERDICT_NOT_AN_ALLOWED_ORIGIN,
	VERDICT_SERVER,     /* rules of the server */
	VERDICT_SESSION,    /* rules of the session */
	VERDICT_DEV_SERVER, /* rules for sessions with their own dev server */
};

struct refusal {
	char host[256];
	int port;
	char reason[512];
};

struct egress {
	unsigned refs;
	struct socks *socks;
	const struct egress_settings *settings;
	struct egress_plan plan; /* owns plan.rules */
	char proxy[64];
	struct refusal refusals[LIMIT_EGRESS_REFUSALS_COUNT]; /* ring buffer */
	uint64_t refused, failed;
	uint64_t taken;    /* number of refusals that egress_take_refusals() has returned */
	char failure[400]; /* the last one */
};

bool egress_settings_restrict(const struct egress_settings *s)
{
	return s && (egress_rules_restrict(s->rules) || s->allowed_origins || s->blocked_origins);
}

/* ---- deciding ---- */

static bool egress_is_listed(const char *const *list, const char *host, int port)
{
	for (; list && *list; list++)
		if (origin_matches_host(*list, host, port))
			return true;
	return false;
}

static bool is_listed_address(const char *const *list, const struct sockaddr *address, int port)
{
	for (; list && *list; list++)
		if (origin_matches_address(*list, address, port))
			return true;
	return false;
}

static enum verdict check_origin(const struct egress_settings *s, const char *host, int port, const struct sockaddr *address)
{
	if (egress_is_listed(s->blocked_origins, host, port) || (address && is_listed_address(s->blocked_origins, address, port)))
		return VERDICT_BLOCKED_ORIGIN;
	if (s->allowed_origins && !egress_is_listed(s->allowed_origins, host, port))
		return VERDICT_NOT_AN_ALLOWED_ORIGIN;
	return VERDICT_ALLOWED;
}

static enum verdict check_rules(const struct egress *e, const char *host, int port, const struct sockaddr *address)
{
	const struct {
		const struct egress_rules *rules;
		enum verdict verdict;
	} all[] = { { e->settings->rules, VERDICT_SERVER },
		    { e->plan.rules, VERDICT_SESSION },
		    { e->plan.server_rules, VERDICT_DEV_SERVER } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].rules && !egress_rules_allow(all[i].rules, host, port, address))
			return all[i].verdict;
	return VERDICT_ALLOWED;
}

/* A NULL address asks whether the name may be looked up, which is refused if no possible address would be allowed. */
static int egress_check_address(const char *host, int port, const struct sockaddr *address, void *data)
{
	const struct egress *e = data;
	bool local = address && address_classify(address) == ADDRESS_LOOPBACK;
	enum verdict v = check_origin(e->settings, host, port, address);

	if (v != VERDICT_ALLOWED)
		return (int)v;
	if (local && e->plan.is_own && e->plan.is_own(port, e->plan.data))
		return VERDICT_ALLOWED;
	v = check_rules(e, host, port, address);
	if (v != VERDICT_ALLOWED && local && e->plan.was_own && e->plan.was_own(port, e->plan.data))
		return VERDICT_OWN_SERVER_ENDED;
	return (int)v;
}

/* ---- explaining ---- */

static void failed(const char *host, int port, const char *why, void *data)
{
	struct egress *e = data;

	e->failed++;
	snprintf(e->failure, sizeof(e->failure), "%s port %d: %s", host, port, why);
}

/* Describes the rule that would allow the connection, if there is one. */
static void print_item(char *out, size_t size, const char *host, int port, const struct sockaddr *address)
{
	enum address_class class = address ? address_classify(address) : ADDRESS_PUBLIC;

	if (class == ADDRESS_METADATA)
		snprintf(out, size, "; no rule but \"all\" allows that");
	else if (class == ADDRESS_LOOPBACK)
		snprintf(out, size, ", for example with loopback:%d", port);
	else
		snprintf(out, size, strchr(host, ':') ? ", for example with [%s]:%d" : ", for example with %s:%d", host, port);
}

static void egress_explain(const struct egress *e, const char *host, int port, const struct sockaddr *address, enum verdict v,
			   char *out, size_t size)
{
	char number[ADDRESS_TEXT_MAX] = "", what[200] = "", item[320];

	if (address) {
		address_print(address, number);
		snprintf(what, sizeof(what), "%s is %s, and ", strcmp(number, host) ? number : "it",
			 address_class_text(address_classify(address)));
	}
	print_item(item, sizeof(item), host, port, address);
	if (v == VERDICT_BLOCKED_ORIGIN)
		snprintf(out, size, "it belongs to an origin of %s", e->settings->names.blocked_origins);
	else if (v == VERDICT_NOT_AN_ALLOWED_ORIGIN)
		snprintf(out, size, "it belongs to no origin of %s; the operator can add it there",
			 e->settings->names.allowed_origins);
	else if (v == VERDICT_SERVER)
		snprintf(out, size, "%sthe server's %s %.80s does not allow it; its operator can%s", what, e->settings->names.rules,
			 egress_rules_text(e->settings->rules), item);
	else if (v == VERDICT_SESSION)
		snprintf(out, size,
			 "%sthis session's egress \"%.80s\" does not allow it; a session created with another egress can%s", what,
			 egress_rules_text(e->plan.rules), item);
	else
		snprintf(out, size, "%s%s", what, e->plan.server_rules_why);
}

/* Host names come from pages, so control characters are replaced. */
static void copy_host(char *out, size_t size, const char *host)
{
	snprintf(out, size, "%s", host);
	for (char *p = out; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789.-_:%", *p))
			*p = '?';
}

static void refused(const char *host, int port, const struct sockaddr *address, int verdict, void *data)
{
	struct egress *e = data;
	struct refusal *r;

	if (verdict == VERDICT_OWN_SERVER_ENDED) { /* a failure, not a refusal */
		failed(host, port, "the session's server has ended", e);
		return;
	}
	r = &e->refusals[e->refused++ % LIMIT_EGRESS_REFUSALS_COUNT];
	copy_host(r->host, sizeof(r->host), host);
	r->port = port;
	egress_explain(e, r->host, port, address, (enum verdict)verdict, r->reason, sizeof(r->reason));
	log_info("refused a page's connection to %s port %d: %s", r->host, port, r->reason);
}

static uint64_t oldest(const struct egress *e, uint64_t since)
{
	return e->refused > LIMIT_EGRESS_REFUSALS_COUNT ? MAX(since, e->refused - LIMIT_EGRESS_REFUSALS_COUNT) : since;
}

static const struct refusal *refusal_at(const struct egress *e, uint64_t i)
{
	return &e->refusals[i % LIMIT_EGRESS_REFUSALS_COUNT];
}

void egress_print_refusals(const struct egress *e, uint64_t since, struct str *out)
{
	uint64_t from = oldest(e, since);

	for (uint64_t i = from; i < e->refused; i++) {
		const struct refusal *r = refusal_at(e, i);

		str_json(out, "?{host: ?, port: ?, reason: ?}", JSON_COMMA(i != from), r->host, r->port, r->reason);
	}
}

static bool egress_is_repeated(const struct egress *e, uint64_t from, uint64_t at)
{
	const struct refusal *r = refusal_at(e, at);

	for (uint64_t i = from; i < at; i++)
		if (refusal_at(e, i)->port == r->port && strcmp(refusal_at(e, i)->host, r->host) == 0)
			return true;
	return false;
}

void egress_take_refusals(struct egress *e, struct str *out)
{
	uint64_t from = oldest(e, e->taken);
	unsigned printed = 0, more = 0;

	for (uint64_t i = from; i < e->refused; i++) {
		const struct refusal *r = refusal_at(e, i);

		if (egress_is_repeated(e, from, i))
			continue;
		if (printed == LIMIT_EGRESS_REPORTED_COUNT) {
			more++;
			continue;
		}
		str_appendf(out, strchr(r->host, ':') ? "%s[%s]:%d: %s" : "%s%s:%d: %s", printed++ ? "\n" : "", r->host, r->port,
			    r->reason);
	}
	if (more)
		str_appendf(out, "\nand %u more", more);
	e->taken = e->refused;
}

/* ---- the proxy ---- */

static const struct socks_rules rules = { egress_check_address, refused, failed };

int egress_new(struct loop *l, const struct egress_settings *settings, const struct egress_plan *plan, struct egress **ret)
{
	_cleanup_(egress_unrefp) struct egress *e = NEW(struct egress);
	int r;

	e->refs = 1;
	e->settings = settings;
	r = socks_new(l, &rules, settings->upstream, e, &e->socks);
	if (r < 0)
		return r;
	if (plan)
		e->plan = *plan;
	snprintf(e->proxy, sizeof(e->proxy), "socks5://127.0.0.1:%d", socks_port(e->socks));
	*ret = TAKE_PTR(e);
	return 0;
}

struct egress *egress_ref(struct egress *e)
{
	e->refs++;
	return e;
}

struct egress *egress_unref(struct egress *e)
{
	if (!e || --e->refs > 0)
		return NULL;
	socks_free(e->socks);
	egress_rules_free(e->plan.rules);
	free(e);
	return NULL;
}

const struct egress_rules *egress_rules_of(const struct egress *e)
{
	return e->plan.rules;
}

void egress_forget_server(struct egress *e)
{
	e->plan.is_own = e->plan.was_own = NULL;
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

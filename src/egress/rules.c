#include "egress/rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "egress/address.h"

enum rule_kind { RULE_CLASS, RULE_NETWORK, RULE_HOST, RULE_NUMBER, RULE_DOMAIN, RULE_NONE, RULE_ALL };

struct rule {
	enum rule_kind kind;
	enum address_class class;
	struct network network; /* for RULE_NUMBER, a single address */
	char name[256];         /* for RULE_DOMAIN, with the leading dot */
	int from, to;           /* ports */
};

struct egress_rules {
	struct str text;
	size_t count;
	struct rule rules[LIMIT_EGRESS_RULES_COUNT];
};

/* ---- one item ---- */

static const struct {
	const char *word;
	enum rule_kind kind;
	enum address_class class;
} word_table[] = {
	{ "public", RULE_CLASS, ADDRESS_PUBLIC },
	{ "loopback", RULE_CLASS, ADDRESS_LOOPBACK },
	{ "private", RULE_CLASS, ADDRESS_PRIVATE },
	{ "none", RULE_NONE, 0 },
	{ "all", RULE_ALL, 0 },
};

static bool parse_port(const char *text, size_t len, int *ret)
{
	int n = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || n > 65535)
			return false;
		n = n * 10 + (text[i] - '0');
	}
	*ret = n;
	return len > 0 && n > 0 && n <= 65535;
}

/* "8080" or "3000-3999" */
static bool parse_ports(const char *text, struct rule *ret)
{
	size_t first = strcspn(text, "-");

	if (!parse_port(text, first, &ret->from))
		return false;
	ret->to = ret->from;
	return !text[first] || (parse_port(text + first + 1, strlen(text + first + 1), &ret->to) && ret->to >= ret->from);
}

/* The port part after its colon, or NULL. Colons of IPv6 addresses are inside brackets or before a slash. */
static const char *find_ports(const char *item)
{
	const char *bracket = strrchr(item, ']'), *slash = strrchr(item, '/');
	const char *colon = strchr(slash ? slash : bracket ? bracket : item, ':');

	return colon ? colon + 1 : NULL;
}

static bool rules_parse_word(const char *text, size_t len, struct rule *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(word_table); i++)
		if (strlen(word_table[i].word) == len && strncasecmp(word_table[i].word, text, len) == 0) {
			ret->kind = word_table[i].kind;
			ret->class = word_table[i].class;
			return true;
		}
	return false;
}

static bool rules_parse_number(const char *text, size_t len, struct rule *ret)
{
	if (!network_parse(text, len, &ret->network))
		return false;
	ret->kind = memchr(text, '/', len) ? RULE_NETWORK : RULE_NUMBER;
	return true;
}

static bool rules_parse_name(const char *text, size_t len, struct rule *ret)
{
	bool domain = len > 2 && text[0] == '*' && text[1] == '.';

	if (domain) { /* keeps the dot */
		text++;
		len--;
	}
	if (len == 0 || len >= sizeof(ret->name) || (text[0] == '.') != domain)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
			return false;
	memcpy(ret->name, text, len);
	ret->name[len] = '\0';
	egress_host_normalise(ret->name);
	ret->kind = domain ? RULE_DOMAIN : RULE_HOST;
	return true;
}

static bool parse_item(const char *item, struct rule *ret)
{
	const char *ports = find_ports(item);
	size_t len = ports ? (size_t)(ports - 1 - item) : strlen(item);

	*ret = (struct rule){ .from = 1, .to = 65535 };
	if (!rules_parse_word(item, len, ret) && !rules_parse_number(item, len, ret) && !rules_parse_name(item, len, ret))
		return false;
	return !ports || (ret->kind != RULE_NONE && ret->kind != RULE_ALL && parse_ports(ports, ret));
}

bool egress_is_rule(const char *item)
{
	struct rule rule;

	return parse_item(item, &rule);
}

bool egress_is_host(const char *item)
{
	struct rule rule;

	return parse_item(item, &rule) && (rule.kind == RULE_HOST || rule.kind == RULE_NUMBER || rule.kind == RULE_DOMAIN);
}

/* ---- lists ---- */

static int rules_add(struct egress_rules *r, const char *item, struct str *error)
{
	bool alone = r->count && (r->rules[0].kind == RULE_NONE || r->rules[0].kind == RULE_ALL);
	struct rule *rule = &r->rules[r->count];

	if (r->count == LIMIT_EGRESS_RULES_COUNT) {
		str_appendf(error, "more than %u egress rules", LIMIT_EGRESS_RULES_COUNT);
		return -EINVAL;
	}
	if (!parse_item(item, rule)) {
		str_appendf(error,
			    "\"%.200s\" is not an egress rule: use public, loopback, private, NAME, *.DOMAIN, ADDRESS or "
			    "ADDRESS/BITS, each optionally with :PORT or :FROM-TO, or only none or all",
			    item);
		return -EINVAL;
	}
	if (alone || (r->count && (rule->kind == RULE_NONE || rule->kind == RULE_ALL))) {
		str_append(error, "none and all cannot be combined with other egress rules");
		return -EINVAL;
	}
	r->count++;
	str_appendf(&r->text, "%s%s", r->text.len ? "," : "", item);
	return 0;
}

int egress_rules_new(const char *const *items, struct egress_rules **ret, struct str *error)
{
	_cleanup_(egress_rules_freep) struct egress_rules *r = NEW(struct egress_rules);
	int result = 0;

	for (; items && *items && result == 0; items++)
		result = rules_add(r, *items, error);
	if (result == 0 && r->count == 0) {
		str_append(error, "no egress rule; use \"none\" to allow nothing");
		result = -EINVAL;
	}
	if (result == 0)
		*ret = TAKE_PTR(r);
	return result;
}

static char *rules_trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	for (len = strlen(text); len > 0 && strchr(" \t", text[len - 1]); len--)
		text[len - 1] = '\0';
	return text;
}

int egress_rules_parse(const char *text, struct egress_rules **ret, struct str *error)
{
	_cleanup_(freep) char *copy = must(strdup(text));
	const char *items[LIMIT_EGRESS_RULES_COUNT + 2] = {};
	size_t count = 0;
	char *rest = copy;

	for (char *item; (item = strsep(&rest, ",")) && count <= LIMIT_EGRESS_RULES_COUNT;)
		items[count++] = rules_trim(item);
	return egress_rules_new(items, ret, error);
}

struct egress_rules *egress_rules_free(struct egress_rules *r)
{
	if (!r)
		return NULL;
	str_done(&r->text);
	free(r);
	return NULL;
}

bool egress_rules_restrict(const struct egress_rules *r)
{
	return r && r->rules[0].kind != RULE_ALL;
}

const char *egress_rules_text(const struct egress_rules *r)
{
	return str_text(&r->text);
}

/* ---- deciding ---- */

static bool rules_ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && strcmp(text + a - b, end) == 0;
}

void egress_host_normalise(char *host)
{
	size_t len = strlen(host);

	for (char *p = host; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (len > 1 && host[len - 1] == '.')
		host[len - 1] = '\0';
}

bool egress_host_is_localhost(const char *host)
{
	return strcmp(host, "localhost") == 0 || rules_ends_with(host, ".localhost");
}

static bool rules_is_number(const struct rule *rule, const char *host)
{
	struct network n;

	return network_parse(host, strlen(host), &n) && network_equal(&rule->network, &n);
}

static bool rules_allows(const struct rule *rule, const char *host, int port, const struct sockaddr *address)
{
	enum address_class class = address ? address_classify(address) : ADDRESS_PUBLIC;

	if (rule->kind == RULE_ALL)
		return true;
	if (port < rule->from || port > rule->to || class == ADDRESS_METADATA)
		return false;
	switch (rule->kind) {
	case RULE_CLASS:
		return !address || class == rule->class;
	case RULE_NETWORK:
		return !address || network_contains(&rule->network, address);
	case RULE_NUMBER:
		return rules_is_number(rule, host);
	case RULE_HOST:
		return strcmp(rule->name, host) == 0 &&
		       (class == ADDRESS_PUBLIC || class == ADDRESS_PRIVATE || egress_host_is_localhost(host));
	case RULE_DOMAIN:
		return rules_ends_with(host, rule->name) && (class == ADDRESS_PUBLIC || egress_host_is_localhost(host));
	default:
		return false;
	}
}

bool egress_rules_allow(const struct egress_rules *r, const char *host, int port, const struct sockaddr *address)
{
	for (size_t i = 0; i < r->count; i++)
		if (rules_allows(&r->rules[i], host, port, address))
			return true;
	return false;
}

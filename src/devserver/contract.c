#include "devserver/contract.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"

#define LIST(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

const struct contract_rule contract_rules[] = {
	[CONTRACT_START] = { "--start", 30, LIST("ready", "already_running") },
	[CONTRACT_RESTART] = { "--restart", 30, LIST("restarted", "started") },
	[CONTRACT_STATUS] = { "--status", 10, LIST("running", "stopped", "unhealthy") },
	[CONTRACT_SHUTDOWN] = { "--shutdown", 15, LIST("stopped", "already_stopped", "force_stopped") },
};

#define START (1u << CONTRACT_START)
#define RESTART (1u << CONTRACT_RESTART)
#define STATUS (1u << CONTRACT_STATUS)
#define SHUTDOWN (1u << CONTRACT_SHUTDOWN)
#define ALL (START | RESTART | STATUS | SHUTDOWN)

static bool contract_is_text(const struct json *v)
{
	return json_type(v) == JSON_STRING;
}

static bool contract_is_url(const struct json *v)
{
	const char *url = json_str(v, NULL);

	return url && (!strncmp(url, "http://", 7) || !strncmp(url, "https://", 8)) && strlen(url) <= LIMIT_URL &&
	       !strpbrk(strstr(url, "://") + 3, " \t\r\n\"<>") && strstr(url, "://")[3];
}

static bool is_whole(const struct json *v, double min, double max)
{
	double n = json_num(v, NULL, -1);

	return json_type(v) == JSON_NUMBER && n >= min && n <= max && floor(n) == n;
}

static bool contract_is_port(const struct json *v)
{
	return is_whole(v, 1, 65535);
}

static bool is_pid(const struct json *v)
{
	return is_whole(v, 1, 1 << 22);
}

/* RFC 3339, the common profile of ISO 8601. */
static bool is_time(const struct json *v)
{
	const char *text = json_str(v, NULL);
	regex_t regex;
	bool matches;

	if (!text || regcomp(&regex,
			     "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?"
			     "(Z|[+-][0-9]{2}:?[0-9]{2})?$",
			     REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	matches = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return matches;
}

static bool contract_is_number(const struct json *v)
{
	return json_type(v) == JSON_NUMBER && json_num(v, NULL, -1) >= 0;
}

static bool contract_is_bool(const struct json *v)
{
	return json_type(v) == JSON_BOOL;
}

static bool is_logs(const struct json *v)
{
	static const char *const names[] = { "stdout", "stderr", "combined" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!json_str(v, names[i]) || json_str(v, names[i])[0] != '/')
			return false;
	return true;
}

static const struct {
	const char *name;
	unsigned required, known; /* bit sets of verbs */
	bool (*is)(const struct json *v);
	const char *expected;
} member_table[] = {
	{ "url", START | RESTART, START | RESTART | STATUS, contract_is_url, "an http: or https: URL" },
	{ "port", START | RESTART, START | RESTART | STATUS, contract_is_port, "a whole number from 1 to 65535" },
	{ "pid", START | RESTART, START | RESTART | STATUS, is_pid, "a process id" },
	{ "startedAt", START | RESTART, START | RESTART | STATUS, is_time, "a time as in 2025-11-02T10:30:00Z" },
	{ "logs", START, START | RESTART | STATUS, is_logs, "an object whose stdout, stderr and combined are absolute paths" },
	{ "message", ALL, ALL, contract_is_text, "text" },
	{ "previousPid", 0, RESTART | SHUTDOWN, is_pid, "a process id" },
	{ "previousPort", 0, RESTART | SHUTDOWN, contract_is_port, "a whole number from 1 to 65535" },
	{ "stoppedAt", 0, SHUTDOWN, is_time, "a time as in 2025-11-02T10:30:00Z" },
	{ "uptime", 0, STATUS | SHUTDOWN, contract_is_number, "a number of seconds" },
	{ "healthy", 0, STATUS, contract_is_bool, "true or false" },
};

static void contract_check_status(enum contract_verb verb, const struct json *answer, struct str *wrong)
{
	const char *status = json_str(answer, "status");
	const char *const *known = contract_rules[verb].statuses;

	for (const char *const *s = known; *s; s++)
		if (status && strcmp(status, *s) == 0)
			return;
	str_append(wrong, "status must be ");
	for (const char *const *s = known; *s; s++)
		str_appendf(wrong, "%s%s", s == known ? "" : s[1] ? ", " : " or ", *s);
	if (status)
		str_appendf(wrong, " and is %.64s", status);
}

bool contract_check(enum contract_verb verb, const struct json *answer, struct str *wrong)
{
	unsigned set = 1u << verb;

	contract_check_status(verb, answer, wrong);
	for (size_t i = 0; i < ARRAY_SIZE(member_table); i++) {
		const struct json *v = json_get(answer, member_table[i].name);

		if (!(member_table[i].known & set) || (!(member_table[i].required & set) && (!v || json_type(v) == JSON_NULL)))
			continue;
		if (!v)
			str_appendf(wrong, "%s%s is missing: %s", wrong->len ? "; " : "", member_table[i].name,
				    member_table[i].expected);
		else if (!member_table[i].is(v))
			str_appendf(wrong, "%s%s must be %s", wrong->len ? "; " : "", member_table[i].name,
				    member_table[i].expected);
	}
	return wrong->len == 0;
}

/* ---- finding the result ---- */

static struct json *contract_parse(const char *text, size_t len)
{
	_cleanup_(json_freep) struct json *v = NULL;

	if (json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &v) < 0 || json_type(v) != JSON_OBJECT ||
	    !json_get(v, "status"))
		return NULL;
	return TAKE_PTR(v);
}

/* Examines the line `text`[from, to), without its newline. */
static struct json *look_at_line(struct contract_scan *scan, const char *text, size_t from, size_t to)
{
	size_t first = from, last = to;
	struct json *v = NULL;

	while (first < to && strchr(" \t", text[first]))
		first++;
	while (last > first && strchr(" \t\r", text[last - 1]))
		last--;
	if (first == last)
		return NULL;
	if (text[first] == '{' && text[last - 1] == '}')
		v = contract_parse(text + first, last - first);
	else if (text[first] == '}' && first == from && scan->open)
		v = contract_parse(text + scan->begun, last - scan->begun);
	if (text[from] == '{') { /* a brace at the beginning of a line starts a new object */
		scan->open = true;
		scan->begun = from;
	} else if (text[from] == '}') {
		scan->open = false;
	}
	return v;
}

struct json *contract_find(struct contract_scan *scan, const struct str *text, bool final)
{
	while (scan->scanned < text->len) {
		const char *newline = memchr(text->data + scan->scanned, '\n', text->len - scan->scanned);
		size_t end = newline ? (size_t)(newline - text->data) : text->len, from = scan->scanned;
		struct json *v;

		if (!newline && !final)
			return NULL;
		scan->scanned = newline ? end + 1 : end;
		v = look_at_line(scan, text->data, from, end);
		if (v)
			return v;
	}
	return NULL;
}

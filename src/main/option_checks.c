#include "main/option_checks.h"

#include <string.h>

#include "base/json.h"
#include "base/macros.h"
#include "engine/endpoint.h"
#include "engine/context.h"
#include "page/emulate.h"
#include "session/record.h"
#include "store/store.h"
#include "tools/browser/webmcp.h"
#include "tools/table.h"
#include "vault/key.h"

bool option_is_environment(const struct json *value)
{
	json_foreach(member, value) {
		enum json_type type = json_type(member);

		if (!*json_name(member) || strpbrk(json_name(member), "=\r\n") ||
		    (type != JSON_STRING && type != JSON_NUMBER && type != JSON_BOOL))
			return false;
	}
	return true;
}

bool option_is_preferences(const struct json *value)
{
	json_foreach(member, value) {
		enum json_type type = json_type(member);
		int64_t whole = json_int(member, NULL, INT64_MIN);

		if (!*json_name(member) || (type == JSON_NUMBER && (whole < INT32_MIN || whole > INT32_MAX)) ||
		    (type != JSON_STRING && type != JSON_NUMBER && type != JSON_BOOL))
			return false;
	}
	return true;
}

/* An origin alone: a pattern, or an address with a path, would not be what it seems. */
static bool is_origin(const char *value)
{
	const char *host = value + (strncasecmp(value, "https", 5) == 0 ? strlen("https://") : strlen("http://"));

	return option_is_web_address(value) && *host && !strpbrk(host, "/?#@*");
}

bool option_is_credentials(const struct json *value)
{
	const char *origin = json_str(value, "origin"), *send = json_text(value, "send");

	if (!json_str(value, "username") || !json_str(value, "password") || (json_member(value, "origin") && !origin))
		return false;
	return (!origin || is_origin(origin)) && (!*send || strcmp(send, "always") == 0 || strcmp(send, "unauthorized") == 0);
}

bool option_is_endpoint(const char *value)
{
	struct endpoint e;
	bool ok = endpoint_parse(value, &e) && !strpbrk(e.host, "{}"); /* clients may name sessions, but not hosts */

	endpoint_done(&e);
	return ok;
}

bool option_is_header(const char *value)
{
	return endpoint_field_is_valid(value);
}

bool option_is_web_address(const char *value)
{
	const char *host = !strncmp(value, "http://", 7) ? value + 7 : !strncmp(value, "https://", 8) ? value + 8 : "";

	return *host && *host != '/' && !strpbrk(value, " \t\r\n\"#?@\\");
}

/* As RFC 9728 compares them: letter by letter. */
bool option_is_public_url(const char *value)
{
	return option_is_web_address(value) && value[strlen(value) - 1] != '/';
}

/* Short ones can be guessed. */
bool option_is_token(const char *value)
{
	size_t len = strlen(value);

	for (const char *c = value; *c; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return len >= 16 && len <= OPTION_TOKEN_MAX;
}

/* Whether it names a user and a password: every process of the machine can read the browser's arguments. */
static bool has_credentials(const char *value)
{
	const char *host = strstr(value, "://");

	return host && host[3 + strcspn(host + 3, "@/?#")] == '@';
}

/* Passwords would be visible. Debugging ports are left to settle_debugging_ports(). */
bool option_is_browser_arg(const char *value)
{
	static const char *const reserved[] = { "--user-data-dir", "--type=" };

	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (!strncmp(value, reserved[i], strlen(reserved[i])))
			return false;
	return value[0] == '-' && value[1] == '-' && value[2] && !has_credentials(value);
}

bool option_is_device(const char *value)
{
	return device_find(value);
}

bool option_is_tool(const char *value)
{
	return tool_find(value) || !strcmp(value, tool_webmcp.name);
}

bool option_is_permission(const char *value)
{
	return engine_knows_permission(value);
}

bool option_is_sink(const char *value)
{
	return !strncmp(value, OPTION_SINK_FILE, strlen(OPTION_SINK_FILE)) && value[strlen(OPTION_SINK_FILE)];
}

bool option_is_store(const char *value)
{
	return store_address_is_valid(value);
}

bool option_is_key(const char *value)
{
	_cleanup_(vault_key_freep) struct vault_key *key = NULL;
	_cleanup_(str_done) struct str error = {};

	return vault_key_load(&(const struct vault_key_settings){ .given = value }, false, &key, &error) == 0;
}

bool option_is_record(const char *value)
{
	unsigned kinds;

	return record_kinds(value, &kinds);
}

/* Seconds of a unit; 0: there is no such unit. */
static uint64_t unit_of(char letter)
{
	switch (letter) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 24 * 3600;
	default:
		return 0;
	}
}

bool option_is_age(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	if (strcmp(value, "0") == 0)
		return true;
	return digits > 0 && digits <= 6 && unit_of(value[digits]) && !value[digits + 1];
}

uint64_t option_age(const char *value)
{
	char *unit;
	uint64_t number = strtoul(value, &unit, 10);

	return number * unit_of(*unit);
}

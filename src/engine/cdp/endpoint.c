#include "engine/cdp/endpoint.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/host.h"
#include "base/json.h"
#include "base/limits.h"
#include "engine/options.h"

/* ---- addresses ---- */

static bool take_scheme(const char **url, struct endpoint *e)
{
	static const struct {
		const char *prefix;
		bool websocket, tls;
		int port;
	} table[] = {
		{ "http://", false, false, 80 },
		{ "https://", false, true, 443 },
		{ "ws://", true, false, 80 },
		{ "wss://", true, true, 443 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (strncasecmp(*url, table[i].prefix, strlen(table[i].prefix)) != 0)
			continue;
		*url += strlen(table[i].prefix);
		e->websocket = table[i].websocket;
		e->tls = table[i].tls;
		e->port = table[i].port;
		return true;
	}
	return false;
}

/* "user:password", both percent-encoded, for Basic authentication (RFC 7617). */
static void add_user(struct endpoint *e, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t user = colon ? (size_t)(colon - text) : len;
	_cleanup_(str_done) struct str plain = {};

	str_append_percent_decoded(&plain, text, user);
	str_append_char(&plain, ':');
	if (colon)
		str_append_percent_decoded(&plain, colon + 1, len - user - 1);
	str_append(&e->fields, "Authorization: Basic ");
	base64_encode(&e->fields, (const uint8_t *)plain.data, plain.len);
	str_append(&e->fields, "\r\n");
}

static bool take_port(const char *text, size_t len, struct endpoint *e)
{
	char digits[8] = "";

	if (len == 0)
		return true;
	if (text[0] != ':' || len < 2 || len > 6 || strspn(text + 1, "0123456789") < len - 1)
		return false;
	memcpy(digits, text + 1, len - 1);
	e->port = atoi(digits);
	return e->port > 0 && e->port <= 65535;
}

/* NAME[:PORT], where the name may be an address of version 6 in brackets. */
static bool take_host(const char *text, size_t len, struct endpoint *e)
{
	bool brackets = len > 0 && text[0] == '[';
	const char *end = memchr(text, brackets ? ']' : ':', len);
	size_t name = (end ? (size_t)(end - text) : len) - brackets;

	if (name == 0 || name >= sizeof(e->host) || (brackets && !end))
		return false;
	memcpy(e->host, text + brackets, name);
	name += 2 * brackets;
	return take_port(text + name, len - name, e);
}

static bool is_visible(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* "/json/version/" with the slash is what @playwright/mcp requests; proxies may expect that. */
static void take_path(const char *url, struct endpoint *e)
{
	size_t path = strcspn(url, "?");

	str_append_len(&e->path, path ? url : "/", path ? path : 1);
	if (!e->websocket)
		str_appendf(&e->path, "%sjson/version/", e->path.data[e->path.len - 1] == '/' ? "" : "/");
	str_append(&e->path, url + path);
}

/* ---- browsers by their names ---- */

/* Their default user data directories, in the user's directory of settings. */
static const char *const user_data_table[] = {
	[BROWSER_CHROMIUM] = "chromium",
	[BROWSER_CHROME] = "google-chrome",
	[BROWSER_CHROME_BETA] = "google-chrome-beta",
	[BROWSER_CHROME_DEV] = "google-chrome-unstable",
	[BROWSER_CHROME_CANARY] = "google-chrome-canary",
	[BROWSER_MSEDGE] = "microsoft-edge",
	[BROWSER_MSEDGE_BETA] = "microsoft-edge-beta",
	[BROWSER_MSEDGE_DEV] = "microsoft-edge-dev",
	[BROWSER_MSEDGE_CANARY] = "microsoft-edge-canary",
};

static int find_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(user_data_table); i++)
		if (user_data_table[i] && strcmp(browser_product_table[i], name) == 0)
			return (int)i;
	return -1;
}

static void append_address_file(const struct endpoint *e, struct str *out)
{
	const char *settings = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (settings && *settings == '/')
		str_append(out, settings);
	else
		str_appendf(out, "%s/.config", home ? home : "");
	str_appendf(out, "/%s/DevToolsActivePort", user_data_table[find_name(e->name)]);
}

void endpoint_advise(const struct endpoint *e, struct str *out)
{
	if (e->name)
		str_appendf(
			out,
			"\nMake sure that %s is running and permits debugging: open chrome://inspect/#remote-debugging in it and check "
			"\"Allow remote debugging for this browser instance\", then allow the connection when it asks",
			e->name);
}

/* "9222\n/devtools/browser/ID". Without a path, the one that such browsers have as well. */
static bool read_address(struct endpoint *e, const char *text)
{
	size_t line = strcspn(text, "\r\n");
	const char *path = text + line + strspn(text + line, "\r\n");

	e->port = (int)strtol(text, NULL, 10);
	str_reset(&e->path);
	str_append_len(&e->path, path, strcspn(path, "\r\n"));
	if (e->path.len == 0)
		str_append(&e->path, "/devtools/browser");
	return e->port > 0 && e->port <= 65535 && e->path.data[0] == '/' && is_visible(e->path.data);
}

int endpoint_locate(struct endpoint *e, struct str *error)
{
	_cleanup_(str_done) struct str path = {}, text = {};
	int r;

	if (!e->name)
		return 0;
	append_address_file(e, &path);
	r = file_read(path.data, LIMIT_ENDPOINT, &text);
	if (r >= 0 && read_address(e, str_text(&text)))
		return 0;
	if (r < 0)
		str_appendf(error, "Could not connect to %s: DevToolsActivePort file not found at %s: %s.", e->name, path.data,
			    file_failure(r));
	else
		str_appendf(error, "Could not connect to %s: invalid DevToolsActivePort file at %s.", e->name, path.data);
	endpoint_advise(e, error);
	return r < 0 ? r : -EINVAL;
}

bool endpoint_parse(const char *url, struct endpoint *ret)
{
	size_t authority, user = 0;
	int name = find_name(url);

	*ret = (struct endpoint){};
	if (name >= 0) {
		*ret = (struct endpoint){ .name = browser_product_table[name], .websocket = true, .host = "127.0.0.1" };
		return true;
	}
	if (!is_visible(url) || strchr(url, '#') || strlen(url) > LIMIT_ENDPOINT || !take_scheme(&url, ret))
		return false;
	authority = strcspn(url, "/?");
	for (size_t i = 0; i < authority; i++)
		if (url[i] == '@')
			user = i + 1;
	if (user) {
		add_user(ret, url, user - 1);
		endpoint_keep_secrets(ret, url, user - 1);
	}
	if (!take_host(url + user, authority - user, ret))
		return false;
	take_path(url + authority, ret);
	endpoint_keep_path(ret, url + authority);
	return true;
}

void endpoint_of_port(const char *host, int port, struct endpoint *ret)
{
	*ret = (struct endpoint){ .port = port };
	snprintf(ret->host, sizeof(ret->host), "%s", host);
	str_append(&ret->path, "/json/version");
}

void endpoint_done(struct endpoint *e)
{
	str_done(&e->path);
	str_done(&e->fields);
	str_done(&e->secrets);
}

void endpoint_describe(const struct endpoint *e, struct str *out)
{
	const char *scheme = e->websocket ? "ws" : "http";
	bool v6 = strchr(e->host, ':');

	if (e->name)
		str_appendf(out, "%s, ", e->name);
	str_appendf(out, "%s%s://%s%s%s:%d", scheme, e->tls ? "s" : "", v6 ? "[" : "", e->host, v6 ? "]" : "", e->port);
}

bool endpoint_is_local(const struct endpoint *e)
{
	return host_is_loopback(e->host, strlen(e->host));
}

/* ---- header fields ---- */

static bool is_token(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !memchr("!#$%&'*+-.^_`|~", text[i], 15))
			return false;
	return len > 0;
}

/* What belongs to the connection, and would change the meaning of the request. */
static bool is_reserved(const char *name, size_t len)
{
	static const char *const table[] = {
		"connection", "upgrade", "content-length", "transfer-encoding", "te", "trailer", "expect",
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i]) == len && strncasecmp(table[i], name, len) == 0)
			return true;
	return len > 14 && strncasecmp(name, "sec-websocket-", 14) == 0;
}

/* The name of "Name: value", or of "Name" alone, whose value is empty. Blanks may stand around the colon. */
static size_t name_length(const char *field)
{
	size_t len = strcspn(field, ":");

	while (len > 0 && strchr(" \t", field[len - 1]))
		len--;
	return len;
}

bool endpoint_field_is_valid(const char *field)
{
	size_t name = name_length(field);

	if (!is_token(field, name) || is_reserved(field, name) || strlen(field) > LIMIT_ENDPOINT)
		return false;
	for (const char *value = field + name; *value; value++)
		if ((unsigned char)*value < ' ' && *value != '\t')
			return false;
	return true;
}

void endpoint_add_field(struct endpoint *e, const char *field)
{
	const char *value = field + strcspn(field, ":");
	size_t name = name_length(field), len;

	value += *value == ':';
	value += strspn(value, " \t");
	for (len = strlen(value); len > 0 && strchr(" \t", value[len - 1]);)
		len--;
	str_append_len(&e->fields, field, name);
	str_append(&e->fields, ": ");
	str_append_len(&e->fields, value, len);
	endpoint_keep_secrets(e, value, len);
	str_append(&e->fields, "\r\n");
}

/* ---- what a debugging port says ---- */

/* "ws://127.0.0.1:9222/devtools/browser/ID": path and query; NULL: it is no such address. */
static const char *path_of(const char *url)
{
	const char *authority = NULL;

	if (url && strncmp(url, "ws://", 5) == 0)
		authority = url + 5;
	else if (url && strncmp(url, "wss://", 6) == 0)
		authority = url + 6;
	if (!authority || strlen(url) > LIMIT_ENDPOINT || !is_visible(url) || strchr(url, '#'))
		return NULL;
	return authority + strcspn(authority, "/?");
}

bool endpoint_read_version(const char *text, size_t len, struct str *ret_path)
{
	_cleanup_(json_freep) struct json *version = NULL;
	const char *path;

	if (len == 0 || json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &version) < 0)
		return false;
	path = path_of(json_str(version, "webSocketDebuggerUrl"));
	if (!path)
		return false;
	str_reset(ret_path);
	str_appendf(ret_path, "%s%s", *path == '/' ? "" : "/", path);
	return true;
}

#include "main/option_checks.h"

#include <string.h>

#include "base/macros.h"
#include "page/emulate.h"
#include "tools/table.h"

bool option_is_proxy(const char *value)
{
	static const char *const schemes[] = { "http", "https", "socks", "socks4", "socks5" };
	const char *host = strstr(value, "://");

	if (strchr(value, '@')) /* Chromium takes no credentials here, and its command line is no place for them */
		return false;
	if (!host)
		return !strpbrk(value, " \t/");
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strlen(schemes[i]) == (size_t)(host - value) && !strncasecmp(value, schemes[i], strlen(schemes[i])))
			return host[3] && !strpbrk(host + 3, " \t");
	return false;
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

/* Refuses arguments with which others could control the browser (a debugging port), and passwords, which would be visible. */
bool option_is_browser_arg(const char *value)
{
	static const char *const reserved[] = { "--remote-debugging-", "--user-data-dir", "--type=" };

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
	return tool_find(value);
}

bool option_is_permission(const char *value)
{
	return permission_find(value);
}

bool option_is_sink(const char *value)
{
	return !strncmp(value, OPTION_SINK_FILE, strlen(OPTION_SINK_FILE)) && value[strlen(OPTION_SINK_FILE)];
}

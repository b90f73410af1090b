#include "page/address.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "page/options.h"

#define ALLOWED "Addresses that can be opened: http:, https:, data:, blob: and about:blank"

static bool is_dropped(char c)
{
	return c == '\t' || c == '\n' || c == '\r';
}

/* Behind what Chromium does not look at. */
static const char *skip(const char *url)
{
	while (is_dropped(*url))
		url++;
	return url;
}

const char *address_scheme(const char *url, char ret[ADDRESS_SCHEME_SIZE])
{
	size_t len = 0;

	ret[0] = '\0';
	while (*url > 0 && *url <= ' ')
		url++;
	if (!isascii(*url) || !isalpha(*url))
		return NULL;
	for (; *url && *url != ':'; url = skip(url + 1)) {
		if (!isascii(*url) || (!isalnum(*url) && !strchr("+-.", *url)))
			break;
		if (len < ADDRESS_SCHEME_SIZE - 1)
			ret[len++] = (char)tolower(*url);
	}
	ret[*url == ':' ? len : 0] = '\0';
	return *url == ':' ? skip(url + 1) : NULL;
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static bool is_web(const char *scheme, bool files)
{
	return is_one_of(scheme, (const char *const[]){ "http", "https", NULL }) || (files && strcmp(scheme, "file") == 0);
}

/* "about:blank", perhaps with a query or a fragment: other about: addresses are names of chrome: ones. */
static bool address_is_blank(const char *rest)
{
	static const char *const names[] = { "blank", "srcdoc" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t len = strlen(names[i]);

		if (strncmp(rest, names[i], len) != 0)
			continue;
		rest += len;
		return *rest == '?' || *rest == '#' || !rest[strspn(rest, " \t\r\n")];
	}
	return false;
}

/* The origin that made a blob is in its address. */
static bool is_blob_allowed(const char *rest, bool files)
{
	char origin[ADDRESS_SCHEME_SIZE];

	return strncmp(rest, "null/", 5) == 0 || (address_scheme(rest, origin) && is_web(origin, files));
}

bool address_allowed(const char *url, bool files)
{
	char scheme[ADDRESS_SCHEME_SIZE];
	const char *rest = address_scheme(url, scheme);

	if (!rest)
		return false;
	if (strcmp(scheme, "about") == 0)
		return address_is_blank(rest);
	if (strcmp(scheme, "blob") == 0)
		return is_blob_allowed(rest, files);
	return strcmp(scheme, "data") == 0 || is_web(scheme, files);
}

bool address_may_stay(const char *url, bool files)
{
	static const char *const own[] = { "", "chrome-error://chromewebdata/", "chrome://newtab/", "chrome://new-tab-page/",
					   NULL };

	return is_one_of(url, own) || address_allowed(url, files);
}

bool address_is_foreign(const char *url)
{
	static const char *const own[] = { "about",
					   "blob",
					   "data",
					   "file",
					   "http",
					   "https",
					   "ws",
					   "wss",
					   "javascript",
					   "filesystem",
					   "view-source",
					   "devtools",
					   "chrome",
					   "chrome-error",
					   "chrome-extension",
					   "chrome-search",
					   "chrome-untrusted",
					   NULL };
	char scheme[ADDRESS_SCHEME_SIZE];

	return address_scheme(url, scheme) && !is_one_of(scheme, own);
}

bool address_crashes(const char *url)
{
	return is_one_of(url, (const char *const[]){ "chrome://crash", "chrome://crash/", NULL });
}

int address_check(struct task *t, const char *url, const struct page_options *o)
{
	char scheme[ADDRESS_SCHEME_SIZE];
	bool files = o->files;

	if (address_allowed(url, files) || (o->crash_page && address_crashes(url)))
		return 0;
	if (!address_scheme(url, scheme))
		return task_fail_because(t, -ERR_NAVIGATION_FAILED, REASON_INVALID_ADDRESS, "{url: ?}",
					 arena_printf(task_arena(t), "%.200s", url));
	if (strcmp(scheme, "about") == 0 || strcmp(scheme, "blob") == 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Access to \"%.200s\" is blocked. " ALLOWED "%s", url,
				 files ? ", and file:" : "");
	if (strcmp(scheme, "file") == 0) /* word for word as @playwright/mcp, whose clients know what this means */
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Access to \"file:\" protocol is blocked. Attempted URL: \"%s\"", url);
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "Access to \"%s:\" protocol is blocked. Attempted URL: \"%.200s\". " ALLOWED "%s", scheme, url,
			 files ? ", and file:" : "");
}

/* A name before digits is a host with a port ("db:5432"), unless it is a scheme that addresses of that form have. */
static bool has_scheme(const char *url)
{
	static const char *const known[] = { "http", "https", "data", "blob", "about", "file", NULL };
	char scheme[ADDRESS_SCHEME_SIZE];
	const char *rest = address_scheme(url, scheme);

	return rest && (is_one_of(scheme, known) || *rest < '0' || *rest > '9');
}

/* RFC 3986, 5.2 for what servers print: `base` is scheme://authority/path. */
static const char *resolve_reference(struct arena *a, const char *base, const char *url)
{
	size_t origin = (size_t)(strstr(base, "://") + 3 - base);
	size_t path;

	origin += strcspn(base + origin, "/?#");
	path = origin + strcspn(base + origin, "?#");
	if (strncmp(url, "//", 2) == 0)
		return arena_printf(a, "%.*s%s", (int)(strchr(base, ':') + 1 - base), base, url);
	if (*url == '/')
		return arena_printf(a, "%.*s%s", (int)origin, base, url);
	if (*url == '?' || *url == '#')
		return arena_printf(a, "%.*s%s%s", (int)path, base, path == origin ? "/" : "", url);
	while (path > origin && base[path - 1] != '/')
		path--;
	return arena_printf(a, "%.*s%s%s", (int)path, base, path == origin ? "/" : "", url);
}

static bool is_local(const char *url)
{
	static const char *const local[] = { "localhost", "127.", "[::1]", "0.0.0.0" };

	for (size_t i = 0; i < ARRAY_SIZE(local); i++)
		if (strncasecmp(url, local[i], strlen(local[i])) == 0)
			return true;
	return false;
}

/* With a base, "login" is a path; "db:5432" and "10.0.0.5:80" are hosts. */
static bool is_relative(const char *url)
{
	size_t n = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");

	return *url && !(n > 0 && url[n] == ':') && !is_local(url);
}

const char *address_complete(struct arena *a, const char *url, const char *base)
{
	while (*url > 0 && *url <= ' ')
		url++;
	if (base && is_relative(url))
		return resolve_reference(a, base, url);
	if (has_scheme(url))
		return url;
	return arena_printf(a, is_local(url) ? "http://%s" : "https://%s", url);
}

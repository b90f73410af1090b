#include "page/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/macros.h"
#include "base/str.h"
#include "engine/features.h"
#include "page/emulate.h"
#include "page/options.h"

#define SUBTAG_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/* What the browser takes: a language of two or three letters, and further subtags. */
bool locale_is_valid(const char *value)
{
	size_t letters = 0, len = strlen(value);

	while ((value[letters] | 0x20) >= 'a' && (value[letters] | 0x20) <= 'z')
		letters++;
	return letters >= 2 && letters <= 3 && len <= 35 && strspn(value + letters, SUBTAG_CHARACTERS) == len - letters &&
	       (!value[letters] || strchr("-_", value[letters]));
}

/* Whether the system knows the zone; where it has no list of them, any name of that form. */
bool timezone_is_valid(const char *value)
{
	char path[256];

	if (!*value || strspn(value, SUBTAG_CHARACTERS "/+") != strlen(value) || strlen(value) > 64 || value[0] == '/')
		return false;
	snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", value);
	return access("/usr/share/zoneinfo/Etc", F_OK) < 0 || access(path, F_OK) == 0;
}

static bool is_between(const struct json *value, const char *name, double min, double max)
{
	double n = json_num(value, name, NAN);

	return n >= min && n <= max;
}

bool place_is_valid(const struct json *value)
{
	return is_between(value, "latitude", -90, 90) && is_between(value, "longitude", -180, 180) &&
	       (!json_member(value, "accuracy") || is_between(value, "accuracy", 0, INFINITY));
}

bool texts_are_valid(const struct json *value)
{
	json_foreach(member, value)
		if (!*json_name(member) || strpbrk(json_name(member), "=\r\n") || !json_str(member, NULL) ||
		    strpbrk(json_str(member, NULL), "\r\n"))
			return false;
	return true;
}

/* ---- addresses of proxies ---- */

struct proxy_parts {
	const char *user, *host; /* `user` is NULL if the address has no user name */
	size_t user_len, host_len;
	size_t scheme_len; /* with "://" */
};

/* The length of the scheme with "://"; 0: none, -1: one that browsers have no proxies for. */
static int proxy_scheme_length(const char *value)
{
	static const char *const schemes[] = { "http://", "https://", "socks://", "socks4://", "socks5://" };
	size_t len = strcspn(value, ":/@");

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strncasecmp(value, schemes[i], strlen(schemes[i])) == 0)
			return (int)strlen(schemes[i]);
	return strncmp(value + len, "://", 3) == 0 ? -1 : 0;
}

/* Browsers have no user names for SOCKS. */
static bool proxy_parse(const char *value, struct proxy_parts *ret)
{
	int scheme = proxy_scheme_length(value);
	const char *at;

	if (scheme < 0 || strpbrk(value, " \t\r\n"))
		return false;
	*ret = (struct proxy_parts){ .scheme_len = (size_t)scheme, .host = value + scheme };
	ret->host_len = strcspn(ret->host, "/?#");
	at = memrchr(ret->host, '@', ret->host_len);
	if (at) {
		ret->user = ret->host;
		ret->user_len = (size_t)(at - ret->host);
		ret->host_len -= ret->user_len + 1;
		ret->host = at + 1;
	}
	return ret->host_len > 0 && !(at && strncasecmp(value, "socks", 5) == 0);
}

bool proxy_address_is_valid(const char *value)
{
	struct proxy_parts parts;

	return proxy_parse(value, &parts);
}

static const char *percent_decoded(struct arena *a, const char *text, size_t len)
{
	_cleanup_(str_done) struct str out = {};

	str_append_percent_decoded(&out, text, len);
	return arena_strdup(a, str_text(&out));
}

void proxy_address_split(struct arena *a, const char *value, struct proxy_address *ret)
{
	struct proxy_parts parts = {};
	const char *colon;

	*ret = (struct proxy_address){};
	if (!proxy_parse(value, &parts))
		return;
	ret->server = arena_printf(a, "%.*s%.*s", (int)parts.scheme_len, value, (int)parts.host_len, parts.host);
	if (!parts.user)
		return;
	colon = memchr(parts.user, ':', parts.user_len);
	if (colon)
		ret->password = percent_decoded(a, colon + 1, parts.user_len - (size_t)(colon + 1 - parts.user));
	ret->username = percent_decoded(a, parts.user, colon ? (size_t)(colon - parts.user) : parts.user_len);
}

/* ---- what engines must be able to do ---- */

/* Those of the clipboard are this program's own. */
static bool has_rare_permission(const char *const *names)
{
	static const char *const common[] = { "geolocation",    "notifications",   "midi", "midi-sysex",
					      "clipboard-read", "clipboard-write", NULL };
	const char *const *name;

	for (; names && *names; names++) {
		for (name = common; *name && strcmp(*name, *names) != 0; name++)
			;
		if (!*name)
			return true;
	}
	return false;
}

unsigned page_options_need(const struct page_options *o)
{
	const struct page_media *m = &o->media;
	bool is_phone = (o->device && o->device->mobile) || o->mobile == PAGE_ON || o->touch == PAGE_ON;
	bool has_media = m->color_scheme || m->reduced_motion || m->forced_colors || m->contrast;

	return (is_phone ? ENGINE_PHONES : 0) | (has_media ? ENGINE_MEDIA : 0) | (o->no_javascript ? ENGINE_SCRIPTS_OFF : 0) |
	       (o->bypass_csp ? ENGINE_CSP_OFF : 0) | (has_rare_permission(o->permissions) ? ENGINE_RARE_PERMISSIONS : 0);
}

#include "session/settings.h"

#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "engine/context.h"
#include "engine/features.h"
#include "page/emulate.h"
#include "page/values.h"

/* `what`: what the value must be. */
static int settings_refuse(struct task *t, const char *name, const struct json *value, const char *what)
{
	_cleanup_(str_done) struct str text = {};

	json_print(&text, value);
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%s must be %s, not %.200s", name, what, text.data);
}

/* ---- each setting ---- */

static int apply_device(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	const struct device *d = device_find(json_text(value, NULL));

	if (!d)
		return settings_refuse(t, name, value,
				       "the name of a device of Playwright, such as \"iPhone 15\" or \"Desktop Chrome\"");
	s->page.device = d;
	s->page.user_agent = d->user_agent;
	s->page.viewport = (struct viewport){ d->width, d->height };
	s->page.screen = (struct viewport){};
	s->page.scale = 0;
	s->page.mobile = s->page.touch = PAGE_AS_DEVICE;
	return 0;
}

static int apply_viewport(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	int64_t width = json_int(value, "width", 0), height = json_int(value, "height", 0);

	if (width < 1 || width > LIMIT_VIEWPORT || height < 1 || height > LIMIT_VIEWPORT)
		return settings_refuse(t, name, value, "{width, height} with 1 to 16384 CSS pixels each");
	s->page.viewport = (struct viewport){ (int)width, (int)height };
	return 0;
}

static int apply_user_agent(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	const char *text = json_text(value, NULL);

	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return settings_refuse(t, name, value, "a text of one line without control characters");
	if (!*text)
		return settings_refuse(t, name, value, "a text that is not empty");
	s->page.user_agent = text;
	return 0;
}

static int apply_locale(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	s->page.locale = json_text(value, NULL);
	return locale_is_valid(s->page.locale) ? 0 : settings_refuse(t, name, value, "a language tag such as \"de-DE\"");
}

static int apply_timezone(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	s->page.timezone = json_text(value, NULL);
	return timezone_is_valid(s->page.timezone) ?
		       0 :
		       settings_refuse(t, name, value, "a time zone that the system knows, such as \"Europe/Paris\"");
}

static int apply_place(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	s->page.geolocation = value;
	return place_is_valid(value) ?
		       0 :
		       settings_refuse(t, name, value,
				       "{latitude: -90 to 90, longitude: -180 to 180}, with an accuracy of 0 or more metres");
}

static int apply_permissions(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	const char **list = arena_alloc(&s->arena, (json_count(value) + 1) * sizeof(*list));
	size_t count = 0;

	if (json_type(value) != JSON_ARRAY)
		return settings_refuse(t, name, value, "a list of permissions");
	json_foreach(permission, value) {
		if (!engine_knows_permission(json_text(permission, NULL)))
			return settings_refuse(t, name, permission,
					       "names of permissions, such as \"geolocation\" or \"clipboard-read\"");
		list[count++] = json_text(permission, NULL);
	}
	s->page.permissions = list;
	return 0;
}

static int apply_color_scheme(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	for (int i = 1; color_scheme_table[i]; i++)
		if (strcmp(json_text(value, NULL), color_scheme_table[i]) == 0) {
			s->page.media.color_scheme = i;
			return 0;
		}
	return settings_refuse(t, name, value, "\"light\", \"dark\" or \"no-preference\"");
}

static bool is_header_name(const char *text)
{
	static const char allowed[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return *text && !text[strspn(text, allowed)];
}

static int apply_headers(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	bool valid = json_type(value) == JSON_OBJECT && texts_are_valid(value);

	json_foreach(header, value)
		valid = valid && is_header_name(json_name(header));
	s->page.headers = value;
	return valid ? 0 : settings_refuse(t, name, value, "an object with names of header fields and texts of one line");
}

/* What was given is not repeated: it may contain a password. */
static int apply_proxy(struct task *t, struct session_settings *s, const char *name, const struct json *value)
{
	const char *server = json_text(value, "server");
	struct proxy_address address;

	if (!proxy_address_is_valid(server))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "%s must be {server}, such as \"http://proxy:3128\" or \"socks5://proxy:1080\"; with username and "
				 "password where it asks for them, which only http:// and https:// can",
				 name);
	proxy_address_split(&s->arena, server, &address);
	s->proxy = address.server;
	s->page.proxy_username = json_str(value, "username") ? json_str(value, "username") : address.username;
	s->page.proxy_password = json_str(value, "password") ? json_str(value, "password") : address.password;
	return 0;
}

/* The device comes first: others replace what it says. */
static const struct setting {
	const char *name;
	int (*apply)(struct task *t, struct session_settings *s, const char *name, const struct json *value);
} setting_table[] = {
	{ "device", apply_device },
	{ "viewport", apply_viewport },
	{ "userAgent", apply_user_agent },
	{ "locale", apply_locale },
	{ "timezoneId", apply_timezone },
	{ "geolocation", apply_place },
	{ "permissions", apply_permissions },
	{ "colorScheme", apply_color_scheme },
	{ "extraHTTPHeaders", apply_headers },
	{ "proxy", apply_proxy },
};

/* ---- all of them ---- */

bool session_has_setting(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(setting_table) && strcmp(setting_table[i].name, name) != 0)
		i++;
	return i < ARRAY_SIZE(setting_table);
}

static int check_names(struct task *t, const struct json *given)
{
	json_foreach(member, given)
		if (!session_has_setting(json_name(member)))
			return task_fail(t, -ERR_INVALID_PARAMETERS, "\"%.100s\" is no setting of a session", json_name(member));
	return 0;
}

static int settings_check_size(struct task *t, const struct json *given)
{
	_cleanup_(str_done) struct str text = {};

	json_print(&text, given);
	if (text.len <= LIMIT_SESSION_SETTINGS)
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "the settings of a session have %zu bytes; %u are the most", text.len,
			 LIMIT_SESSION_SETTINGS);
}

static int check_engine(struct task *t, const struct session_settings *s, const char *name, const struct browser_options *of)
{
	unsigned missing = page_options_need(&s->page) & ~engine_features(&of->start);
	const struct engine_feature_name *f = engine_feature_table;

	if (!missing)
		return 0;
	while (f->what && !(missing & f->feature))
		f++;
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "%s cannot be used in %s, which does not have %s; leave it out, or use a session of another engine", name,
			 engine_name(&of->start), f->what);
}

static int apply_all(struct task *t, struct session_settings *s, const struct browser_options *of)
{
	int r = 0;

	for (const struct setting *m = setting_table; r == 0 && m < setting_table + ARRAY_SIZE(setting_table); m++) {
		const struct json *value = json_member(s->given, m->name);

		if (value)
			r = m->apply(t, s, m->name, value);
		if (r == 0)
			r = check_engine(t, s, m->name, of);
	}
	return r;
}

int session_settings_new(struct task *t, const struct json *given, const struct browser_options *of, struct session_settings **ret)
{
	_cleanup_(session_settings_freep) struct session_settings *s = NULL;
	int r;

	if (json_type(given) != JSON_OBJECT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "the settings of a session must be an object");
	r = check_names(t, given);
	if (r == 0)
		r = settings_check_size(t, given);
	if (r < 0)
		return r;
	s = NEW(struct session_settings);
	*s = (struct session_settings){ .given = json_copy(given), .page = of->page };
	r = apply_all(t, s, of);
	if (r == 0)
		*ret = TAKE_PTR(s);
	return r;
}

struct session_settings *session_settings_free(struct session_settings *s)
{
	if (!s)
		return NULL;
	json_free(s->given);
	arena_done(&s->arena);
	free(s);
	return NULL;
}

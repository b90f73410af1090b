/*
 * Cookies of user contexts. Firefox lists those of all partitions without saying which one each is of, so what is read here never has one.
 * It sets one cookie with a command, and does not say which cookies a request carries: that is decided here.
 */
#include "engine/cookies.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/host.h"
#include "base/limits.h"
#include "engine/bidi/internal.h"

#define SET_AT_ONCE 32 /* cookies whose commands are under way at a time */

/* ---- reading ---- */

static const struct {
	const char *bidi, *name;
} same_site_table[] = { { "strict", "Strict" }, { "lax", "Lax" }, { "none", "None" } };

/* A cookie without it is one of "default". */
static const char *same_site_name(const char *bidi)
{
	for (size_t i = 0; i < ARRAY_SIZE(same_site_table); i++)
		if (strcmp(same_site_table[i].bidi, bidi) == 0)
			return same_site_table[i].name;
	return "Lax";
}

/*
 * Firefox keeps bytes, and writes each of them as the character of that number. A value whose characters are UTF-8 when they are read as bytes
 * was set as such text.
 */
static const char *cookie_text(const char *text, struct str *buffer)
{
	const unsigned char *at = (const unsigned char *)text;

	str_reset(buffer);
	for (; *at; at++) {
		unsigned character = *at;

		if (*at >= 0x80) {
			if (*at != 0xc2 && *at != 0xc3) /* a character above U+00FF is no byte */
				return text;
			character = (unsigned)(*at & 3) << 6 | (at[1] & 0x3f);
			at++;
		}
		str_append_char(buffer, (char)character);
	}
	return utf8_is_valid(buffer->data, buffer->len) ? str_text(buffer) : text;
}

static void append_listed(struct str *out, const struct json *from, struct str *buffer)
{
	str_json(out, "?{name: ?, value: ?, domain: ?, path: ?, expires: ?, httpOnly: ?, secure: ?, sameSite: ?}",
		 JSON_COMMA(out->len > 1), json_text(from, "name"), cookie_text(json_text(from, "value.value"), buffer),
		 json_text(from, "domain"), json_text(from, "path"), json_num(from, "expiry", -1),
		 json_bool(from, "httpOnly", false), json_bool(from, "secure", false), same_site_name(json_text(from, "sameSite")));
}

/* `wanted` (NULL: all) says which. */
static int read_cookies(const struct json *reply, bool (*wanted)(const struct cookie *c, const struct json *urls),
			const struct json *urls, struct cookies *ret)
{
	_cleanup_(str_done) struct str list = {}, buffer = {};
	struct cookies all = {};
	int r;

	str_append_char(&list, '[');
	json_foreach(cookie, json_get(reply, "result.cookies"))
		append_listed(&list, cookie, &buffer);
	str_append_char(&list, ']');
	r = json_parse(list.data, list.len, 8, JSON_REPLACE_UNREPRESENTABLE, &all.reply);
	if (r < 0)
		return r;
	all.items = must(calloc(json_count(all.reply) + 1, sizeof(struct cookie)));
	json_foreach(cookie, all.reply) {
		const struct cookie one = cookie_read(cookie);

		if (!wanted || wanted(&one, urls))
			all.items[all.count++] = one;
	}
	*ret = all;
	return 0;
}

/* {type: 'storageKey', userContext: ?} with the origin of the document at the top, if it is not empty. */
static void append_partition(struct str *out, const char *context, const char *top)
{
	str_json(out, "partition: {type: 'storageKey', userContext: ?", *context ? context : "default");
	if (*top)
		str_json(out, ", sourceOrigin: ?", top);
	str_append_char(out, '}');
}

static int fail_cookie_refused(struct task *t, const struct engine_call *call)
{
	return task_fail(t, -ERR_INVALID_PARAMETERS, "Protocol error (%s): %s", call->method, bidi_error_message(call));
}

/* `ret` may be NULL. */
static int call_for_cookies(struct task *t, _borrowed_ struct engine_target *root, const char *context, const char *method,
			    struct json **ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(str_done) struct str partition = {};
	int r;

	append_partition(&partition, context, "");
	bidi_send(t, root, &call, 0, method, "{?}", JSON_RAW(partition.data));
	r = engine_await(t, &call);
	if (r == -EREMOTE)
		return fail_cookie_refused(t, &call);
	if (r == 0 && ret)
		*ret = TAKE_PTR(call.reply);
	return r;
}

int engine_cookies(struct task *t, struct engine_target *root, const char *context, struct cookies *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = call_for_cookies(t, root, context, "storage.getCookies", &reply);

	return r < 0 ? r : read_cookies(reply, NULL, NULL, ret);
}

/* ---- those that requests carry ---- */

/* Host and path of an address of the web, which are borrowed from it. */
struct cookie_place {
	bool is_secure; /* this machine counts as secure without TLS */
	const char *host, *path;
	size_t host_len, path_len; /* 0: it has none, which is "/" */
};

static struct cookie_place cookie_place_of(const char *url)
{
	const char *at = strstr(url, "://"), *end, *user, *port;
	struct cookie_place p = { .is_secure = strncmp(url, "https:", strlen("https:")) == 0 };

	if (!at)
		return p;
	at += strlen("://");
	end = at + strcspn(at, "/?#");
	user = memrchr(at, '@', (size_t)(end - at));
	p.host = user ? user + 1 : at;
	port = memrchr(p.host, ':', (size_t)(end - p.host));
	if (port && memchr(port, ']', (size_t)(end - port))) /* of an IPv6 address */
		port = NULL;
	p.host_len = (size_t)((port ? port : end) - p.host);
	p.path = end;
	p.path_len = *end == '/' ? strcspn(end, "?#") : 0;
	p.is_secure = p.is_secure || host_is_loopback(p.host, p.host_len);
	return p;
}

/* RFC 6265, 5.1.3. */
static bool fits_domain(const struct cookie_place *p, const char *domain)
{
	bool with_subdomains = *domain == '.';
	size_t len = strlen(domain + with_subdomains);

	if (len > p->host_len || strncasecmp(p->host + p->host_len - len, domain + with_subdomains, len) != 0)
		return false;
	return len == p->host_len || (with_subdomains && p->host[p->host_len - len - 1] == '.');
}

/* RFC 6265, 5.1.4. */
static bool fits_path(const struct cookie_place *p, const char *path)
{
	size_t len = strlen(path);

	if (p->path_len == 0)
		return strcmp(path, "/") == 0;
	if (len == 0 || len > p->path_len || strncmp(p->path, path, len) != 0)
		return false;
	return len == p->path_len || path[len - 1] == '/' || p->path[len] == '/';
}

static bool is_for_any(const struct cookie *c, const struct json *urls)
{
	json_foreach(url, urls) {
		const struct cookie_place p = cookie_place_of(json_text(url, NULL));

		if (p.host && (p.is_secure || !c->secure) && fits_domain(&p, c->domain) && fits_path(&p, c->path))
			return true;
	}
	return false;
}

int engine_cookies_for(struct task *t, struct engine_target *s, const char *urls, struct cookies *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL, *list = NULL;
	char context[ENGINE_ID_SIZE];
	int r;

	if (!s || !s->context)
		return -ESTALE;
	engine_id_set(context, s->context->user_context);
	r = json_parse(urls, strlen(urls), 8, JSON_REPLACE_UNREPRESENTABLE, &list);
	if (r == 0)
		r = call_for_cookies(t, s->connection->root, context, "storage.getCookies", &reply);
	return r < 0 ? r : read_cookies(reply, is_for_any, list, ret);
}

/* ---- setting ---- */

/* A client may write the key of a partition as Chromium does, {topLevelSite: ?}, or only the site. */
static const char *partition_site(const struct json *cookie)
{
	const char *site = json_str(cookie, "partitionKey");

	return site ? site : json_text(cookie, "partitionKey.topLevelSite");
}

static const char *same_site_word(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(same_site_table); i++)
		if (strcmp(same_site_table[i].name, name) == 0)
			return same_site_table[i].bidi;
	return name;
}

/* Members of a cookie that are there. */
static void append_optional(struct str *out, const struct json *cookie)
{
	double expires = json_num(cookie, "expires", -1);

	if (*json_text(cookie, "path"))
		str_json(out, ", path: ?", json_text(cookie, "path"));
	if (json_member(cookie, "httpOnly"))
		str_json(out, ", httpOnly: ?", json_member(cookie, "httpOnly"));
	if (json_member(cookie, "secure"))
		str_json(out, ", secure: ?", json_member(cookie, "secure"));
	if (*json_text(cookie, "sameSite"))
		str_json(out, ", sameSite: ?", same_site_word(json_text(cookie, "sameSite")));
	if (expires >= 0)
		str_json(out, ", expiry: ?", floor(expires));
}

static void send_cookie(struct task *t, struct engine_target *root, struct engine_call *call, const char *context,
			const struct json *cookie)
{
	_cleanup_(str_done) struct str members = {}, partition = {}, host = {};
	const struct cookie_place place = cookie_place_of(json_text(cookie, "url"));

	if (place.host)
		str_append_len(&host, place.host, place.host_len);
	append_optional(&members, cookie);
	append_partition(&partition, context, partition_site(cookie));
	bidi_send(t, root, call, 0, "storage.setCookie", "{cookie: {name: ?, value: {type: 'string', value: ?}, domain: ? ?}, ?}",
		  json_text(cookie, "name"), json_text(cookie, "value"), place.host ? host.data : json_text(cookie, "domain"),
		  JSON_RAW(str_text(&members)), JSON_RAW(partition.data));
}

/* Sends the commands of the cookies from `*next` on, and awaits them. */
static int set_some(struct task *t, _borrowed_ struct engine_target *root, const char *context, const struct json **next)
{
	struct engine_call calls[SET_AT_ONCE] = {};
	size_t count = 0;
	int r = 0;

	for (; *next && count < ARRAY_SIZE(calls); *next = json_next(*next))
		send_cookie(t, root, &calls[count++], context, *next);
	for (size_t i = 0; i < count; i++) {
		if (r == 0)
			r = engine_await(t, &calls[i]);
		if (r == -EREMOTE)
			r = fail_cookie_refused(t, &calls[i]);
		engine_call_done(&calls[i]);
	}
	return r;
}

int engine_set_cookies(struct task *t, struct engine_target *root, const char *context, const char *list)
{
	_cleanup_(json_freep) struct json *cookies = NULL;
	const struct json *next;
	int r = json_parse(list, strlen(list), 8, JSON_REPLACE_UNREPRESENTABLE, &cookies);

	if (r < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "the cookies cannot be read: %s", strerror(-r));
	next = json_first(cookies);
	while (r == 0 && next)
		r = set_some(t, root, context, &next);
	return r;
}

int engine_clear_cookies(struct task *t, struct engine_target *root, const char *context)
{
	return call_for_cookies(t, root, context, "storage.deleteCookies", NULL);
}

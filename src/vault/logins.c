#include "vault/logins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "vault/origin.h"
#include "vault/private_file.h"
#include "vault/sealed.h"

#define LOGINS_VERSION 1
#define LOGIN_NAME_MAX 64
#define LOGIN_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

static const struct sealed_about logins_about = { .kind = "vault", .owner = "", .name = "logins" };

/* ---- what is overwritten ---- */

static void wipe_text(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

static void wipe_list(char **list)
{
	for (char **item = list; item && *item; item++)
		free(*item);
	free(list);
}

static void login_done(struct login *l)
{
	free(l->name);
	wipe_list(l->origins);
	wipe_list(l->owners);
	wipe_text(l->user);
	wipe_text(l->password);
	wipe_text(l->totp_text);
	totp_wipe(&l->totp);
	*l = (struct login){};
}

void logins_wipe_json(const struct json *v)
{
	const char *text = json_str(v, NULL);

	if (text)
		explicit_bzero((char *)text, strlen(text)); /* the tree's own copy, which is freed next */
	json_foreach(child, v)
		logins_wipe_json(child);
}

/* ---- one login ---- */

static int login_refuse(const char *name, const char *what, struct str *error)
{
	str_appendf(error, "the login \"%.64s\": %s", name, what);
	return -EINVAL;
}

static bool login_name_is_valid(const char *name)
{
	size_t len = strspn(name, LOGIN_NAME_CHARACTERS);

	return len > 0 && len <= LOGIN_NAME_MAX && !name[len];
}

/* Strings of the list at `member`, each as `convert` makes it; NULL for an empty or missing one. */
static int login_take_list(const char *name, const struct json *list, const char *member, size_t max,
			   int (*convert)(const char *text, struct str *out, const char **why), char ***ret, struct str *error)
{
	size_t count = json_count(list), at = 0;
	char **items;

	if ((list && json_type(list) != JSON_ARRAY) || count > max) {
		str_appendf(error, "the login \"%.64s\": %s is not a list of at most %zu texts", name, member, max);
		return -EINVAL;
	}
	if (count == 0)
		return 0;
	items = must(calloc(count + 1, sizeof(*items)));
	json_foreach(item, list) {
		const char *text = json_str(item, NULL), *why = "it is no text";
		struct str out = {};

		if (!text || convert(text, &out, &why) < 0) {
			str_appendf(error, "the login \"%.64s\": %.200s in %s is not possible: %s", name, text ? text : "a value",
				    member, why);
			wipe_list(items);
			str_done(&out);
			return -EINVAL;
		}
		items[at++] = str_take(&out);
	}
	*ret = items;
	return 0;
}

static int take_owner(const char *text, struct str *out, const char **why)
{
	*why = "a subject has 1 to 512 bytes and no line ends";
	if (!*text || strlen(text) > LIMIT_SUBJECT || strpbrk(text, "\r\n"))
		return -EINVAL;
	str_append(out, text);
	return 0;
}

static int take_secret(const char *name, const struct json *v, const char *member, size_t min, char **ret, struct str *error)
{
	const char *text = json_str(v, NULL);
	size_t len = text ? strlen(text) : 0;

	if (v && (!text || len > LIMIT_LOGIN_TEXT || (len > 0 && len < min) || strpbrk(text, "\r\n"))) {
		str_appendf(error, "the login \"%.64s\": %s has to be a text of %zu to %u bytes without line ends", name, member,
			    min, LIMIT_LOGIN_TEXT);
		return -EINVAL;
	}
	*ret = must(strdup(text ? text : ""));
	return 0;
}

static int take_totp(const char *name, const struct json *v, struct login *l, struct str *error)
{
	const char *text = json_str(v, NULL), *why = "it is no text";

	if (!v || (text && !*text))
		return 0;
	if (!text || totp_parse(text, &l->totp, &why) < 0) {
		str_appendf(error, "the login \"%.64s\": totp is not possible: %s", name, why);
		return -EINVAL;
	}
	l->has_totp = true;
	l->totp_text = must(strdup(text));
	return 0;
}

static int refuse_unknown_members(const char *name, const struct json *described, struct str *error)
{
	static const char *const known[] = { "name", "origins", "user", "password", "totp", "owners" };

	json_foreach(member, described) {
		bool is_known = false;

		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			is_known |= strcmp(json_name(member), known[i]) == 0;
		if (is_known)
			continue;
		str_appendf(error, "the login \"%.64s\": %.64s is not a member; those are origins, user, password, totp and owners",
			    name, json_name(member));
		return -EINVAL;
	}
	return 0;
}

static int fill_in(const char *name, const struct json *v, struct login *l, struct str *error)
{
	int r = refuse_unknown_members(name, v, error);

	if (r == 0)
		r = login_take_list(name, json_member(v, "origins"), "origins", LIMIT_LOGIN_ORIGINS_COUNT, login_origin_parse,
				    &l->origins, error);
	if (r == 0)
		r = login_take_list(name, json_member(v, "owners"), "owners", LIMIT_LOGIN_OWNERS_COUNT, take_owner, &l->owners,
				    error);
	if (r == 0)
		r = take_secret(name, json_member(v, "user"), "user", 1, &l->user, error);
	if (r == 0)
		r = take_secret(name, json_member(v, "password"), "password", LOGIN_PASSWORD_MIN, &l->password, error);
	if (r == 0)
		r = take_totp(name, json_member(v, "totp"), l, error);
	if (r == 0 && !l->origins)
		r = login_refuse(name, "it has no origins, such as https://shop.example", error);
	if (r == 0 && !*l->password && !l->has_totp)
		r = login_refuse(name, "it has neither a password nor a totp key", error);
	return r;
}

static int login_parse(const char *name, const struct json *v, struct login *ret, struct str *error)
{
	struct login l = {};
	int r = 0;

	if (!name || !login_name_is_valid(name)) {
		str_appendf(error, "\"%.100s\" is not the name of a login, which has " LOGIN_NAME_ALLOWED, name ? name : "");
		r = -EINVAL;
	} else if (json_type(v) != JSON_OBJECT) {
		r = login_refuse(name, "it is not an object", error);
	} else {
		r = fill_in(name, v, &l, error);
	}
	if (r < 0) {
		login_done(&l);
		return r;
	}
	l.name = must(strdup(name));
	*ret = l;
	return 0;
}

/* ---- all of them ---- */

struct logins *logins_new(void)
{
	return NEW(struct logins);
}

struct logins *logins_free(struct logins *l)
{
	for (size_t i = 0; l && i < l->count; i++)
		login_done(&l->items[i]);
	if (l)
		free(l->items);
	free(l);
	return NULL;
}

static int compare_logins(const void *a, const void *b)
{
	return strcmp(((const struct login *)a)->name, ((const struct login *)b)->name);
}

static struct login *find_login(const struct logins *l, const char *name)
{
	struct login wanted = { .name = (char *)name };

	return l->count ? bsearch(&wanted, l->items, l->count, sizeof(wanted), compare_logins) : NULL;
}

const struct login *logins_find(const struct logins *l, const char *name)
{
	return find_login(l, name);
}

int logins_put(struct logins *l, const char *name, const struct json *described, struct str *error)
{
	struct login parsed = {}, *there = find_login(l, name);
	int r;

	if (!there && l->count >= LIMIT_LOGINS_COUNT) {
		str_appendf(error, "the vault has %u logins already, which are the most", LIMIT_LOGINS_COUNT);
		return -ENOSPC;
	}
	r = login_parse(name, described, &parsed, error);
	if (r < 0)
		return r;
	if (there) {
		login_done(there);
		*there = parsed;
		return 0;
	}
	l->items = must(reallocarray(l->items, l->count + 1, sizeof(*l->items)));
	l->items[l->count++] = parsed;
	qsort(l->items, l->count, sizeof(*l->items), compare_logins);
	return 0;
}

bool logins_remove(struct logins *l, const char *name)
{
	struct login *there = find_login(l, name);

	if (!there)
		return false;
	login_done(there);
	l->count--;
	memmove(there, there + 1, (size_t)(l->items + l->count - there) * sizeof(*there));
	return true;
}

/* ---- the text ---- */

static int parse_items(const struct json *list, struct logins *l, struct str *error)
{
	size_t count = json_count(list);

	if (json_type(list) != JSON_ARRAY || count > LIMIT_LOGINS_COUNT) {
		str_appendf(error, "it has no list of at most %u logins", LIMIT_LOGINS_COUNT);
		return -EINVAL;
	}
	l->items = must(calloc(MAX(count, 1u), sizeof(*l->items)));
	json_foreach(item, list) {
		int r = login_parse(json_str(item, "name"), item, &l->items[l->count], error);

		if (r < 0)
			return r;
		l->count++;
	}
	qsort(l->items, l->count, sizeof(*l->items), compare_logins);
	for (size_t i = 1; i < l->count; i++)
		if (strcmp(l->items[i].name, l->items[i - 1].name) == 0)
			return login_refuse(l->items[i].name, "there are two of this name", error);
	return 0;
}

int logins_parse(const char *text, size_t len, struct logins **ret, struct str *error)
{
	_cleanup_(json_freep) struct json *v = NULL;
	_cleanup_(logins_freep) struct logins *l = logins_new();
	int r;

	if (json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &v) < 0) {
		str_append(error, "it is not JSON");
		return -EINVAL;
	}
	if (json_int(v, "version", 0) == LOGINS_VERSION) {
		r = parse_items(json_member(v, "logins"), l, error);
	} else {
		str_append(error, "it is not a vault of this version");
		r = -EINVAL;
	}
	if (r == 0)
		*ret = TAKE_PTR(l);
	logins_wipe_json(v);
	return r;
}

static void logins_print_list(struct str *out, const char *member, char *const *list)
{
	str_appendf(out, ",\"%s\":[", member);
	for (char *const *item = list; *item; item++) {
		str_append(out, item == list ? "" : ",");
		str_append_quoted(out, *item, strlen(*item));
	}
	str_append_char(out, ']');
}

static void logins_print_text(struct str *out, const char *member, const char *text)
{
	if (!text || !*text)
		return;
	str_appendf(out, ",\"%s\":", member);
	str_append_quoted(out, text, strlen(text));
}

void logins_print(const struct logins *l, struct str *out)
{
	str_reserve(out, LIMIT_VAULT); /* growing would leave copies behind */
	str_appendf(out, "{\"version\":%d,\"logins\":[", LOGINS_VERSION);
	for (size_t i = 0; i < l->count; i++) {
		const struct login *item = &l->items[i];

		str_appendf(out, "%s{\"name\":\"%s\"", i ? "," : "", item->name);
		logins_print_list(out, "origins", item->origins);
		logins_print_text(out, "user", item->user);
		logins_print_text(out, "password", item->password);
		logins_print_text(out, "totp", item->totp_text);
		if (item->owners)
			logins_print_list(out, "owners", item->owners);
		str_append_char(out, '}');
	}
	str_append(out, "]}");
}

int logins_read(const struct vault_key *k, const char *path, struct logins **ret, struct str *error)
{
	_cleanup_(private_wipe) struct str text = {};
	_cleanup_(str_done) struct str why = {};
	int r = sealed_read(NULL, k, &logins_about, path, &text, error);

	if (r == 0) {
		r = logins_parse(str_text(&text), text.len, ret, &why);
		if (r < 0)
			str_appendf(error, "%s cannot be used: %s", path, why.data);
	}
	return r;
}

int logins_write(const struct vault_key *k, const char *path, const struct logins *l, struct str *error)
{
	_cleanup_(private_wipe) struct str text = {};

	logins_print(l, &text);
	if (text.len <= LIMIT_VAULT)
		return sealed_write(NULL, k, &logins_about, path, text.data, text.len, error);
	str_appendf(error, "cannot write %s: the logins have %zu bytes, and %u are the most", path, text.len, LIMIT_VAULT);
	return -EFBIG;
}

bool login_permits(const struct login *l, const char *subject, bool is_admitted)
{
	if (!subject)
		return is_admitted && !l->owners;
	for (char *const *owner = l->owners; owner && *owner; owner++)
		if (strcmp(*owner, subject) == 0)
			return true;
	return false;
}

#include "tools/session/bound.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/names.h"
#include "page/origins.h"

#define MEMBER "browserd"

static bool bound_is_origin(const char *text)
{
	_cleanup_(str_done) struct str origin = {};

	if (!url_is_web(text) || strlen(text) > LIMIT_ORIGIN || strpbrk(text, "@ ?#*\\") || !url_origin(&origin, text))
		return false;
	for (const char *c = text; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			return false;
	return strcmp(str_text(&origin), text) == 0 && strstr(text, "://")[strlen("://")];
}

static bool is_listed(const struct string_list *origins, const char *url)
{
	size_t i = 0;

	while (i < origins->count && !url_has_origin(url, origins->items[i]))
		i++;
	return i < origins->count || origins->count == 0;
}

static int check_verify(struct task *t, const struct string_list *origins, const struct json *verify)
{
	const char *url = json_text(verify, "url"), *selector = json_text(verify, "selector");

	if (!url_is_web(url) || !*selector || strlen(url) > LIMIT_URL || strlen(selector) > LIMIT_SELECTOR)
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"verify must be {url, selector}: a page (http or https), and an element that it has while somebody is logged in");
	if (!is_listed(origins, url))
		return task_fail(t, -ERR_INVALID_PARAMETERS, "verify: %.200s is of none of the origins to which the state is bound",
				 url);
	return 0;
}

int bound_check(struct task *t, const struct string_list *origins, const struct json *verify)
{
	if (origins->count > LIMIT_STATE_ORIGINS_COUNT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "origins has %zu origins; %u are the most", origins->count,
				 LIMIT_STATE_ORIGINS_COUNT);
	for (size_t i = 0; i < origins->count; i++)
		if (!bound_is_origin(origins->items[i]))
			return task_fail(t, -ERR_INVALID_PARAMETERS,
					 "\"%.200s\" is not an origin, such as https://shop.example or http://localhost:3000",
					 origins->items[i]);
	return verify ? check_verify(t, origins, verify) : 0;
}

/* ---- what belongs to them ---- */

/* Of the host, in the task's arena. */
static const char *host_of(struct task *t, const char *origin)
{
	const char *host = strstr(origin, "://") + strlen("://");
	size_t len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");

	return arena_strndup(task_arena(t), host, len);
}

/* The domains that cookies of requests to the origins have: the host alone, or with a dot a domain that it is in. */
static struct names domains_of(struct task *t, const struct string_list *origins)
{
	struct names domains = { .compare = strcasecmp };

	for (size_t i = 0; i < origins->count; i++) {
		const char *host = host_of(t, origins->items[i]);

		names_add(&domains, host);
		names_add(&domains, arena_printf(task_arena(t), ".%s", host));
		for (const char *dot = strchr(host, '.'); dot; dot = strchr(dot + 1, '.'))
			names_add(&domains, dot);
	}
	names_sort(&domains);
	return domains;
}

static struct names names_of(const struct string_list *origins)
{
	struct names names = { .compare = strcmp };

	for (size_t i = 0; i < origins->count; i++)
		names_add(&names, origins->items[i]);
	names_sort(&names);
	return names;
}

/* The elements whose `member` is one of the names; all if there are no names. */
static void print_those(struct str *out, const struct json *list, const char *member, const struct names *names)
{
	size_t before;

	str_append_char(out, '[');
	before = out->len;
	json_foreach(element, list)
		if (!names->count || names_have(names, json_text(element, member))) {
			str_append(out, out->len > before ? "," : "");
			json_print(out, element);
		}
	str_append_char(out, ']');
}

static void print_member(struct str *out, const struct string_list *origins, const struct json *verify)
{
	_cleanup_(str_done) struct str list = {};

	for (size_t i = 0; i < origins->count; i++)
		str_json(&list, "??", JSON_COMMA(i > 0), origins->items[i]);
	if (origins->count && verify)
		str_json(out, ", " MEMBER ": {origins: [?], verify: ?}", JSON_RAW(list.data), verify);
	else if (origins->count)
		str_json(out, ", " MEMBER ": {origins: [?]}", JSON_RAW(list.data));
	else if (verify)
		str_json(out, ", " MEMBER ": {verify: ?}", verify);
}

void bound_print(struct task *t, const struct json *state, const struct string_list *origins, const struct json *verify,
		 struct str *out)
{
	_cleanup_(names_done) struct names domains = domains_of(t, origins), names = names_of(origins);

	str_append(out, "{\"cookies\":");
	print_those(out, json_member(state, "cookies"), "domain", &domains);
	str_append(out, ",\"origins\":");
	print_those(out, json_member(state, "origins"), "origin", &names);
	print_member(out, origins, verify);
	str_append_char(out, '}');
}

/* ---- what a state says ---- */

int bound_origins(struct task *t, const struct json *state, struct string_list *ret)
{
	const struct json *list = json_member(json_member(state, MEMBER), "origins");
	size_t count = json_count(list), i = 0;
	const char **items;

	if (!list)
		return 0;
	if (json_type(list) != JSON_ARRAY || count == 0 || count > LIMIT_STATE_ORIGINS_COUNT)
		return -EINVAL;
	items = arena_alloc(task_arena(t), count * sizeof(*items));
	json_foreach(origin, list) {
		if (!bound_is_origin(json_text(origin, NULL)))
			return -EINVAL;
		items[i++] = arena_strdup(task_arena(t), json_text(origin, NULL));
	}
	*ret = (struct string_list){ items, count };
	return 1;
}

const struct json *bound_verify(const struct json *state)
{
	return json_member(json_member(state, MEMBER), "verify");
}

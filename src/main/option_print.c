/* Prints the merged options: --print-config and browser_get_config. */
#include <string.h>

#include "base/strjson.h"
#include "main/dotted.h"
#include "main/options.h"

#define VALUES_MAX 512
#define NOT_SHOWN "(not shown)"

struct values {
	struct arena arena;
	struct dotted list[VALUES_MAX];
	size_t count;
};

static void add_json(struct values *v, const char *key, const char *json)
{
	if (v->count < VALUES_MAX)
		v->list[v->count++] = (struct dotted){ key, arena_strdup(&v->arena, json) };
}

static void option_print_add_text(struct values *v, const char *key, const char *text)
{
	_cleanup_(str_done) struct str json = {};

	str_json(&json, "?", text);
	add_json(v, key, json.data);
}

static const void *option_print_member_of(const struct options *o, const struct option *option)
{
	return (const char *)o + option->offset;
}

static void option_print_print_list(struct str *json, const char *const *list)
{
	str_append_char(json, '[');
	for (size_t i = 0; list[i]; i++)
		str_json(json, "? ?", JSON_COMMA(i), list[i]);
	str_append_char(json, ']');
}

static void print_switch(struct str *json, const struct option *option, int64_t value, bool given)
{
	if (value == option->on)
		str_append(json, "true");
	else if (value == option->off && (given || option->size == sizeof(int))) /* of three states, this is no default */
		str_append(json, "false");
}

/* The value as JSON; nothing if there is none. */
static void option_print_print_value(struct str *json, const struct options *o, const struct option *option, bool given)
{
	const void *member = option_print_member_of(o, option);
	const struct viewport *size = member;
	int64_t number;

	switch (option->type) {
	case OPTION_STRING:
		if (*(const char *const *)member)
			str_json(json, "?", *(const char *const *)member);
		break;
	case OPTION_LIST:
		if (*(const char *const *const *)member)
			option_print_print_list(json, *(const char *const *const *)member);
		break;
	case OPTION_OBJECT:
		if (*(const struct json *const *)member)
			str_json(json, "?", *(const struct json *const *)member);
		break;
	case OPTION_INT:
		number = option_number(o, option);
		if (given || number > 0)
			str_json(json, "?", number);
		break;
	case OPTION_NUMBER:
		if (given)
			str_json(json, "?", *(const double *)member);
		break;
	case OPTION_CHOICE:
		str_json(json, "?", option->choices[option_number(o, option)]);
		break;
	case OPTION_SWITCH:
		print_switch(json, option, option_number(o, option), given);
		break;
	case OPTION_SIZE:
		if (size->width > 0)
			str_json(json, "{width: ?, height: ?}", size->width, size->height);
		break;
	}
}

/* What option_settle_proxy() leaves of the address of a proxy is no secret. */
static bool is_proxy(const struct option *option)
{
	return option->offset == offsetof(struct options, browser.start.proxy_server);
}

/* Whether the option is worth a line: it was given, or the reference, whose defaults clients compare with, has it as well. */
static void add_option(struct values *v, const struct options *o, const struct option *option)
{
	bool given = o->origins[option - option_table];
	_cleanup_(str_done) struct str json = {};

	if (!option->keys[0] || option->refusal || option->no_effect || !(given || option->shared))
		return;
	option_print_print_value(&json, o, option, given);
	if (json.len && option->secret && !is_proxy(option))
		option_print_add_text(v, option->keys[0], NOT_SHOWN);
	else if (json.len)
		add_json(v, option->keys[0], json.data);
}

/* The distribution of Chromium is the channel. */
static void add_browser(struct values *v, const struct options *o)
{
	bool is_firefox = o->browser.start.product == BROWSER_FIREFOX;

	option_print_add_text(v, "browser.browserName", is_firefox ? "firefox" : "chromium");
	if (o->browser.start.product >= BROWSER_CHROME && !is_firefox)
		option_print_add_text(v, "browser.launchOptions.channel", browser_product_table[o->browser.start.product]);
}

static void add_secrets(struct values *v, const struct options *o)
{
	for (const struct secret *s = o->secrets; s && s->name; s++)
		option_print_add_text(v, arena_printf(&v->arena, "secrets.%s", s->name),
				      arena_printf(&v->arena, "<secret>%s</secret>", s->name));
}

void options_print_config(const struct options *o, struct str *out)
{
	static const char *const parents[] = { "browser", "console", "network", "server", "snapshot", "timeouts" };
	struct values *v = NEW(struct values);

	add_browser(v, o);
	for (const struct option *option = option_table; option->flag; option++)
		if (option->offset != offsetof(struct options, browser.start.product) &&
		    option->offset != offsetof(struct options, given_secrets))
			add_option(v, o, option);
	add_secrets(v, o);
	if (o->config_read)
		option_print_add_text(v, "configFile", o->config_read);
	for (size_t i = 0; i < ARRAY_SIZE(parents); i++) /* objects that are there without members, too */
		add_json(v, parents[i], "{}");
	dotted_print(out, v->list, v->count);
	arena_done(&v->arena);
	free(v);
}

void options_print_origins(const struct options *o, struct str *out)
{
	for (const struct option *option = option_table; option->flag; option++)
		if (o->origins[option - option_table] && !option->command_line_only)
			str_appendf(out, "%s: %s\n", option->keys[0] ? option->keys[0] : option->flag,
				    o->origins[option - option_table]);
}

/* The config file: JSON with the structure that @playwright/mcp uses for the options that both have. */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "main/option_parser.h"

static const char *describe_json_failure(int r)
{
	switch (r) {
	case -EILSEQ:
		return "it is not UTF-8";
	case -E2BIG:
		return "it is nested too deeply";
	case -EMSGSIZE:
		return "it has too many values";
	case -EBADMSG:
		return "it contains an unsupported escape (\\u0000 or half a surrogate pair)";
	default:
		return "it is not valid JSON (comments and trailing commas are not allowed)";
	}
}

int option_parse_json(struct parser *p, const char *option, const char *path, const char *text, size_t len, struct json **ret)
{
	struct json_place place;
	int r;

	r = json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, ret);
	if (r == 0)
		return 0;
	place = json_refused_at(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE);
	str_appendf(p->error, "--%s: cannot use %s: line %u, column %u: %s", option, path, place.line, place.column,
		    describe_json_failure(r));
	return -EINVAL;
}

static bool is_ini(const char *path, const char *text)
{
	size_t len = strlen(path);

	return (len > 4 && strcmp(path + len - 4, ".ini") == 0) || text[strspn(text, " \t\r\n")] != '{';
}

static int load_config(struct parser *p, const char *path)
{
	_cleanup_(str_done) struct str text = {}, converted = {};
	const char *content;
	struct json **config = &p->options->config;
	int r;

	r = file_read(path, LIMIT_CONFIG, &text);
	if (r < 0) {
		str_appendf(p->error, "--config: cannot read %s: %s%s", path, r == -ENOENT ? "ENOENT: " : "", file_failure(r));
		return -EINVAL;
	}
	content = str_text(&text);
	if (strncmp(content, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
		content += strlen(BYTE_ORDER_MARK);
	if (is_ini(path, content)) {
		str_appendf(p->error, "--config: cannot use %s: ", path);
		r = option_ini_to_json(content, &converted, p->error);
		if (r < 0)
			return r;
		str_reset(p->error);
		content = str_text(&converted);
	}
	r = option_parse_json(p, "config", path, content, strlen(content), config);
	if (r < 0 || json_type(*config) == JSON_OBJECT)
		return r;
	str_appendf(p->error, "--config: cannot use %s: it is not a JSON object", path);
	return -EINVAL;
}

static int wrong_type(struct parser *p, const struct option *option, const char *origin, const struct json *value)
{
	_cleanup_(str_done) struct str text = {};

	if (json_type(value) == JSON_STRING) /* the message has quotes of its own */
		return option_refuse(p, option, origin, json_text(value, NULL), "has the wrong type, a string");
	json_print(&text, value);
	return option_refuse(p, option, origin, str_text(&text), "has the wrong type");
}

static const char *number_text(struct parser *p, const struct json *value)
{
	_cleanup_(str_done) struct str text = {};

	json_print(&text, value);
	return arena_strdup(&p->options->arena, text.data);
}

/* The text that the command line would have; NULL: a value of another type. Any value may be written as that text, too. */
static const char *option_config_text_of(struct parser *p, const struct option *option, const struct json *value)
{
	enum json_type type = json_type(value);

	if (type == JSON_STRING)
		return json_str(value, NULL);
	switch (option->type) {
	case OPTION_INT:
	case OPTION_NUMBER:
		return type == JSON_NUMBER ? number_text(p, value) : NULL;
	case OPTION_SWITCH:
		if (type == JSON_BOOL)
			return json_bool(value, NULL, false) ? "true" : "false";
		return type == JSON_NUMBER ? number_text(p, value) : NULL;
	case OPTION_SIZE:
		if (type != JSON_OBJECT)
			return NULL;
		return arena_printf(&p->options->arena, "%lldx%lld", (long long)json_int(value, "width", 0),
				    (long long)json_int(value, "height", 0));
	default:
		return NULL;
	}
}

/* A relative path, if it is relative to the folder of the config file, from there. */
static const char *option_config_resolve_path(struct parser *p, const struct option *option, const char *text)
{
	const char *config = p->options->config_read, *slash = strrchr(config, '/');

	if (!text || !option->beside_config || *text == '/' || !slash)
		return text;
	return arena_printf(&p->options->arena, "%.*s/%s", (int)(slash - config), config, text);
}

/* {"Name": "value"} as items "Name: value". */
static int apply_named_items(struct parser *p, const struct option *option, const char *origin, const struct json *object)
{
	const char *text;
	int r = 0;

	json_foreach(item, object) {
		text = json_str(item, NULL);
		if (!text)
			return wrong_type(p, option, origin, item);
		r = option_set(p, option, origin, arena_printf(&p->options->arena, "%s: %s", json_name(item), text));
		if (r < 0)
			return r;
	}
	return 0;
}

static int apply_json(struct parser *p, const struct option *option, const char *origin, const struct json *value)
{
	const char *text;
	int r = 0;

	if (option->type == OPTION_OBJECT && json_type(value) == JSON_OBJECT)
		return option_set_object(p, option, origin, value);
	if (option->named_items && json_type(value) == JSON_OBJECT)
		return apply_named_items(p, option, origin, value);
	if (option->type == OPTION_LIST && json_type(value) == JSON_ARRAY) {
		json_foreach(item, value) {
			text = option_config_resolve_path(p, option, json_str(item, NULL));
			r = text ? option_set(p, option, origin, text) : wrong_type(p, option, origin, item);
			if (r < 0)
				return r;
		}
		return 0;
	}
	text = option_config_resolve_path(p, option, option_config_text_of(p, option, value));
	return text ? option_set(p, option, origin, text) : wrong_type(p, option, origin, value);
}

static bool has_type(const struct option *option, const struct json *value)
{
	static const enum json_type types[] = {
		[OPTION_STRING] = JSON_STRING, [OPTION_CHOICE] = JSON_STRING, [OPTION_INT] = JSON_NUMBER,
		[OPTION_NUMBER] = JSON_NUMBER, [OPTION_SWITCH] = JSON_BOOL,   [OPTION_SIZE] = JSON_OBJECT,
		[OPTION_OBJECT] = JSON_OBJECT, [OPTION_LIST] = JSON_ARRAY,
	};

	return types[option->type] == json_type(value);
}

/* Whether the value belongs to another row, for values of another type, of the same key. */
static bool is_for_another(const struct option *option, const char *key, const struct json *value)
{
	if (has_type(option, value))
		return false;
	for (const struct option *other = option_table; other->flag; other++)
		for (size_t i = 0; i < ARRAY_SIZE(other->keys) && other->keys[i]; i++)
			if (other != option && !strcmp(other->keys[i], key) && has_type(other, value))
				return true;
	return false;
}

static void warn_unknown_key(const char *file, const char *path)
{
	struct suggestion s = { .word = path };

	for (const struct option *option = option_table; option->flag; option++)
		for (size_t i = 0; i < ARRAY_SIZE(option->keys); i++)
			suggestion_consider(&s, option->keys[i]);
	log_warning("%s: unknown option \"%.200s\" is ignored%s%s", file, path, s.best ? "; did you mean " : "",
		    s.best ? s.best : "");
}

/* Warns about each value of the file that no row reads. The JSON parser bounds the depth of recursion. */
static void warn_unknown_keys(const char *file, const struct json *object, const char *prefix)
{
	json_foreach(member, object) {
		_cleanup_(str_done) struct str path = {};

		str_appendf(&path, "%s%s%s", prefix, *prefix ? "." : "", json_name(member));
		if (option_find_key(path.data))
			continue;
		if (json_type(member) == JSON_OBJECT)
			warn_unknown_keys(file, member, path.data);
		else
			warn_unknown_key(file, path.data);
	}
}

static int set_options(struct parser *p, const char *file)
{
	const struct json *config = p->options->config;
	_cleanup_(str_done) struct str origin = {};

	p->source = SOURCE_CONFIG;
	for (const struct option *option = option_table; option->flag; option++) {
		for (size_t i = 0; i < ARRAY_SIZE(option->keys) && option->keys[i]; i++) {
			const struct json *value = json_get(config, option->keys[i]);
			int r;

			if (option->type == OPTION_SIZE && json_type(value) == JSON_NULL)
				option_set_no_size(p, option);
			if (!value || json_type(value) == JSON_NULL || is_for_another(option, option->keys[i], value))
				continue;
			str_reset(&origin);
			str_appendf(&origin, "%s in %s", option->keys[i], file);
			r = apply_json(p, option, origin.data, value);
			if (r < 0)
				return r;
		}
	}
	warn_unknown_keys(file, config, "");
	return 0;
}

int config_apply(struct parser *p, const char *file)
{
	int r = load_config(p, file);

	return r < 0 ? r : set_options(p, file);
}

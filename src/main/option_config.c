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
	case -EBADMSG:
		return "it contains an unsupported escape (\\u0000 or half a surrogate pair)";
	default:
		return "it is not valid JSON (comments and trailing commas are not allowed)";
	}
}

static int load_config(struct parser *p, const char *path)
{
	_cleanup_(str_done) struct str text = {};
	struct json **config = &p->options->config;
	int r;

	r = file_read(path, LIMIT_CONFIG, &text);
	if (r < 0) {
		str_appendf(p->error, "--config: cannot read %s: %s", path, strerror(-r));
		return -EINVAL;
	}
	r = json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, config);
	if (r == 0 && json_type(*config) == JSON_OBJECT)
		return 0;
	str_appendf(p->error, "--config: cannot use %s: %s", path, r == 0 ? "it is not a JSON object" : describe_json_failure(r));
	return -EINVAL;
}

static int wrong_type(struct parser *p, const struct option *option, const char *origin, const struct json *value)
{
	_cleanup_(str_done) struct str text = {};

	json_print(&text, value);
	return option_refuse(p, option, origin, str_text(&text), "has the wrong type");
}

/* Converts numbers and sizes to the text that the command line would have. */
static const char *text_of(struct parser *p, const struct option *option, const struct json *value)
{
	struct arena *arena = &p->options->arena;
	_cleanup_(str_done) struct str text = {};

	switch (option->type) {
	case OPTION_INT:
		json_print(&text, value);
		return json_type(value) == JSON_NUMBER ? arena_strdup(arena, text.data) : NULL;
	case OPTION_SWITCH:
		return json_type(value) != JSON_BOOL ? NULL : json_bool(value, NULL, false) ? "true" : "false";
	case OPTION_SIZE:
		if (json_type(value) != JSON_OBJECT)
			return NULL;
		return arena_printf(arena, "%lldx%lld", (long long)json_int(value, "width", 0),
				    (long long)json_int(value, "height", 0));
	default:
		return json_str(value, NULL);
	}
}

static int apply_json(struct parser *p, const struct option *option, const char *origin, const struct json *value)
{
	const char *text;
	int r = 0;

	if (option->type == OPTION_LIST && json_type(value) == JSON_ARRAY) {
		json_foreach(item, value) {
			text = json_str(item, NULL);
			r = text ? option_set(p, option, origin, text) : wrong_type(p, option, origin, item);
			if (r < 0)
				return r;
		}
		return 0;
	}
	text = option->type == OPTION_LIST ? NULL : text_of(p, option, value);
	return text ? option_set(p, option, origin, text) : wrong_type(p, option, origin, value);
}

static bool is_key(const char *path)
{
	for (const struct option *option = option_table; option->flag; option++)
		for (size_t i = 0; i < ARRAY_SIZE(option->keys); i++)
			if (option->keys[i] && !strcmp(option->keys[i], path))
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
		if (is_key(path.data))
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

			if (!value || json_type(value) == JSON_NULL)
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

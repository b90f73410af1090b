/* Checks and stores the value of an option, and finds similar words for suggestions. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "main/option_parser.h"
#include "tools/capability.h"

static bool variable_from_flag(const char *prefix, const char *flag, char *buf, size_t size)
{
	int len = snprintf(buf, size, "%s%s", prefix, flag);

	for (char *p = buf + strlen(prefix); *p; p++)
		*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	return len > 0 && (size_t)len < size;
}

bool option_variable(const struct option *option, unsigned nth, char *buf, size_t size)
{
	if (option->command_line_only || option->config_file_only)
		return false;
	if (nth == 0)
		return variable_from_flag("BROWSERD_", option->flag, buf, size);
	if (option->shared && nth == 1)
		return variable_from_flag("PLAYWRIGHT_MCP_", option->flag, buf, size);
	if (option->variable && nth == 1u + option->shared) {
		snprintf(buf, size, "%s", option->variable);
		return true;
	}
	return false;
}

void option_describe_allowed(const struct option *option, struct str *out)
{
	switch (option->type) {
	case OPTION_INT:
		str_appendf(out, "a whole number from %lld to %lld", (long long)option->min, (long long)option->max);
		break;
	case OPTION_NUMBER:
		str_appendf(out, "a number from %lld to %lld", (long long)option->min, (long long)option->max);
		break;
	case OPTION_OBJECT:
		str_append(out, option->allowed);
		break;
	case OPTION_SWITCH:
		str_append(out, "true or false");
		break;
	case OPTION_SIZE:
		str_appendf(out, "WIDTHxHEIGHT, each from %lld to %lld, for example 1280x720", (long long)option->min,
			    (long long)option->max);
		break;
	case OPTION_CHOICE:
		for (int i = 0; option->choices[i]; i++)
			str_appendf(out, "%s%s", i ? ", " : "", option->choices[i]);
		break;
	case OPTION_STRING:
	case OPTION_LIST:
		str_append(out, option->allowed ? option->allowed : "text that is not empty");
		break;
	}
}

int option_refuse(struct parser *p, const struct option *option, const char *origin, const char *text, const char *why)
{
	if (option->refusal) {
		str_appendf(p->error, "%s: %s", origin, option->refusal);
		return -EINVAL;
	}
	if (option->type == OPTION_SIZE)
		str_appendf(p->error, "Invalid resolution format: use %s=\"800x600\"; \"%.200s\" %s; allowed: ", origin, text, why);
	else if (option->secret)
		str_appendf(p->error, "%s: the value, which is not shown here, %s; allowed: ", origin, why);
	else
		str_appendf(p->error, "%s: \"%.200s\" %s; allowed: ", origin, text, why);
	option_describe_allowed(option, p->error);
	return -EINVAL;
}

int option_fail_file(struct parser *p, const char *option, const char *path, int r)
{
	str_appendf(p->error, "--%s: cannot read %s: %s%s", option, path, r == -ENOENT ? "ENOENT: " : "", file_failure(r));
	return -EINVAL;
}

#define BLANKS " \t\r\n"

const char *option_without_blanks(struct arena *a, const char *text)
{
	const char *end = text + strlen(text);

	text += strspn(text, BLANKS);
	while (end > text && strchr(BLANKS, end[-1]))
		end--;
	return *end ? arena_strndup(a, text, (size_t)(end - text)) : text;
}

/* What follows a number, if it is a decimal one with blanks around it at most; NULL: there is no number. */
static const char *read_decimal(const char *text, double *ret)
{
	char *end;

	text += strspn(text, BLANKS);
	if (!*text || strspn(text, "+-.eE0123456789") < strcspn(text, BLANKS)) /* strtod() knows infinity and other bases */
		return NULL;
	*ret = strtod(text, &end);
	return end == text ? NULL : end + strspn(end, BLANKS);
}

static bool parse_int(const char *text, int64_t min, int64_t max, int64_t *ret)
{
	double n;
	const char *end = read_decimal(text, &n);

	if (!end || *end || !(n >= (double)min && n <= (double)max) || n != (double)(int64_t)n)
		return false;
	*ret = (int64_t)n;
	return true;
}

/*
 * Under the name of @playwright/mcp, a value that it takes for none, or for another one, is that here, too, with a warning. Otherwise
 * such a value prevents the start.
 */
static bool is_forgiven(const struct parser *p, const struct option *option)
{
	return p->options->forgiving && (option->shared || option->config_file_only);
}

/* A number of units (milliseconds). Parts of a unit may be dropped, and more than the most be the most. */
static bool parse_units(struct parser *p, const struct option *option, const char *origin, const char *text, int64_t *ret)
{
	double n;
	const char *end = read_decimal(text, &n);

	if (!option->unit || !is_forgiven(p, option) || !end || *end)
		return parse_int(text, option->min, option->max, ret);
	if (n > (double)option->max && !p->first_pass)
		log_warning("%s: %.64s is more than the most that is possible, %lld, which is used", origin, text,
			    (long long)option->max);
	*ret = (int64_t)MIN(n, (double)option->max);
	return n >= (double)option->min;
}

static bool parse_number(const char *text, int64_t min, int64_t max, double *ret)
{
	double n;
	const char *end = read_decimal(text, &n);

	if (!end || *end || !(n >= (double)min && n <= (double)max))
		return false;
	*ret = n;
	return true;
}

static bool parse_bool(const char *text, bool *ret)
{
	static const char *const words[] = { "false", "true", "0", "1", "no", "yes", "off", "on" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(words[i], text) != 0)
			continue;
		*ret = i % 2;
		return true;
	}
	return false;
}

static bool parse_size(const char *text, int64_t min, int64_t max, struct viewport *ret)
{
	size_t split = strcspn(text, "xX,");
	char first[32];
	int64_t width, height;

	if (!text[split] || split >= sizeof(first))
		return false;
	memcpy(first, text, split);
	first[split] = '\0';
	if (!parse_int(first, min, max, &width) || !parse_int(text + split + 1, min, max, &height))
		return false;
	*ret = (struct viewport){ (int)width, (int)height };
	return true;
}

static int option_value_index_of(const char *const *table, const char *text)
{
	for (int i = 0; table && table[i]; i++)
		if (strcasecmp(table[i], text) == 0)
			return i;
	return -1;
}

static void *option_value_member_of(struct options *o, const struct option *option)
{
	return (char *)o + option->offset;
}

int64_t option_number(const struct options *o, const struct option *option)
{
	const void *member = (const char *)o + option->offset;

	if (option->size == sizeof(bool))
		return *(const bool *)member;
	if (option->size == sizeof(int))
		return *(const int *)member;
	return (int64_t)(*(const uint64_t *)member / (option->unit ? option->unit : 1));
}

/* Items of a source with higher precedence replace all of the others. */
static void add_to_list(struct parser *p, const struct option *option, const char *item)
{
	const char *const **list = option_value_member_of(p->options, option);
	enum source *source = &p->list_source[option - option_table];
	const char **items;
	size_t count = 0;

	if (*source != p->source)
		*list = NULL;
	*source = p->source;
	while (*list && (*list)[count])
		count++;
	items = arena_alloc(&p->options->arena, (count + 2) * sizeof(*items));
	if (count > 0)
		memcpy(items, *list, count * sizeof(*items));
	items[count] = item;
	items[count + 1] = NULL;
	*list = items;
}

/* Stores a switch, a choice or a number in a member of any size. */
static void store(struct parser *p, const struct option *option, int64_t value)
{
	void *member = option_value_member_of(p->options, option);

	if (option->size == sizeof(bool))
		*(bool *)member = value;
	else if (option->size == sizeof(int))
		*(int *)member = (int)value;
	else
		*(uint64_t *)member = (uint64_t)value * (option->unit ? option->unit : 1);
}

static int ignore(struct parser *p, const char *origin, const char *text, const char *why)
{
	if (!p->first_pass)
		log_warning("%s: \"%.64s\" %s and is ignored", origin, text, why);
	return 0;
}

static int set_switch(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	bool on;
	int value;

	if (!parse_bool(text, &on) && is_forgiven(p, option) && p->source == SOURCE_ENVIRONMENT)
		return ignore(p, origin, text, "is neither true nor false");
	if (!parse_bool(text, &on))
		return option_refuse(p, option, origin, text, "is neither true nor false");
	value = on ? option->on : option->off;
	if (value != OPTION_KEEP)
		store(p, option, value);
	return 0;
}

static bool forgives_choice(const struct parser *p, const struct option *option, const char *text)
{
	bool anywhere = option->forgiven_in_command || p->source != SOURCE_COMMAND_LINE;

	return anywhere && is_forgiven(p, option) && option_value_index_of(option->planned, text) < 0;
}

static int set_choice(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	int i = option_value_index_of(option->choices, text), planned = option_value_index_of(option->planned, text);

	if (i >= 0) {
		store(p, option, i);
		return 0;
	}
	if (forgives_choice(p, option, text))
		return ignore(p, origin, text, "is unknown");
	str_appendf(p->error, "Invalid %s: %.200s", origin, text);
	if (planned >= 0)
		str_appendf(p->error, " (%s)", option->planned_words[planned]);
	str_append(p->error, ". Valid values are: ");
	option_describe_allowed(option, p->error);
	return -EINVAL;
}

static int set_string(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	if (!*text || (option->check && !option->check(text)))
		return option_refuse(p, option, origin, text, "is not possible");
	if (option->type == OPTION_LIST)
		add_to_list(p, option, text);
	else
		*(const char **)option_value_member_of(p->options, option) = text;
	return 0;
}

/* Warns about options that have no effect. -EINVAL: the option prevents the start. */
static int check_support(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	bool on = true;

	if (option->type == OPTION_SWITCH && parse_bool(text, &on) && !on)
		return 0;
	if (option->refusal)
		return option_refuse(p, option, origin, text, "is not possible");
	if (option->no_effect && !p->first_pass)
		log_warning("%s has no effect: %s", origin, option->no_effect);
	return 0;
}

static int set_items(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	const char separators[] = { option->separator, '\0' };
	char *rest, *copy = arena_strdup(&p->options->arena, text);
	size_t count = 0;
	int r = 0;

	for (char *part = strtok_r(copy, separators, &rest); part && r == 0; part = strtok_r(NULL, separators, &rest)) {
		const char *item = option_without_blanks(&p->options->arena, part);

		if (!*item)
			continue;
		r = set_string(p, option, origin, item);
		count++;
	}
	if (count > 0 || option->may_be_empty)
		return r;
	return option_refuse(p, option, origin, text, "is not possible");
}

static void remember_origin(struct parser *p, const struct option *option, const char *origin)
{
	p->options->origins[option - option_table] = arena_strdup(&p->options->arena, origin);
}

/* "$VARIABLE" of a variable that is not set. */
static bool is_no_value(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	if (*text || !is_forgiven(p, option))
		return false;
	if (!p->first_pass)
		log_warning("%s has no effect: its value is empty", origin);
	return true;
}

int option_set(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	bool ok = true;
	int64_t number;
	int r;

	if (option->check || (option->type != OPTION_STRING && option->type != OPTION_LIST))
		text = option_without_blanks(&p->options->arena, text);
	if (is_no_value(p, option, origin, text))
		return 0;
	r = check_support(p, option, origin, text);
	if (r < 0)
		return r;
	remember_origin(p, option, origin);
	if (option->secret) /* options_blank() overwrites the original */
		text = arena_strdup(&p->options->arena, text);
	switch (option->type) {
	case OPTION_SWITCH:
		return set_switch(p, option, origin, text);
	case OPTION_CHOICE:
		return set_choice(p, option, origin, text);
	case OPTION_LIST:
		if (option->separator)
			return set_items(p, option, origin, text);
		return set_string(p, option, origin, text);
	case OPTION_STRING:
		return set_string(p, option, origin, text);
	case OPTION_INT:
		ok = parse_units(p, option, origin, text, &number);
		if (ok)
			store(p, option, number);
		break;
	case OPTION_NUMBER:
		ok = parse_number(text, option->min, option->max, option_value_member_of(p->options, option));
		break;
	case OPTION_OBJECT: /* option_set_object() */
		ok = false;
		break;
	case OPTION_SIZE:
		ok = parse_size(text, option->min, option->max, option_value_member_of(p->options, option));
		break;
	}
	return ok ? 0 : option_refuse(p, option, origin, text, "is not possible");
}

void option_set_no_size(struct parser *p, const struct option *option)
{
	*(struct viewport *)option_value_member_of(p->options, option) = (struct viewport){ -1, -1 };
}

int option_set_object(struct parser *p, const struct option *option, const char *origin, const struct json *value)
{
	int r = check_support(p, option, origin, "");

	if (r < 0)
		return r;
	if (option->check_object && !option->check_object(value))
		return option_refuse(p, option, origin, "the object", "is not possible");
	remember_origin(p, option, origin);
	*(const struct json **)option_value_member_of(p->options, option) = value;
	return 0;
}

/* Whether an option whose value is a text or a list was given. */
static bool option_is_set(const struct options *o, const char *name)
{
	return *(void *const *)option_value_member_of((struct options *)o, option_find_flag(name, strlen(name)));
}

bool options_capability(const struct options *o, const char *name)
{
	const struct capability *asked = capability_find(name);

	if (o->vision && !strcmp(name, "vision"))
		return true;
	for (const char *const *option = asked ? asked->options : NULL; option && *option; option++)
		if (option_is_set(o, *option))
			return true;
	if (asked && asked->options_only)
		return false;
	for (const char *const *cap = o->caps; cap && *cap; cap++) {
		const struct capability *c = capability_find(*cap);

		if (c && !strcmp(c->name, name))
			return true;
	}
	return false;
}

static void append_way(const char *way, const char *value, unsigned at, unsigned count, const char *quote, struct str *out)
{
	str_append(out, at == 0 ? "" : at == count - 1 ? " or " : ", ");
	str_appendf(out, "%s--%s%s%s%s", quote, way, *value ? " " : "", value, quote);
}

void capability_append_ways(const struct capability *c, const char *quote, struct str *out)
{
	unsigned at = 0, count = !c->options_only;

	for (const char *const *option = c->options; option && *option; option++)
		count++;
	if (!c->options_only)
		append_way("caps", c->name, at++, count, quote, out);
	for (const char *const *option = c->options; option && *option; option++)
		append_way(*option, "", at++, count, quote, out);
}

#define WORD_MAX 64

/* Edits (insert, remove, replace a letter) from `a` to `b`: Levenshtein's distance, one row at a time. */
static int edit_distance(const char *a, const char *b)
{
	int row[WORD_MAX + 1], columns = (int)MIN(strlen(b), (size_t)WORD_MAX);

	for (int k = 0; k <= columns; k++)
		row[k] = k;
	for (int i = 1; a[i - 1]; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int k = 1; k <= columns; k++) {
			int above = row[k];

			row[k] = MIN(above, row[k - 1]) + 1;
			diagonal += a[i - 1] != b[k - 1];
			row[k] = MIN(row[k], diagonal);
			diagonal = above;
		}
	}
	return row[columns];
}

void suggestion_consider(struct suggestion *s, const char *candidate)
{
	int distance = strlen(s->word) > WORD_MAX || !candidate ? INT_MAX : edit_distance(s->word, candidate);

	if (distance > (int)strlen(s->word) / 3 + 1 || (s->best && distance >= s->distance))
		return;
	s->best = candidate;
	s->distance = distance;
}

bool options_dev_servers(const struct options *o)
{
	for (const struct capability *c = capability_table; c->name; c++)
		if (c->dev_servers && options_capability(o, c->name))
			return true;
	return false;
}

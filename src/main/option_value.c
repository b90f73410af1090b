/* Checks and stores the value of an option, and finds similar words for suggestions. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "main/option_parser.h"
#include "tools/capability.h"

int option_refuse(struct parser *p, const struct option *option, const char *origin, const char *text, const char *why)
{
	if (option->secret)
		str_appendf(p->error, "%s: the value, which is not shown here, %s; allowed: ", origin, why);
	else
		str_appendf(p->error, "%s: \"%.200s\" %s; allowed: ", origin, text, why);
	option_describe_allowed(option, p->error);
	return -EINVAL;
}

static bool parse_int(const char *text, int min, int max, int *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (end == text || *end || isspace((unsigned char)text[0]) || errno || n < min || n > max)
		return false;
	*ret = (int)n;
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

static bool parse_size(const char *text, int min, int max, struct size *ret)
{
	size_t split = strcspn(text, "xX,");
	char width[16];
	struct size size;

	if (!text[split] || split >= sizeof(width))
		return false;
	memcpy(width, text, split);
	width[split] = '\0';
	if (!parse_int(width, min, max, &size.width) || !parse_int(text + split + 1, min, max, &size.height))
		return false;
	*ret = size;
	return true;
}

static int index_of(const char *const *table, const char *text)
{
	for (int i = 0; table && table[i]; i++)
		if (!strcmp(table[i], text))
			return i;
	return -1;
}

static void *member_of(struct options *o, const struct option *option)
{
	return (char *)o + option->offset;
}

static void add_to_list(struct parser *p, struct option_list *list, const char *item)
{
	const char **items;

	if (list->source != (int)p->source)
		*list = (struct option_list){ .source = (int)p->source };
	items = arena_alloc(&p->options->arena, (list->count + 2) * sizeof(*items));
	if (list->count > 0)
		memcpy(items, list->items, list->count * sizeof(*items));
	items[list->count++] = item;
	list->items = items;
}

static int set_switch(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	void *member = member_of(p->options, option);
	bool on;
	int value;

	if (!parse_bool(text, &on))
		return option_refuse(p, option, origin, text, "is neither true nor false");
	value = on ? option->on : option->off;
	if (value == OPTION_KEEP)
		return 0;
	if (option->size == sizeof(bool))
		*(bool *)member = value;
	else
		*(int *)member = value;
	return 0;
}

static int set_choice(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	int i = index_of(option->choices, text);

	if (i < 0)
		return option_refuse(p, option, origin, text,
				     index_of(option->planned, text) >= 0 ? "is not implemented" : "is unknown");
	*(int *)member_of(p->options, option) = i;
	return 0;
}

static int set_string(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	if (!*text || (option->check && !option->check(text)))
		return option_refuse(p, option, origin, text, "is not possible");
	if (option->type == OPTION_LIST)
		add_to_list(p, member_of(p->options, option), text);
	else
		*(const char **)member_of(p->options, option) = text;
	return 0;
}

/* Warns about options that have no effect. -EINVAL: the option prevents the start. */
static int check_support(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	bool on = true;

	if (option->type == OPTION_SWITCH && parse_bool(text, &on) && !on)
		return 0;
	if (option->refusal) {
		str_appendf(p->error, "%s: %s", origin, option->refusal);
		return -EINVAL;
	}
	if (option->no_effect && !p->first_pass)
		log_warning("%s has no effect: %s", origin, option->no_effect);
	return 0;
}

static int set_items(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	const char separators[] = { option->separator, '\0' };
	char *rest, *copy = arena_strdup(&p->options->arena, text);
	char *item = strtok_r(copy, separators, &rest);
	int r = item ? 0 : option_refuse(p, option, origin, text, "is not possible");

	for (; item && r == 0; item = strtok_r(NULL, separators, &rest))
		r = set_string(p, option, origin, item + strspn(item, " \t"));
	return r;
}

int option_set(struct parser *p, const struct option *option, const char *origin, const char *text)
{
	void *member = member_of(p->options, option);
	bool ok = true;
	int r;

	r = check_support(p, option, origin, text);
	if (r < 0)
		return r;
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
		ok = parse_int(text, option->min, option->max, member);
		break;
	case OPTION_SIZE:
		ok = parse_size(text, option->min, option->max, member);
		break;
	}
	return ok ? 0 : option_refuse(p, option, origin, text, "is not possible");
}

bool options_capability(const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->caps.count; i++)
		if (!strcmp(o->caps.items[i], name))
			return true;
	return false;
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

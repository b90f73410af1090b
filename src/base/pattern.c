#include "base/pattern.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"

/* What is inside of an open parenthesis, or of none. */
struct group {
	unsigned size;    /* characters, with repetitions written out */
	bool is_solid;    /* the alternative that is being read matches no empty text, */
	bool is_optional; /* but one before it does */
};

/* What has been read of the text. */
struct scale {
	struct group groups[LIMIT_PATTERN_DEPTH + 1];
	unsigned depth;
	unsigned last; /* size of what a repetition would repeat */
	bool was_solid; /* the alternative, before that */
	bool is_empty; /* that matches an empty text */
};

static bool hold(struct scale *s, unsigned size, bool is_empty)
{
	struct group *g = &s->groups[s->depth];

	s->last = size;
	s->is_empty = is_empty;
	s->was_solid = g->is_solid;
	g->is_solid |= !is_empty;
	g->size += size;
	return g->size <= LIMIT_PATTERN;
}

/* What matches an empty text is not repeated: the C library would think of all the ways to do that. */
static bool repeat(struct scale *s, unsigned long least, unsigned long most)
{
	struct group *g = &s->groups[s->depth];

	if (s->is_empty || s->last * most > LIMIT_PATTERN)
		return false;
	if (most > 1)
		g->size += s->last * ((unsigned)most - 1);
	s->last *= MAX((unsigned)most, 1u);
	s->is_empty = least == 0;
	g->is_solid = s->was_solid || !s->is_empty;
	return g->size <= LIMIT_PATTERN;
}

static bool open_group(struct scale *s)
{
	if (s->depth == LIMIT_PATTERN_DEPTH)
		return false;
	s->groups[++s->depth] = (struct group){ .size = 1 };
	return true;
}

static bool close_group(struct scale *s)
{
	struct group *g = &s->groups[s->depth];

	if (s->depth == 0)
		return false;
	s->depth--;
	return hold(s, g->size, g->is_optional || !g->is_solid);
}

static bool begin_alternative(struct scale *s)
{
	struct group *g = &s->groups[s->depth];

	g->is_optional |= !g->is_solid;
	g->is_solid = false;
	s->is_empty = true;
	return ++g->size <= LIMIT_PATTERN;
}

/* "{2,5}", "{2}", or "{2,}", which is 2 and any number more. */
static bool repeat_counted(struct scale *s, const char **p)
{
	char *end;
	unsigned long least = strtoul(*p + 1, &end, 10), most = *end == ',' ? strtoul(end + 1, &end, 10) : least;
	bool is_open = *end == '}' && end[-1] == ',';

	*p = end;
	most = MAX(least, most);
	return *end == '}' && most <= LIMIT_PATTERN && repeat(s, least, most + is_open);
}

/* The last byte of a bracket expression: "[^]a-z[:digit:]]". */
static const char *bracket_end(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	for (p += *p == ']'; *p && *p != ']'; p++)
		if (*p == '[' && p[1] && strchr(":.=", p[1])) {
			const char close[] = { p[1], ']', 0 }, *end = strstr(p + 2, close);

			p = end ? end + 1 : p;
		}
	return p;
}

/* "\w" and the like are the C library's own; "\d" would be a "d" to it. */
static bool is_known_escape(char c)
{
	return c && (strchr("wWsSbB", c) || !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')));
}

/* Goes on by what begins at `*p`, which is left at its last byte. */
static bool weigh(struct scale *s, const char **p)
{
	switch (**p) {
	case '\\':
		return is_known_escape(*++*p) && hold(s, 1, strchr("bB<>`'", **p));
	case '[':
		*p = bracket_end(*p);
		return **p && hold(s, 1, false);
	case '(':
		return open_group(s);
	case ')':
		return close_group(s);
	case '|':
		return begin_alternative(s);
	case '*':
	case '?':
		return repeat(s, 0, 1);
	case '+': /* the C library makes two of it */
		return repeat(s, 1, 2);
	case '{':
		return repeat_counted(s, p);
	default:
		return hold(s, 1, **p == '^' || **p == '$');
	}
}

static bool is_bearable(const char *text)
{
	struct scale s = {};

	for (const char *p = text; *p; p++)
		if (!weigh(&s, &p))
			return false;
	return s.depth == 0 && strlen(text) <= LIMIT_PATTERN;
}

int pattern_compile(const char *text, int flags, regex_t *ret)
{
	_cleanup_(str_done) struct str whole = {};

	if (!is_bearable(text))
		return -EINVAL;
	str_appendf(&whole, flags & REG_NEWLINE ? "%s" : "^.*(%s)", text); /* all places at a time */
	return regcomp(ret, whole.data, flags | REG_EXTENDED | REG_NOSUB) == 0 ? 0 : -EINVAL;
}

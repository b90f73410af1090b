#include "base/pattern.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"

/* A parenthesised group that is being read; the first one is the whole expression. */
struct group {
	unsigned size;    /* characters, with repetitions written out */
	bool is_solid;    /* the current alternative cannot match the empty string */
	bool is_optional; /* an earlier alternative can match the empty string */
};

/* The state of the scan that measures an expression. */
struct measurement {
	struct group groups[LIMIT_PATTERN_DEPTH + 1];
	unsigned depth;
	unsigned last;  /* size of the last atom, which a repetition applies to */
	bool was_solid; /* `is_solid` of the group before the last atom */
	bool is_empty;  /* the last atom can match the empty string */
};

static bool add_atom(struct measurement *s, unsigned size, bool is_empty)
{
	struct group *g = &s->groups[s->depth];

	s->last = size;
	s->is_empty = is_empty;
	s->was_solid = g->is_solid;
	g->is_solid |= !is_empty;
	g->size += size;
	return g->size <= LIMIT_PATTERN;
}

/* An atom that can match the empty string must not be repeated: the C library would explore all ways to do
 * so. */
static bool repeat(struct measurement *s, unsigned long least, unsigned long most)
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

static bool open_group(struct measurement *s)
{
	if (s->depth == LIMIT_PATTERN_DEPTH)
		return false;
	s->groups[++s->depth] = (struct group){ .size = 1 };
	return true;
}

static bool close_group(struct measurement *s)
{
	struct group *g = &s->groups[s->depth];

	if (s->depth == 0)
		return false;
	s->depth--;
	return add_atom(s, g->size, g->is_optional || !g->is_solid);
}

static bool begin_alternative(struct measurement *s)
{
	struct group *g = &s->groups[s->depth];

	g->is_optional |= !g->is_solid;
	g->is_solid = false;
	s->is_empty = true;
	return ++g->size <= LIMIT_PATTERN;
}

/* "{2,5}", "{2}", or "{2,}", which is two or more. */
static bool repeat_counted(struct measurement *s, const char **p)
{
	char *end;
	unsigned long least = strtoul(*p + 1, &end, 10), most = *end == ',' ? strtoul(end + 1, &end, 10) : least;
	bool is_open = *end == '}' && end[-1] == ',';

	*p = end;
	most = MAX(least, most);
	return *end == '}' && most <= LIMIT_PATTERN && repeat(s, least, most + is_open);
}

/* The closing bracket of a bracket expression such as "[^]a-z[:digit:]]", or the terminating NUL. */
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

/* The C library knows "\w" and similar escapes as extensions, but reads "\d" as "d". */
static bool is_known_escape(char c)
{
	return c && (strchr("wWsSbB", c) || !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')));
}

/* Measures the element at `*p` and moves `*p` to its last byte. */
static bool measure(struct measurement *s, const char **p)
{
	switch (**p) {
	case '\\':
		return is_known_escape(*++*p) && add_atom(s, 1, strchr("bB<>`'", **p));
	case '[':
		*p = bracket_end(*p);
		return **p && add_atom(s, 1, false);
	case '(':
		return open_group(s);
	case ')':
		return close_group(s);
	case '|':
		return begin_alternative(s);
	case '*':
	case '?':
		return repeat(s, 0, 1);
	case '+': /* the C library compiles it as two copies */
		return repeat(s, 1, 2);
	case '{':
		return repeat_counted(s, p);
	default:
		return add_atom(s, 1, **p == '^' || **p == '$');
	}
}

static bool is_within_limits(const char *text)
{
	struct measurement s = {};

	for (const char *p = text; *p; p++)
		if (!measure(&s, &p))
			return false;
	return s.depth == 0 && strlen(text) <= LIMIT_PATTERN;
}

int pattern_compile(const char *text, int flags, regex_t *ret)
{
	_cleanup_(str_done) struct str whole = {};

	if (!is_within_limits(text))
		return -EINVAL;
	str_appendf(&whole, flags & REG_NEWLINE ? "%s" : "^.*(%s)",
		    text); /* anchored: one pass instead of one attempt per position */
	return regcomp(ret, whole.data, flags | REG_EXTENDED | REG_NOSUB) == 0 ? 0 : -EINVAL;
}

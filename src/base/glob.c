#include "base/glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"

/*
 * A pattern becomes a nondeterministic automaton, whose states are the instructions below. matches() follows all states that the
 * text can lead to at the same time, each at most once for each character.
 */
enum op { OP_CHAR, OP_ANY, OP_ANY_BUT_SLASH, OP_SPLIT, OP_JUMP, OP_END };

struct instruction {
	enum op op;
	char c;               /* OP_CHAR */
	unsigned next, other; /* OP_JUMP: the first; OP_SPLIT: both */
};

struct state_set {
	unsigned *states, count;
};

struct glob {
	bool everything;
	struct instruction *code;
	unsigned count, capacity;
	struct state_set now, then;
	unsigned *seen, step; /* for each state: the step in which it was added last */
	unsigned *stack;
};

struct compiler {
	struct glob *glob;
	const char *start, *at;
	bool in_group;
	const char *reason;
};

static unsigned emit(struct glob *g, enum op op, char c, unsigned next, unsigned other)
{
	if (g->count == g->capacity) {
		g->capacity = g->capacity * 2 + 32;
		g->code = must(realloc(g->code, g->capacity * sizeof(*g->code)));
	}
	g->code[g->count] = (struct instruction){ op, c, next, other };
	return g->count++;
}

/* Any number of characters. */
static void emit_repetition(struct glob *g, enum op op)
{
	unsigned split = emit(g, OP_SPLIT, 0, g->count + 1, g->count + 3);

	emit(g, op, 0, 0, 0);
	emit(g, OP_JUMP, 0, split, 0);
}

static void compile_stars(struct compiler *c)
{
	char before = c->at > c->start ? c->at[-1] : '\0';
	size_t stars = strspn(c->at, "*");
	struct glob *g = c->glob;

	c->at += stars;
	if (stars == 1) {
		emit_repetition(g, OP_ANY_BUT_SLASH);
		return;
	}
	if (*c->at != '/') {
		emit_repetition(g, OP_ANY);
		return;
	}
	c->at++;
	if (before == '/') { /* no directory, or at least one character and a slash */
		emit(g, OP_SPLIT, 0, g->count + 1, g->count + 6);
		emit(g, OP_ANY, 0, 0, 0);
	}
	emit_repetition(g, OP_ANY);
	emit(g, OP_CHAR, '/', 0, 0);
}

static bool compile_group(struct compiler *c);

/* Up to the end of the text or, in braces, to the end of the alternative. */
static bool compile_sequence(struct compiler *c)
{
	while (*c->at) {
		if (*c->at == '*') {
			compile_stars(c);
			continue;
		}
		if (c->in_group && (*c->at == ',' || *c->at == '}'))
			return true;
		if (*c->at == '}') {
			c->reason = "unmatched '}'";
			return false;
		}
		if (*c->at == '{') {
			if (!compile_group(c))
				return false;
			continue;
		}
		if (*c->at == '\\' && c->at[1])
			c->at++;
		emit(c->glob, OP_CHAR, *c->at++, 0, 0);
	}
	return true;
}

/* `jumps`: the jump at the end of the previous alternative, whose `other` is the one before; their target is not known yet. */
static bool compile_alternatives(struct compiler *c, unsigned *jumps)
{
	struct glob *g = c->glob;

	for (;;) {
		unsigned split = emit(g, OP_SPLIT, 0, g->count + 1, g->count + 1);

		c->at++; /* the brace or comma before */
		if (!compile_sequence(c))
			return false;
		if (!*c->at) {
			c->reason = "unmatched '{'";
			return false;
		}
		if (*c->at == '}')
			return true;
		*jumps = emit(g, OP_JUMP, 0, 0, *jumps);
		g->code[split].other = g->count;
	}
}

static bool compile_group(struct compiler *c)
{
	const unsigned none = ~0u;
	unsigned jumps = none;
	bool ok;

	if (c->in_group) {
		c->reason = "nested '{' is not supported";
		return false;
	}
	c->in_group = true;
	ok = compile_alternatives(c, &jumps);
	c->in_group = false;
	if (!ok)
		return false;
	c->at++;
	for (; jumps != none; jumps = c->glob->code[jumps].other)
		c->glob->code[jumps].next = c->glob->count;
	return true;
}

/* ---- patterns that are URLs ---- */

/* The end of scheme and authority; NULL: the pattern names neither. */
static const char *glob_find_path(const char *pattern)
{
	const char *slashes = strstr(pattern, "://");

	if (!slashes || strcspn(pattern, "/?#") < (size_t)(slashes - pattern))
		return NULL;
	return slashes + 3 + strcspn(slashes + 3, "/?#");
}

static void drop_segment(struct str *out, size_t root)
{
	size_t len = out->len;

	while (len > root && out->data[len - 1] != '/')
		len--;
	str_truncate(out, len > root ? len - 1 : root);
}

/* Appends the segments of a path, with "." and ".." resolved. */
static void append_path(struct str *out, const char *path, size_t len)
{
	size_t root = out->len;

	for (size_t i = 0; i < len;) {
		size_t n = 1;

		while (i + n < len && path[i + n] != '/')
			n++;
		if (n == 3 && strncmp(path + i, "/..", 3) == 0)
			drop_segment(out, root);
		else if (n != 2 || strncmp(path + i, "/.", 2) != 0)
			str_append_len(out, path + i, n);
		i += n;
	}
	if (out->len == root)
		str_append_char(out, '/');
}

static void normalise(struct str *out, const char *pattern)
{
	const char *path = *pattern == '*' ? NULL : glob_find_path(pattern);
	size_t len;

	if (!path) {
		str_append(out, pattern);
		return;
	}
	for (const char *p = pattern; p < path; p++)
		str_append_char(out, (char)tolower((unsigned char)*p));
	len = strcspn(path, "?#");
	append_path(out, path, len);
	str_append(out, path + len);
}

/* ---- matching ---- */

struct glob *glob_new(const char *pattern, const char **ret_reason)
{
	_cleanup_(glob_freep) struct glob *g = NEW(struct glob);
	_cleanup_(str_done) struct str text = {};
	struct compiler c = { .glob = g };

	if (strlen(pattern) > LIMIT_GLOB) {
		_Static_assert(LIMIT_GLOB == 4096, "the reason names it");
		*ret_reason = "it has more than 4096 bytes";
		return NULL;
	}
	g->everything = !*pattern;
	normalise(&text, pattern);
	c.start = c.at = str_text(&text);
	if (!compile_sequence(&c)) {
		*ret_reason = c.reason;
		return NULL;
	}
	emit(g, OP_END, 0, 0, 0);
	g->now.states = must(calloc(g->count, sizeof(unsigned)));
	g->then.states = must(calloc(g->count, sizeof(unsigned)));
	g->seen = must(calloc(g->count, sizeof(unsigned)));
	g->stack = must(calloc(g->count * 2 + 1, sizeof(unsigned)));
	return TAKE_PTR(g);
}

struct glob *glob_free(struct glob *g)
{
	if (!g)
		return NULL;
	free(g->code);
	free(g->now.states);
	free(g->then.states);
	free(g->seen);
	free(g->stack);
	free(g);
	return NULL;
}

/* Adds a state, or those that it leads to without a character. */
static void add_state(struct glob *g, struct state_set *to, unsigned first)
{
	unsigned depth = 0;

	g->stack[depth++] = first;
	while (depth) {
		unsigned state = g->stack[--depth];
		const struct instruction *i = &g->code[state];

		if (g->seen[state] == g->step)
			continue;
		g->seen[state] = g->step;
		if (i->op == OP_JUMP) {
			g->stack[depth++] = i->next;
		} else if (i->op == OP_SPLIT) {
			g->stack[depth++] = i->next;
			g->stack[depth++] = i->other;
		} else {
			to->states[to->count++] = state;
		}
	}
}

static bool glob_accepts(const struct instruction *i, char c)
{
	return (i->op == OP_CHAR && i->c == c) || i->op == OP_ANY || (i->op == OP_ANY_BUT_SLASH && c != '/');
}

static void next_step(struct glob *g)
{
	if (++g->step == 0) { /* after 2^32 characters: the marks of the first steps would count again */
		memset(g->seen, 0, g->count * sizeof(unsigned));
		g->step = 1;
	}
}

enum glob_result glob_compare(struct glob *g, const char *text, unsigned *steps)
{
	unsigned done = 0;

	if (g->everything)
		return GLOB_MATCHES;
	g->now.count = 0;
	next_step(g);
	add_state(g, &g->now, 0);
	for (; *text && g->now.count; text++) {
		struct state_set swap = g->now;

		done += g->now.count;
		*steps += g->now.count;
		if (done > LIMIT_GLOB_STEPS)
			return GLOB_UNDECIDED;
		g->then.count = 0;
		next_step(g);
		for (unsigned i = 0; i < g->now.count; i++)
			if (glob_accepts(&g->code[g->now.states[i]], *text))
				add_state(g, &g->then, g->now.states[i] + 1);
		g->now = g->then;
		g->then = swap;
	}
	for (unsigned i = 0; i < g->now.count; i++)
		if (g->code[g->now.states[i]].op == OP_END)
			return GLOB_MATCHES;
	return GLOB_DIFFERS;
}

bool glob_matches(struct glob *g, const char *text)
{
	unsigned steps = 0;

	return glob_compare(g, text, &steps) == GLOB_MATCHES;
}

#include "act/statements.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/macros.h"

#define TEMPLATES_MAX 32u /* templates in each other */

struct scanner {
	const char *text, *at;
	unsigned depth;                    /* of brackets */
	unsigned templates[TEMPLATES_MAX]; /* the depths outside of the "${" that are open */
	unsigned template_count;
	bool after_operand; /* a slash is a division */
	bool separated;     /* a semicolon was the last token */
	bool broken;        /* a line or a block has ended since the last token */
	struct statements found;
};

/* A character that continues the line before: no semicolon is inserted in front of it. */
static bool continues(char c)
{
	return strchr("([`.,:?=<>&|^%*/+-!)]}", c);
}

static void add_start(struct scanner *s, const char *start)
{
	struct statements *f = &s->found;

	memmove(f->starts + 1, f->starts, (STATEMENTS_MAX - 1) * sizeof(f->starts[0]));
	f->starts[0] = (size_t)(start - s->text);
	f->count = MIN(f->count + 1, STATEMENTS_MAX);
}

static void begin_token(struct scanner *s, char c)
{
	if (s->depth == 0 && (s->separated || (s->broken && !continues(c))))
		add_start(s, s->at);
	s->separated = s->broken = false;
}

static void skip_to(struct scanner *s, const char *end)
{
	s->at = end ? end : s->at + strlen(s->at);
}

static void skip_string(struct scanner *s, char quote)
{
	for (s->at++; *s->at && *s->at != quote && *s->at != '\n'; s->at++)
		if (s->at[0] == '\\' && s->at[1])
			s->at++;
	if (*s->at)
		s->at++;
}

/* To the end of the template, or behind a "${" in it. */
static void skip_template(struct scanner *s)
{
	for (; *s->at && *s->at != '`'; s->at++) {
		if (s->at[0] == '$' && s->at[1] == '{') {
			s->templates[s->template_count++] = s->depth++;
			s->at += 2;
			s->after_operand = false;
			return;
		}
		if (s->at[0] == '\\' && s->at[1])
			s->at++;
	}
	if (*s->at)
		s->at++;
	s->after_operand = true;
}

static void skip_regex(struct scanner *s)
{
	bool in_class = false;

	for (s->at++; *s->at && *s->at != '\n' && (in_class || *s->at != '/'); s->at++) {
		if (*s->at == '[' || *s->at == ']')
			in_class = *s->at == '[';
		if (s->at[0] == '\\' && s->at[1])
			s->at++;
	}
	if (*s->at)
		s->at++;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c & 0x80;
}

static void skip_word(struct scanner *s)
{
	static const char *const operators[] = {
		"return", "typeof", "case", "in", "of", "void", "delete", "throw", "await", "yield"
	};
	const char *start = s->at;

	while (is_word_char(*s->at))
		s->at++;
	s->after_operand = true;
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (strlen(operators[i]) == (size_t)(s->at - start) && memcmp(operators[i], start, strlen(operators[i])) == 0)
			s->after_operand = false;
}

static void close_bracket(struct scanner *s, char c)
{
	s->at++;
	s->depth -= s->depth > 0;
	s->after_operand = true;
	if (c != '}')
		return;
	if (s->template_count && s->templates[s->template_count - 1] == s->depth) {
		s->template_count--;
		skip_template(s);
	} else {
		s->broken = true;
	}
}

static void statements_skip_token(struct scanner *s)
{
	char c = *s->at;

	if (c == '"' || c == '\'') {
		skip_string(s, c);
		s->after_operand = true;
	} else if (c == '`') {
		s->at++;
		skip_template(s);
	} else if (c == '/' && !s->after_operand) {
		skip_regex(s);
		s->after_operand = true;
	} else if (is_word_char(c)) {
		skip_word(s);
	} else if (strchr(")]}", c)) {
		close_bracket(s, c);
	} else {
		s->depth += strchr("([{", c) != NULL;
		s->after_operand = false;
		s->at++;
	}
}

/* Skips a blank, a comment, or a semicolon between statements. */
static bool skip_between(struct scanner *s)
{
	if (isspace((unsigned char)*s->at)) {
		s->broken |= *s->at++ == '\n';
	} else if (strncmp(s->at, "//", 2) == 0) {
		skip_to(s, strchr(s->at, '\n'));
	} else if (strncmp(s->at, "/*", 2) == 0) {
		const char *end = strstr(s->at + 2, "*/");

		skip_to(s, end ? end + 2 : NULL);
	} else if (*s->at == ';' && s->depth == 0) {
		s->separated = true;
		s->after_operand = false;
		s->at++;
	} else {
		return false;
	}
	return true;
}

struct statements statements_of(const char *text)
{
	struct scanner s = { .text = text, .at = text, .separated = true };

	while (*s.at && s.template_count < TEMPLATES_MAX) {
		if (skip_between(&s))
			continue;
		begin_token(&s, *s.at);
		statements_skip_token(&s);
		s.found.end = (size_t)(s.at - text);
	}
	return *s.at ? (struct statements){ .end = strlen(text) } : s.found;
}

#include "act/callable.h"

#include <ctype.h>
#include <string.h>

#include "act/statements.h"
#include "base/str.h"
#include "engine/script.h"
#include "page/frame.h"

struct finder {
	struct task *t;
	_kept_ struct frame *f; /* held by the caller */
	const char *text, *parameter;
	struct statements statements;
};

/* Parses `before`, a part of the caller's text that begins it, and `after`. The place of a refusal is that in the caller's text. */
static int callable_parse(const struct finder *x, const char *before, size_t length, const char *after, struct syntax *ret)
{
	_cleanup_(str_done) struct str script = {};
	int r;

	str_append(&script, before);
	str_append_len(&script, x->text, length);
	str_append(&script, after);
	r = engine_parse(x->t, frame_engine(x->f), script.data, ret);
	if (r == 0 && ret->line == 0)
		ret->column -= (int64_t)strlen(before);
	return r;
}

static const char *head_of_function(const struct finder *x)
{
	return arena_printf(task_arena(x->t), "async (%s) => {", x->parameter);
}

/* Whether a semicolon or a block is the last of the text, so that another statement may follow. */
static bool is_ended(const char *text, size_t length)
{
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return length && strchr(";}", text[length - 1]);
}

/* A function that returns the value of the last statement, where that is an expression. */
static const char *returning(const struct finder *x, size_t start)
{
	const char *last = x->text + start, *end = is_ended(x->text, start) ? "" : ";";
	int before = (int)start, length = (int)(x->statements.end - start);

	if (!start)
		return arena_printf(task_arena(x->t), "async (%s) => (%.*s)", x->parameter, length, last);
	return arena_printf(task_arena(x->t), "%s %.*s%s return (%.*s) }", head_of_function(x), before, x->text, end, length, last);
}

/* Whether the statement at `start` is an expression and the text before it parses by itself, which the head of a loop does not. */
static int is_value(const struct finder *x, size_t start, bool *ret)
{
	const char *before = arena_printf(task_arena(x->t), "(%s{", head_of_function(x));
	const char *after =
		arena_printf(task_arena(x->t), "\n} return (%.*s\n)})", (int)(x->statements.end - start), x->text + start);
	struct syntax refusal;
	int r = callable_parse(x, before, start, after, &refusal);

	*ret = r == 0 && !refusal.refused;
	return r;
}

/* A function of the whole text, whose last semicolon may be a statement of its own; a comment at its end ends with the line. */
static const char *whole(const struct finder *x)
{
	const char *rest = x->text + x->statements.end;
	size_t length = x->statements.end + strspn(rest, "; \t\r\n");
	const char *end = x->text[length] ? "\n" : "";

	if (*end)
		length = strlen(x->text);
	while (!*end && length && isspace((unsigned char)x->text[length - 1]))
		length--;
	return arena_printf(task_arena(x->t), "%s %.*s%s }", head_of_function(x), (int)length, x->text, end);
}

/* The text is the body of a function. */
static int find_body(const struct finder *x, struct callable *ret)
{
	bool found = false;
	int r = 0;

	ret->is_function = true;
	for (unsigned n = 0; n < x->statements.count && r == 0 && !found; n++) {
		r = is_value(x, x->statements.starts[n], &found);
		if (found)
			ret->text = returning(x, x->statements.starts[n]);
	}
	if (r == 0 && !found)
		ret->text = whole(x);
	return r;
}

/* Of the ways in which the text was read, the one that came further says what is wrong with it. */
static void callable_complain(const struct finder *x, const struct syntax *expression, const struct syntax *body,
			      struct callable *ret)
{
	bool further = body->line > expression->line || (body->line == expression->line && body->column > expression->column);
	const struct syntax *r = further ? body : expression;
	const char *message = r->message ? r->message : "SyntaxError";
	int64_t lines = 1;

	for (const char *c = x->text; (c = strchr(c, '\n')); c++)
		lines++;
	ret->complaint = r->line >= lines ? arena_printf(task_arena(x->t), "%s (at the end)", message) :
					    arena_printf(task_arena(x->t), "%s (line %lld, column %lld)", message,
							 (long long)r->line + 1, (long long)(r->column > 0 ? r->column : 0) + 1);
}

int callable_find(struct task *t, struct frame *f, const char *text, const char *parameter, struct callable *ret)
{
	const struct finder x = { .t = t, .f = f, .text = text, .parameter = parameter, .statements = statements_of(text) };
	struct syntax expression, body;
	int r;

	*ret = (struct callable){};
	r = callable_parse(&x, "(", strlen(text), "\n)", &expression);
	if (r < 0 || !expression.refused)
		return r;
	r = callable_parse(&x, "(", x.statements.end, "\n)", &body);
	if (r == 0 && !body.refused) {
		ret->text = arena_strndup(task_arena(t), text, x.statements.end);
		return 0;
	}
	if (r == 0 && x.statements.count)
		r = callable_parse(&x, arena_printf(task_arena(t), "(%s", head_of_function(&x)), strlen(text), "\n})", &body);
	if (r < 0)
		return r;
	if (!body.refused)
		return find_body(&x, ret);
	callable_complain(&x, &expression, &body, ret);
	return 0;
}

int callable_find_in_script(struct task *t, struct frame *f, const char *text, struct callable *ret)
{
	const struct finder x = { .t = t, .f = f, .text = text };
	struct syntax script;
	int r;

	*ret = (struct callable){};
	r = callable_parse(&x, "", strlen(text), "", &script);
	if (r < 0 || !script.refused)
		return r;
	r = callable_find(t, f, text, "", ret);
	if (r == 0 && !ret->text && !ret->complaint)
		ret->text = text;
	return r;
}

/* A file of secrets: each has a name and a value, and what the list stands for, written as a file again, is the same list. */
#include "fuzz.h"
#include "main/option_parser.h"

static void check_secret(const struct secret *s)
{
	CHECK(*s->name && !strpbrk(s->name, " \t\n=:"));
	CHECK(*s->value);
}

/* In single quotes a value is what it is, unless it has one of these. */
static bool is_plain(const char *value)
{
	return !strpbrk(value, "'\\\n");
}

static void write_file(const struct secret *s, struct str *out)
{
	for (; s->name; s++)
		str_appendf(out, "export %s='%s'\n", s->name, is_plain(s->value) ? s->value : "x");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(arena_done) struct arena arena = {};
	_cleanup_(str_done) struct str file = {};
	char *text = must(strndup((const char *)data, size));
	const struct secret *read = secrets_parse(&arena, text), *again;

	free(text);
	for (const struct secret *s = read; s->name; s++)
		check_secret(s);
	write_file(read, &file);
	again = secrets_parse(&arena, str_text(&file));
	for (; read->name && again->name; read++, again++)
		CHECK(strcmp(read->name, again->name) == 0 && strcmp(is_plain(read->value) ? read->value : "x", again->value) == 0);
	CHECK(!read->name && !again->name);
	return 0;
}

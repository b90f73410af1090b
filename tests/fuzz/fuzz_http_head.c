/* Heads of HTTP requests: what is accepted has one meaning, and nothing is read or written outside of it. */
#include "fuzz.h"
#include "loop/http_head.h"

static void check_text(const char *text)
{
	for (; *text; text++)
		CHECK(*text != '\r' && *text != '\n');
}

static void check_head(const struct http_head *h)
{
	unsigned lengths = 0;

	check_text(h->method);
	check_text(h->path);
	CHECK(h->path[0] == '/' && !strpbrk(h->path, " ?") && !strchr(h->query, ' '));
	for (unsigned i = 0; i < h->count; i++) {
		check_text(h->fields[i].name);
		check_text(h->fields[i].value);
		CHECK(h->fields[i].name[0] && !strpbrk(h->fields[i].name, " \t:ABCXYZ"));
		lengths += strcmp(h->fields[i].name, "content-length") == 0;
	}
	CHECK(lengths <= 1 && !(lengths && h->chunked));
	CHECK(h->http_1_0 || http_head_field(h, "host"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	size_t len = http_head_length(text, size);
	struct http_head head;
	const char *why = NULL;
	int status;

	CHECK(len <= size);
	text = must(realloc(text, len ? len : 1));
	status = http_head_parse(text, len, &head, &why);
	if (status == 0)
		check_head(&head);
	else
		CHECK(status >= 400 && why);
	free(text);
	return 0;
}

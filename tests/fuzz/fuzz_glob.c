/* A pattern, a newline, and a URL: both are read within their bounds, and matching comes to an end. */
#include "base/glob.h"
#include "fuzz.h"

#define PATTERN_MAX 200 /* matching takes time proportional to the product of the lengths */
#define TEXT_MAX 2000

/* A pattern of escaped characters behind any text means them. */
static void check_literal(const char *text)
{
	size_t len = strlen(text);
	char *escaped = must(malloc(2 * len + 2)), *to = escaped;
	_cleanup_(glob_freep) struct glob *g = NULL;
	const char *reason = NULL;
	unsigned steps = 0;

	*to++ = '*'; /* without it, the pattern is a URL and is resolved */
	for (const char *c = text; *c; c++) {
		*to++ = '\\';
		*to++ = *c;
	}
	*to = '\0';
	g = glob_new(escaped, &reason);
	CHECK(!g || glob_compare(g, text, &steps) != GLOB_DIFFERS);
	free(escaped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *pattern = must(strndup((const char *)data, MIN(len, (size_t)PATTERN_MAX)));
	char *text = newline ? must(strndup((const char *)newline + 1, MIN(size - len - 1, (size_t)TEXT_MAX))) : must(strdup(""));
	_cleanup_(glob_freep) struct glob *g = NULL;
	const char *reason = NULL;

	g = glob_new(pattern, &reason);
	CHECK(g || (reason && *reason));
	if (g)
		(void)glob_matches(g, text);
	check_literal(text);
	free(pattern);
	free(text);
	return 0;
}

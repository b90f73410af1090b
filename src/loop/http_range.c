#include "loop/http_range.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"

#define UNIT "bytes="

/* A number that is too large for its type is larger than any file. */
static uint64_t http_range_digits(const char **text)
{
	uint64_t n = 0;

	for (; **text >= '0' && **text <= '9'; (*text)++)
		n = n > UINT64_MAX / 10 - 1 ? UINT64_MAX : 10 * n + (uint64_t)(**text - '0');
	return n;
}

/* "0-499", "500-", "-500", with blanks around. False: it is anything else, or several. */
static bool http_range_parse(const char *text, bool *ret_has_first, bool *ret_has_last, uint64_t *ret_first, uint64_t *ret_last)
{
	const char *begin;

	text += strspn(text, " \t");
	begin = text;
	*ret_first = http_range_digits(&text);
	*ret_has_first = text > begin;
	if (*text++ != '-')
		return false;
	begin = text;
	*ret_last = http_range_digits(&text);
	*ret_has_last = text > begin;
	text += strspn(text, " \t");
	return !*text && (*ret_has_first || *ret_has_last) && !(*ret_has_first && *ret_has_last && *ret_last < *ret_first);
}

enum http_range http_range_of(const char *field, uint64_t size, uint64_t *ret_from, uint64_t *ret_len)
{
	bool has_first, has_last;
	uint64_t first, last;

	if (!field || strncasecmp(field, UNIT, strlen(UNIT)) != 0 ||
	    !http_range_parse(field + strlen(UNIT), &has_first, &has_last, &first, &last))
		return HTTP_RANGE_WHOLE;
	if (has_first ? first >= size : last == 0 || size == 0)
		return HTTP_RANGE_UNSATISFIABLE;
	if (!has_first) {
		first = size - MIN(last, size);
		has_last = false;
	}
	*ret_from = first;
	*ret_len = (has_last ? MIN(last, size - 1) : size - 1) - first + 1;
	return HTTP_RANGE_PART;
}

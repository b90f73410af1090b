#include "main/dotted.h"

#include <stdbool.h>
#include <string.h>

#include "base/limits.h"
#include "base/strjson.h"

/* Whether a value before the `nth` begins with the same `len` bytes, up to a dot or the end of its key. */
static bool came_before(const struct dotted *values, size_t nth, size_t len)
{
	for (size_t i = 0; i < nth; i++)
		if (strncmp(values[i].key, values[nth].key, len) == 0 && (values[i].key[len] == '.' || !values[i].key[len]))
			return true;
	return false;
}

/* The object of all values whose keys begin with the first `prefix` bytes of the `first` one's. */
static void print_object(struct str *out, const struct dotted *values, size_t count, size_t first, size_t prefix, unsigned depth)
{
	bool any = false;

	str_append_char(out, '{');
	for (size_t i = first; i < count; i++) {
		const char *key = values[i].key;
		size_t end = prefix;

		if (strncmp(key, values[first].key, prefix) != 0)
			continue;
		end = depth < LIMIT_JSON_DEPTH / 2 ? prefix + strcspn(key + prefix, ".") : strlen(key);
		if (came_before(values, i, end))
			continue;
		str_append(out, any ? "," : "");
		any = true;
		str_json(out, "?", JSON_TEXT(key + prefix, end - prefix));
		str_append_char(out, ':');
		if (key[end] == '.')
			print_object(out, values, count, i, end + 1, depth + 1);
		else
			str_append(out, values[i].json);
	}
	str_append_char(out, '}');
}

void dotted_print(struct str *out, const struct dotted *values, size_t count)
{
	print_object(out, values, count, 0, 0, 0);
}

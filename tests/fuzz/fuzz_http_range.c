/* Range: the part of a file that a request gets is in the file, and not empty, whatever the field says. The first 8 bytes are the size of the file. */
#include "fuzz.h"
#include "loop/http_range.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t of = 0, from = 0, len = 0;
	enum http_range range;
	char *field;

	if (size < sizeof(of))
		return 0;
	memcpy(&of, data, sizeof(of));
	field = must(malloc(size - sizeof(of) + 1));
	memcpy(field, data + sizeof(of), size - sizeof(of));
	field[size - sizeof(of)] = '\0';
	range = http_range_of(field, of, &from, &len);
	if (range == HTTP_RANGE_PART)
		CHECK(len > 0 && from < of && len <= of - from);
	else
		CHECK(from == 0 && len == 0);
	free(field);
	return 0;
}

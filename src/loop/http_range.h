/*
 * Which part of a file a request wants (RFC 9110, section 14). One range in bytes is supported: a request for several, for another unit, or
 * with a field that breaks the grammar is answered with the whole file, as section 14.2 permits. Pure text, no input or output.
 */
#pragma once

#include <stdint.h>

enum http_range { HTTP_RANGE_WHOLE, HTTP_RANGE_PART, HTTP_RANGE_UNSATISFIABLE };

/*
 * `field`: the value of Range, NULL: absent. `size`: bytes of the file. HTTP_RANGE_PART: `ret_from` and `ret_len` are the part, which is not
 * empty and lies in the file; they are left alone otherwise.
 */
enum http_range http_range_of(const char *field, uint64_t size, uint64_t *ret_from, uint64_t *ret_len);

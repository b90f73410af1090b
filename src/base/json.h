/*
 * JSON values. The grammar is RFC 8259's to the letter, UTF-8 is checked, nesting is bounded, and the two escapes that C
 * strings or UTF-8 cannot hold (\u0000 and lone surrogates) are refused or replaced by U+FFFD.
 *
 * Of equal member names the first counts. Numbers are doubles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/str.h"

struct json; /* one value, owned by the tree it belongs to */

enum json_type { JSON_NONE, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

#define JSON_INTEGER_MAX 9007199254740991. /* the largest that JavaScript counts to */

enum json_escapes {
	JSON_REFUSE_UNREPRESENTABLE,  /* -EBADMSG for \u0000 and lone surrogates: input of a client */
	JSON_REPLACE_UNREPRESENTABLE, /* U+FFFD instead: text that a page decides */
};

/*
 * Parses `len` bytes (below 4 GiB) at `text`; a NUL at the end is not needed. The tree has copies of its texts.
 * -EILSEQ: not UTF-8 · -E2BIG: nested deeper than `max_depth`, which is at most JSON_DEPTH_MAX · -EBADMSG: an escape
 * that was refused, the text is JSON otherwise · -EINVAL: not JSON, or something follows the value.
 */
#define JSON_DEPTH_MAX 960u
int json_parse(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes, struct json **ret);
struct json *json_free(struct json *v);
DEFINE_FREEP(json);

/* All readers accept NULL, so that look-ups chain. */
enum json_type json_type(const struct json *v);
/* Member by dotted path ("frame.parentId"); NULL when absent. Member names that hold a dot: json_member(). */
const struct json *json_get(const struct json *v, const char *path);
const struct json *json_member(const struct json *v, const char *name);
/* Text of the string at `path` (NULL path: of `v` itself); NULL when it is absent or no string. Borrowed. */
const char *json_str(const struct json *v, const char *path);
const char *json_text(const struct json *v, const char *path); /* the same, "" instead of NULL */
double json_num(const struct json *v, const char *path, double fallback);
int64_t json_int(const struct json *v, const char *path, int64_t fallback); /* fallback also when not integral */
bool json_bool(const struct json *v, const char *path, bool fallback);
size_t json_count(const struct json *v);
const struct json *json_first(const struct json *v); /* first element or member, NULL at the end */
const struct json *json_next(const struct json *v);
const char *json_name(const struct json *v); /* name of an object's member, else NULL */
#define json_foreach(e, v) for (const struct json *e = json_first(v); e; e = json_next(e))

/* Compact text of `v`. */
void json_print(struct str *out, const struct json *v);

/*
 * The bytes of one value inside JSON text, exactly as they were sent (ids and tokens must be echoed byte for byte).
 * `path` is dotted, names are compared unescaped; names that hold a dot are not reachable. NULL when absent.
 * Borrowed from `text`, which json_parse() should have accepted: text it refused is safe too, but what is found in
 * it need not be a value.
 */
const char *json_raw(const char *text, size_t len, const char *path, size_t *ret_len);
/* The same for several members of an object, in one pass: no text where there is none. Of equal names the first. */
struct json_span {
	const char *text;
	size_t len;
};

void json_raw_members(const char *text, size_t len, const char *const *names, struct json_span *ret, size_t count);
/*
 * The elements of the array `text`, one after the other: `*at` is 0 at first. NULL at the end, and where no element
 * can be found.
 */
const char *json_raw_next(const char *text, size_t len, size_t *at, size_t *ret_len);

/* For text that is only to be checked: what json_parse() says of it. */
int json_check(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes);

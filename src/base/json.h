/*
 * JSON values. The parser accepts exactly the grammar of RFC 8259, checks UTF-8 and bounds nesting. The escapes that C strings
 * or UTF-8 cannot represent (\u0000 and lone surrogates) are refused or replaced by U+FFFD.
 *
 * If a member name occurs more than once, the first one is used. Numbers are doubles.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/str.h"

struct json; /* one value, owned by the tree it belongs to */

enum json_type { JSON_NONE, JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

#define JSON_INTEGER_MAX 9007199254740991. /* JavaScript's Number.MAX_SAFE_INTEGER */

enum json_escapes {
	JSON_REFUSE_UNREPRESENTABLE,  /* -EBADMSG for \u0000 and lone surrogates: for messages of clients */
	JSON_REPLACE_UNREPRESENTABLE, /* replaced by U+FFFD: for messages that contain text of pages */
};

/*
 * Parses `len` bytes (below 4 GiB) at `text`; a NUL at the end is not needed. The tree holds copies of the strings.
 * -EILSEQ: not UTF-8 · -E2BIG: nested deeper than `max_depth`, which is at most JSON_DEPTH_MAX · -EBADMSG: valid JSON with a
 * refused escape · -EMSGSIZE: more than JSON_VALUES_MAX values, whose tree would take long to build · -EINVAL: not JSON, or trailing
 * characters after the value.
 */
#define JSON_DEPTH_MAX 960u
#define JSON_VALUES_MAX 200000u /* members and elements of one text; about 30 ms */
int json_parse(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes, struct json **ret);
/* Where json_parse() stops in a text that it refuses. Line and column, in characters, count from 1. */
struct json_place {
	unsigned line, column;
};
struct json_place json_refused_at(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes);
struct json *json_free(_nullable_ struct json *v);
DEFINE_FREEP(json);
/*
 * Reduces a tree to the value at `path` within it, in constant time and without a copy; the memory of the rest is kept until
 * json_free(). `tree` is a root, which the call takes over. Returns the new root; if `path` is absent, frees `tree` and returns
 * NULL.
 */
struct json *json_extract(struct json *tree, const char *path);

/* All accessors accept NULL, so that look-ups can be chained. */
enum json_type json_type(const struct json *v);
/* Member by dotted path ("frame.parentId"); NULL when absent. For member names that contain a dot use json_member(). */
const struct json *json_get(const struct json *v, const char *path);
const struct json *json_member(const struct json *v, const char *name);
/* The string at `path` (NULL path: `v` itself); NULL when it is absent or not a string. Borrowed. */
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

/* A copy that outlives the tree that `v` is a part of; NULL for NULL. */
struct json *json_copy(const struct json *v);
/* Compact text of `v`. */
void json_print(struct str *out, const struct json *v);
/*
 * The text with a line for each member and element, indented by two blanks for each level, as JSON.stringify(v, null, 2) prints it. Levels
 * above 32 are not indented any more: the length is linear in that of the compact text.
 */
void json_print_indented(struct str *out, const struct json *v);

/*
 * The bytes of a value that is neither array nor object, exactly as they were sent: ids and tokens must be echoed byte for byte.
 * `text` is the text that json_parse() made the tree of `v` from. Borrowed from it.
 */
const char *json_source(const struct json *v, const char *text, size_t len, size_t *ret_len);
/*
 * The bytes of one value inside JSON text, without a tree.
 * `path` is dotted, names are compared unescaped; names that contain a dot cannot be addressed. NULL when absent.
 * Borrowed from `text`, which json_parse() should have accepted. Invalid text is safe as well, but the result may then not be
 * a JSON value.
 */
const char *json_raw(const char *text, size_t len, const char *path, size_t *ret_len);
/*
 * Iterates over the elements of the array `text`. The caller sets `*at` to 0 before the first call. NULL at the end, or if
 * `text` is not valid. The elements themselves are not checked.
 */
const char *json_raw_next(const char *text, size_t len, size_t *at, size_t *ret_len);
/* After json_raw_next() has returned NULL: whether the array ended there, and the text with it. */
bool json_raw_ended(const char *text, size_t len, size_t at);

/* The result of json_parse() without a tree, for any number of values. */
int json_check(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes);

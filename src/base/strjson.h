/*
 * str_json() writes compact JSON from a template, so that a message can be read where it is sent:
 *
 *	str_json(&s, "{type: 'keyDown', key: ?, modifiers: ?, repeat: ?}", key, modifiers, (bool)(count > 1));
 *
 * Bare words before a colon become quoted names ('/', '.', '-', '_' and '$' may be in them), '...' and "..." become
 * quoted strings, blanks are dropped. Each ? takes the next argument, whose C type decides how it is written:
 *	const char *           a string, quoted and escaped; NULL writes null
 *	bool                   true or false; comparisons and ! are int in C, so they need a cast to bool
 *	integers, double       numbers; of a double the shortest text that reads back the same, null if it is not finite
 *	const struct json *    the value; NULL writes null
 *	JSON_TEXT(text, size)  const char * and size_t: a string that ends after `size` bytes or at a NUL; NULL writes null
 *	JSON_RAW(text)         const char *: JSON text, or a part of it, taken as it is; NULL writes null
 *	JSON_COMMA(wanted)     a comma, or nothing: before all elements of a list but the first
 * Other types do not compile. Inside '...' a ? is a question mark, \' is a quote, other backslash escapes are JSON's.
 * A template that breaks these rules, or has another number of ? than arguments, is a programming error and aborts;
 * tests/unit/json_templates.py finds them in the sources.
 *
 * A function that passes a template on takes (uint64_t types, const char *template, ...) for str_vjson(), and is called through a
 * macro, which inserts the types of the arguments with JSON_VALUES().
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json;
struct str;

#define str_json(s, ...) str_json_values(s, JSON_VALUES(__VA_ARGS__))
void str_json_values(struct str *s, uint64_t types, const char *template, ...);
void str_vjson(struct str *s, uint64_t types, const char *template, va_list ap);

struct json_raw {
	const char *text;
};
struct json_text {
	const char *text;
	size_t size;
};
#define JSON_RAW(json) ((struct json_raw){ json })
#define JSON_TEXT(text, size) ((struct json_text){ text, size })
#define JSON_COMMA(wanted) JSON_RAW((wanted) ? "," : "")

/* Types of arguments, four bits each, those of the first argument lowest. */
enum json_argument {
	JSON_ARGUMENT_END,
	JSON_ARGUMENT_BOOL,
	JSON_ARGUMENT_INT,
	JSON_ARGUMENT_UINT,
	JSON_ARGUMENT_LONG,
	JSON_ARGUMENT_ULONG,
	JSON_ARGUMENT_LLONG,
	JSON_ARGUMENT_ULLONG,
	JSON_ARGUMENT_DOUBLE,
	JSON_ARGUMENT_STRING,
	JSON_ARGUMENT_TEXT,
	JSON_ARGUMENT_RAW,
	JSON_ARGUMENT_TREE,
};

struct json_argument_end {
	char none;
};

/* clang-format off */
#define JSON_ARGUMENT(x) \
	((uint64_t)_Generic((x), struct json_argument_end: JSON_ARGUMENT_END, bool: JSON_ARGUMENT_BOOL, \
		short: JSON_ARGUMENT_INT, unsigned short: JSON_ARGUMENT_INT, unsigned char: JSON_ARGUMENT_INT, \
		int: JSON_ARGUMENT_INT, unsigned: JSON_ARGUMENT_UINT, long: JSON_ARGUMENT_LONG, unsigned long: JSON_ARGUMENT_ULONG, \
		long long: JSON_ARGUMENT_LLONG, unsigned long long: JSON_ARGUMENT_ULLONG, double: JSON_ARGUMENT_DOUBLE, \
		char *: JSON_ARGUMENT_STRING, const char *: JSON_ARGUMENT_STRING, struct json_text: JSON_ARGUMENT_TEXT, \
		struct json_raw: JSON_ARGUMENT_RAW, struct json *: JSON_ARGUMENT_TREE, const struct json *: JSON_ARGUMENT_TREE))

#define JSON_END ((struct json_argument_end){})
#define JSON_ENDS JSON_END, JSON_END, JSON_END, JSON_END, JSON_END, JSON_END, JSON_END, JSON_END

/* 0 * sizeof: the template must be a literal. */
#define JSON_PACK(template, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ...) \
	(0 * sizeof("" template) | \
	 JSON_ARGUMENT(a) | JSON_ARGUMENT(b) << 4 | JSON_ARGUMENT(c) << 8 | JSON_ARGUMENT(d) << 12 | \
	 JSON_ARGUMENT(e) << 16 | JSON_ARGUMENT(f) << 20 | JSON_ARGUMENT(g) << 24 | JSON_ARGUMENT(h) << 28 | \
	 JSON_ARGUMENT(i) << 32 | JSON_ARGUMENT(j) << 36 | JSON_ARGUMENT(k) << 40 | JSON_ARGUMENT(l) << 44 | \
	 JSON_ARGUMENT(m) << 48 | JSON_ARGUMENT(n) << 52 | JSON_ARGUMENT(o) << 56 | JSON_ARGUMENT(p) << 60)

#define JSON_TYPES(...) JSON_PACK(__VA_ARGS__)

/* Of a template and its arguments, at most 16: their types, and then all of them. */
#define JSON_VALUES(...) JSON_TYPES(__VA_ARGS__, JSON_ENDS, JSON_ENDS, JSON_END), __VA_ARGS__
/* clang-format on */

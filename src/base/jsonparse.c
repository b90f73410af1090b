/*
 * Parses JSON text into a tree in one pass without recursion, so that nesting cannot exhaust the stack. A page load produces
 * thousands of messages; therefore values have no allocations of their own, and plain text is scanned eight bytes at a time.
 */
#include <assert.h>
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "base/jsontree.h"

#define ROOM_FIRST 4096u /* upper bound of the values that are allocated initially */
#define WORD sizeof(uint64_t)

struct parser {
	const char *text, *p, *end;
	char *out; /* where the next string is written; it never overtakes `p`, because unescaping never lengthens a string */
	struct json_tree *tree;
	uint32_t count, room; /* values */
	uint32_t open;        /* container being filled; until it ends, its `next` holds the enclosing container */
	uint32_t last;        /* value that was completed last */
	unsigned depth, max_depth;
	enum json_escapes escapes;
	bool forgets;        /* complete values are overwritten by the next ones: only their syntax matters */
	const char *refused; /* end of the first escape that JSON_REFUSE_UNREPRESENTABLE forbids; NULL: no such escape so far */
};

static void jsonparse_skip_blanks(struct parser *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t'))
		s->p++;
}

static bool accept(struct parser *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* ---- texts ---- */

/*
 * Sets the highest bit of each byte of `word` that is a quote, a backslash, a control character or not ASCII. Only the lowest
 * bit set is reliable: carries may set bits above it.
 */
static uint64_t special_bytes(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101, quotes = word ^ ones * '"', backslashes = word ^ ones * '\\';

	return (word | (word - ones * ' ') | (quotes - ones) | (backslashes - ones)) & ones * 0x80;
}

static void jsonparse_copy_plain(struct parser *s)
{
	uint64_t word, special = 0;
	size_t n;

	while (!special && (size_t)(s->end - s->p) >= WORD) {
		memcpy(&word, s->p, WORD);
		memcpy(s->out, &word, WORD);
		special = special_bytes(le64toh(word));
		n = special ? (size_t)__builtin_ctzll(special) / 8 : WORD;
		s->p += n;
		s->out += n;
	}
	if (special)
		return;
	while (s->p < s->end && (signed char)*s->p >= ' ' && *s->p != '"' && *s->p != '\\')
		*s->out++ = *s->p++;
}

static void put_utf8(struct parser *s, unsigned c)
{
	if (c < 0x80)
		*s->out++ = (char)c;
	else
		s->out += utf8_encode(c, s->out);
}

#define IS_DIGIT 0x10

/* Value of four hexadecimal digits, -1 when they are not there. */
static int hex4(const char *p, const char *end)
{
	static const unsigned char digits[256] = {
		['0'] = IS_DIGIT | 0,  ['1'] = IS_DIGIT | 1,  ['2'] = IS_DIGIT | 2,  ['3'] = IS_DIGIT | 3,  ['4'] = IS_DIGIT | 4,
		['5'] = IS_DIGIT | 5,  ['6'] = IS_DIGIT | 6,  ['7'] = IS_DIGIT | 7,  ['8'] = IS_DIGIT | 8,  ['9'] = IS_DIGIT | 9,
		['a'] = IS_DIGIT | 10, ['b'] = IS_DIGIT | 11, ['c'] = IS_DIGIT | 12, ['d'] = IS_DIGIT | 13, ['e'] = IS_DIGIT | 14,
		['f'] = IS_DIGIT | 15, ['A'] = IS_DIGIT | 10, ['B'] = IS_DIGIT | 11, ['C'] = IS_DIGIT | 12, ['D'] = IS_DIGIT | 13,
		['E'] = IS_DIGIT | 14, ['F'] = IS_DIGIT | 15,
	};
	const unsigned char *text = (const unsigned char *)p;
	int a, b, c, d;

	if (end - p < 4)
		return -1;
	a = digits[text[0]];
	b = digits[text[1]];
	c = digits[text[2]];
	d = digits[text[3]];
	return a & b & c & d & IS_DIGIT ? (a & 15) << 12 | (b & 15) << 8 | (c & 15) << 4 | (d & 15) : -1;
}

/* Parses the digits of \uXXXX; a high surrogate must be followed by the escape of a low one. */
static int parse_unicode_escape(struct parser *s)
{
	int unit = hex4(s->p, s->end), low = -1;

	if (unit < 0)
		return -EINVAL;
	s->p += 4;
	if (unit >= 0xd800 && unit <= 0xdbff && s->end - s->p >= 6 && s->p[0] == '\\' && s->p[1] == 'u')
		low = hex4(s->p + 2, s->end);
	if (low >= 0xdc00 && low <= 0xdfff) {
		s->p += 6;
		put_utf8(s, 0x10000 + ((unsigned)unit - 0xd800) * 0x400 + (unsigned)low - 0xdc00);
	} else if (unit == 0 || (unit >= 0xd800 && unit <= 0xdfff)) {
		if (s->escapes == JSON_REFUSE_UNREPRESENTABLE && !s->refused)
			s->refused = s->p;
		put_utf8(s, 0xfffd);
	} else
		put_utf8(s, (unsigned)unit);
	return 0;
}

/* Parses an escape after its backslash. */
static int parse_escape(struct parser *s)
{
	static const char meant[256] = {
		['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
	};
	char c = s->p < s->end ? meant[(unsigned char)*s->p] : 0;

	if (!c)
		return accept(s, 'u') ? parse_unicode_escape(s) : -EINVAL;
	*s->out++ = c;
	s->p++;
	return 0;
}

/* The length of a sequence that is valid and has the most frequent forms, two or three bytes; 0: utf8_sequence() decides. */
static size_t frequent_sequence(const unsigned char *p, size_t left)
{
	if (left < 4 || (p[1] & 0xc0) != 0x80)
		return 0;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		return 2;
	return p[0] > 0xe0 && p[0] < 0xf0 && p[0] != 0xed && (p[2] & 0xc0) == 0x80 ? 3 : 0;
}

/* Copies a sequence of two to four bytes. Four are copied where the text has as many, because that needs no loop. */
static int copy_sequence(struct parser *s)
{
	size_t left = (size_t)(s->end - s->p), len = frequent_sequence((const unsigned char *)s->p, left);

	if (!len)
		len = utf8_sequence(s->p, left);
	memcpy(s->out, s->p, left < 4 ? len : 4);
	s->out += len;
	s->p += len;
	return len ? 0 : -EILSEQ;
}

/* Parses escapes and multi-byte sequences inside a string, as many as follow one another. */
static int parse_specials(struct parser *s)
{
	int r;

	do {
		if (*s->p == '\\') {
			s->p++;
			r = parse_escape(s);
		} else
			r = (unsigned char)*s->p < ' ' ? -EINVAL : copy_sequence(s);
	} while (r == 0 && s->p < s->end && (*s->p == '\\' || (signed char)*s->p < 0));
	return r;
}

/* Parses a string after its opening quote. */
static int jsonparse_parse_string(struct parser *s, const char **ret)
{
	int r;

	*ret = s->out;
	for (;;) {
		jsonparse_copy_plain(s);
		if (s->p == s->end)
			return -EINVAL;
		if (accept(s, '"'))
			break;
		r = parse_specials(s);
		if (r < 0)
			return r;
	}
	*s->out++ = 0;
	return 0;
}

/* ---- other scalars ---- */

static bool parse_digits(struct parser *s, uint64_t *n)
{
	const char *start = s->p;

	for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++)
		*n = *n * 10 + (uint64_t)(*s->p - '0');
	return s->p > start;
}

static double convert(const char *text, size_t len)
{
	_cleanup_(freep) char *copy = must(strndup(text, len));

	return strtod(copy, NULL);
}

/*
 * If the digits and the power of ten are both exact as doubles, their quotient is rounded once and therefore correctly
 * (Clinger, "How to Read Floating Point Numbers Accurately", 1990). That covers nearly all numbers; strtod() takes ten times
 * as long.
 */
static int jsonparse_parse_number(struct parser *s, double *ret)
{
	static const double powers[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	};
	const char *start = s->p, *point;
	bool negative = accept(s, '-'), simple = true;
	size_t decimals = 0;
	uint64_t n = 0;

	if (!accept(s, '0') && !parse_digits(s, &n))
		return -EINVAL;
	point = s->p;
	if (accept(s, '.')) {
		if (!parse_digits(s, &n))
			return -EINVAL;
		decimals = (size_t)(s->p - point) - 1;
	}
	if (accept(s, 'e') || accept(s, 'E')) {
		simple = false;
		if (!accept(s, '+'))
			accept(s, '-');
		if (!parse_digits(s, &(uint64_t){ 0 }))
			return -EINVAL;
	}
	if (simple && (size_t)(s->p - start) < ARRAY_SIZE(powers) && n <= 1ULL << 53)
		*ret = (negative ? -(double)n : (double)n) / powers[decimals];
	else
		*ret = convert(start, (size_t)(s->p - start));
	return 0;
}

static int jsonparse_parse_word(struct parser *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len) != 0)
		return -EINVAL;
	s->p += len;
	return 0;
}

static int parse_scalar(struct parser *s, struct json *v)
{
	switch (s->p < s->end ? *s->p : 0) {
	case '"':
		s->p++;
		v->type = JSON_STRING;
		return jsonparse_parse_string(s, &v->text);
	case 't':
		v->type = JSON_BOOL;
		v->truth = true;
		return jsonparse_parse_word(s, "true");
	case 'f':
		v->type = JSON_BOOL;
		return jsonparse_parse_word(s, "false");
	case 'n':
		v->type = JSON_NULL;
		return jsonparse_parse_word(s, "null");
	default:
		v->type = JSON_NUMBER;
		return jsonparse_parse_number(s, &v->number);
	}
}

/* ---- the tree ---- */

static struct json *jsonparse_value_at(struct parser *s, uint32_t n)
{
	return &s->tree->values[n];
}

static void grow(struct parser *s, uint32_t room)
{
	s->tree = must(realloc(s->tree, sizeof(*s->tree) + room * sizeof(struct json)));
	s->room = room;
}

static struct json *add_value(struct parser *s)
{
	struct json *v;

	if (s->count == s->room)
		grow(s, 2 * s->room);
	v = jsonparse_value_at(s, s->count++);
	*v = (struct json){};
	return v;
}

/* Parses a member's name and the colon after it. */
static int jsonparse_parse_name(struct parser *s, struct json *v)
{
	int r;

	jsonparse_skip_blanks(s);
	r = accept(s, '"') ? jsonparse_parse_string(s, &v->name) : -EINVAL;
	if (r < 0)
		return r;
	v->name_len = (uint32_t)(s->out - v->name) - 1;
	jsonparse_skip_blanks(s);
	return accept(s, ':') ? 1 : -EINVAL;
}

/* Adds a child to the open container. Returns 1: the caller parses its value next. */
static int add_child(struct parser *s)
{
	struct json *v = add_value(s), *parent = jsonparse_value_at(s, s->open);

	parent->count++;
	return parent->type == JSON_OBJECT ? jsonparse_parse_name(s, v) : 1;
}

static char closing(const struct json *container)
{
	return container->type == JSON_OBJECT ? '}' : ']';
}

/* Parses the value added last. 0: it is complete. 1: it is a container whose first child was added. */
static int jsonparse_parse_value(struct parser *s)
{
	uint32_t n = s->count - 1;
	struct json *v = jsonparse_value_at(s, n);

	jsonparse_skip_blanks(s);
	s->last = n;
	if (s->p == s->end || (*s->p != '{' && *s->p != '[')) {
		v->source = (uint32_t)(s->p - s->text);
		return parse_scalar(s, v);
	}
	if (s->depth == s->max_depth)
		return -E2BIG;
	v->type = *s->p++ == '{' ? JSON_OBJECT : JSON_ARRAY;
	jsonparse_skip_blanks(s);
	if (accept(s, closing(v)))
		return 0;
	v->first = 1;
	v->next = s->open;
	s->open = n;
	s->depth++;
	return add_child(s);
}

/* After a value: closes the containers that end here. 0 at the end of the text, 1 when another value follows. */
static int parse_rest(struct parser *s)
{
	while (s->depth) {
		struct json *container = jsonparse_value_at(s, s->open);

		jsonparse_skip_blanks(s);
		if (accept(s, ',')) {
			if (s->count > JSON_VALUES_MAX)
				return -EMSGSIZE;
			if (s->forgets)
				s->count = s->last;
			else
				jsonparse_value_at(s, s->last)->next = s->count - s->last;
			return add_child(s);
		}
		if (!accept(s, closing(container)))
			return -EINVAL;
		s->last = s->open;
		s->open = container->next;
		container->next = 0;
		s->depth--;
	}
	jsonparse_skip_blanks(s);
	return s->p == s->end ? 0 : -EINVAL;
}

/* `ret_stop` gets where a text that is refused is wrong; it may be NULL. */
static int jsonparse_parse(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes, bool forgets,
			   struct json **ret, const char **ret_stop)
{
	struct parser s = {
		.text = text, .p = text, .end = text + len, .escapes = escapes, .max_depth = max_depth, .forgets = forgets
	};
	_cleanup_(json_freep) struct json *root = NULL;
	int r;

	assert(max_depth <= JSON_DEPTH_MAX && len <= UINT32_MAX);
	grow(&s, MIN((uint32_t)len / 16 + 4, ROOM_FIRST));
	s.tree->texts = s.out = must(malloc(len + WORD));
	add_value(&s);
	do {
		r = jsonparse_parse_value(&s);
		if (r == 0)
			r = parse_rest(&s);
	} while (r > 0);
	root = jsonparse_value_at(&s, 0);
	if (ret_stop)
		*ret_stop = r == 0 && s.refused ? s.refused : s.p;
	if (r < 0 || s.refused)
		return r < 0 ? r : -EBADMSG;
	*ret = TAKE_PTR(root);
	return 0;
}

int json_parse(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes, struct json **ret)
{
	return jsonparse_parse(text, len, max_depth, escapes, false, ret, NULL);
}

int json_check(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes)
{
	_cleanup_(json_freep) struct json *v = NULL;

	return jsonparse_parse(text, len, max_depth, escapes, true, &v, NULL);
}

struct json *json_copy(const struct json *v)
{
	_cleanup_(str_done) struct str text = {};
	struct json *copy = NULL;

	if (!v)
		return NULL;
	json_print(&text, v);
	json_parse(text.data, text.len, JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &copy);
	return copy;
}

struct json_place json_refused_at(const char *text, size_t len, unsigned max_depth, enum json_escapes escapes)
{
	_cleanup_(json_freep) struct json *v = NULL;
	struct json_place place = { 1, 1 };
	const char *stop = text;

	jsonparse_parse(text, len, max_depth, escapes, true, &v, &stop);
	for (const char *p = text; p < stop; p++) {
		bool ends_line = *p == '\n', continues = ((unsigned char)*p & 0xc0) == 0x80; /* of a UTF-8 sequence */

		place.line += ends_line;
		place.column = ends_line ? 1 : place.column + !continues;
	}
	return place;
}

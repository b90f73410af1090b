#include "test.h"

#include "view_fixture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/notation.h"

static uint64_t random_state;

void random_begin(void)
{
	const char *seed = getenv("VIEW_SEED");

	random_state = seed ? strtoull(seed, NULL, 0) : clock_now() | 1;
	print_message("VIEW_SEED=%llu\n", (unsigned long long)random_state);
}

/* xorshift64*, Vigna 2016 */
unsigned random_below(unsigned n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned)((random_state * 2685821657736338717ull) >> 33) % n;
}

bool random_chance(unsigned in_1000)
{
	return random_below(1000) < in_1000;
}

/* ---- rows ---- */

void add_row(struct str *rows, unsigned depth, char kind, const char *flags, const char *text)
{
	static unsigned key;

	str_appendf(rows, "%u %c %s k%u\t%s\n", depth, kind, *flags ? flags : "-", ++key, text);
}

void add_rowf(struct str *rows, unsigned depth, char kind, const char *flags, const char *format, ...)
{
	_cleanup_(str_done) struct str text = {};
	va_list ap;

	va_start(ap, format);
	str_vappendf(&text, format, ap);
	va_end(ap);
	add_row(rows, depth, kind, flags, str_text(&text));
}

/* The character for a mark that scripts/outline.js writes where the text of a test has a character of notation outside of quotes; 0: none. */
static char mark_at(const char *text, const char *at, bool may_be_focus)
{
	static const char focus[] = " active";

	if (at[0] == '"')
		return '\x01';
	if (at[0] == '|' && at > text && at[-1] == ' ' && at[1] == ' ')
		return '\x02';
	if ((at[0] == ',' || at[0] == ':') && at[1] == ' ')
		return at[0] == ',' ? '\x03' : '\x04';
	if (at[0] == ' ' && notation_name(at + 1, strnlen(at + 1, 48), "e"))
		return '\x05';
	return may_be_focus && strncmp(at, focus, strlen(focus)) == 0 && strchr(" :\n", at[strlen(focus)]) ? '\x06' : 0;
}

/* The text of one row, up to the end of the line. */
static const char *append_marked(struct str *out, const char *text, char kind)
{
	bool quoted = false, may_be_focus = kind != 't' && kind != 'I';
	const char *at;

	for (at = text; *at && *at != '\n'; at++) {
		char mark = quoted ? 0 : mark_at(text, at, may_be_focus);

		str_append_char(out, mark ? mark : *at);
		if (quoted && *at == '\\' && at[1])
			str_append_char(out, *++at);
		else if (*at == '"')
			quoted = !quoted;
		if (mark == '\x05')
			may_be_focus = true;
		else if (mark == '\x02' || mark == '\x03' || mark == '\x04')
			may_be_focus = false;
	}
	return at;
}

void add_marks(struct str *out, const char *rows)
{
	while (*rows) {
		size_t head = strcspn(rows, "\t\n"), kind = strcspn(rows, " \t\n");

		head += rows[head] == '\t';
		str_append_len(out, rows, head);
		rows = append_marked(out, rows + head, kind + 1 < head ? rows[kind + 1] : 't');
		if (*rows)
			str_append_char(out, *rows++);
	}
}

struct outline *outline_of(const char *rows)
{
	_cleanup_(str_done) struct str text = {};
	struct outline *c = NULL;

	add_marks(&text, rows);
	assert_int_equal(outline_new(&text, &c), 0);
	return c;
}

struct outline *simple_page(unsigned count)
{
	_cleanup_(str_done) struct str rows = {};

	add_row(&rows, 0, 'C', "", "table e1");
	for (unsigned i = 0; i < count; i++)
		add_rowf(&rows, 1, 'I', "", "row | %u", i);
	return outline_of(str_text(&rows));
}

enum cursor_outcome ask_cursor(struct cursors *all, const char *name, struct str *out)
{
	str_reset(out);
	return cursors_show(all, name, 1000, out);
}

size_t cursors_in(const char *text, unsigned *numbers, size_t max)
{
	static const char word[] = "cursor c";
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, word)) && count < max;) {
		at += strlen(word);
		if (isdigit((unsigned char)*at))
			numbers[count++] = (unsigned)strtoul(at, NULL, 10);
	}
	return count;
}

/* ---- trees ---- */

static void free_node(struct node *n)
{
	for (size_t i = 0; i < n->count; i++)
		free_node(n->in[i]);
	free(n->in);
	free(n->role);
	free(n->name);
	free(n->content);
	free(n);
}

static void insert(struct node *around, size_t at, struct node *n)
{
	around->in = must(realloc(around->in, (around->count + 1) * sizeof(struct node *)));
	memmove(around->in + at + 1, around->in + at, (around->count - at) * sizeof(struct node *));
	around->in[at] = n;
	around->count++;
	n->around = around;
}

static void take_out(struct node *n)
{
	struct node *around = n->around;
	size_t at = 0;

	while (around->in[at] != n)
		at++;
	memmove(around->in + at, around->in + at + 1, (around->count - at - 1) * sizeof(struct node *));
	around->count--;
}

void model_remove(struct node *n)
{
	take_out(n);
	free_node(n);
}

static unsigned last_number;

static char *random_words(unsigned most)
{
	static const char *const words[] = { "Ada", "Globex", "open",   "paid", "late",   "Berlin",
					     "42",  "1,204",  "größer", "雪",   "report", "of" };
	_cleanup_(str_done) struct str text = {};

	for (unsigned n = 1 + random_below(most); n-- > 0;)
		str_appendf(&text, "%s%s", text.len ? " " : "", words[random_below(ARRAY_SIZE(words))]);
	str_appendf(&text, " n%u", ++last_number); /* each is there only once */
	return str_take(&text);
}

struct node *model_add(struct model *m, struct node *around, size_t at, char kind, const char *role)
{
	struct node *n = NEW(struct node);

	n->kind = kind;
	n->role = role ? must(strdup(role)) : NULL;
	n->key = ++m->last_key;
	n->frame = around->frame;
	insert(around, at, n);
	return n;
}

static void give_ref(struct model *m, struct node *n)
{
	n->ref = ++m->last_ref;
}

static const struct {
	char kind;
	const char *role;
} container_table[] = { { 'L', "region" }, { 'C', "list" },     { 'C', "table" },  { 'D', "dialog" },
			{ 'L', "main" },   { 'I', "listitem" }, { 'A', "iframe" }, { 'o', "group" } };

static struct node *add_container(struct model *m, struct node *around, size_t at)
{
	unsigned which = random_below(ARRAY_SIZE(container_table));
	struct node *n = model_add(m, around, at, container_table[which].kind, container_table[which].role);

	if (strcmp(n->role, "iframe") == 0 || m->named_containers || random_chance(500))
		give_ref(m, n);
	if (m->named_containers || random_chance(500))
		n->name = random_words(2);
	if (strcmp(n->role, "iframe") == 0)
		n->frame++;
	return n;
}

static struct node *add_leaf(struct model *m, struct node *around, size_t at)
{
	struct node *n;

	switch (random_below(5)) {
	case 0: /* a text */
		n = model_add(m, around, at, 't', NULL);
		n->content = random_words(6);
		return n;
	case 1: /* the row of a table */
		n = model_add(m, around, at, 'I', NULL);
		if (random_chance(600)) {
			n->role = must(strdup("link"));
			n->name = random_words(2);
			give_ref(m, n);
		}
		n->content = random_words(3);
		return n;
	case 2:
		n = model_add(m, around, at, (char)('1' + random_below(3)), "h2");
		n->name = random_words(4);
		return n;
	case 3:
		n = model_add(m, around, at, 'A', "textbox");
		n->content = random_chance(500) ? random_words(3) : NULL;
		break;
	default:
		n = model_add(m, around, at, 'A', random_chance(500) ? "button" : "link");
		n->disabled = random_chance(100);
	}
	n->name = random_words(2);
	give_ref(m, n);
	return n;
}

/* The number-th row below `n`, counted down. */
static struct node *find_row(struct node *n, size_t *number)
{
	for (size_t i = 0; i < n->count; i++) {
		struct node *found = (*number)-- == 0 ? n->in[i] : find_row(n->in[i], number);

		if (found)
			return found;
	}
	return NULL;
}

size_t model_count(const struct node *n)
{
	size_t count = n->count;

	for (size_t i = 0; i < n->count; i++)
		count += model_count(n->in[i]);
	return count;
}

static struct node *random_row(const struct model *m)
{
	size_t count = model_count(m->root), number;

	if (!count)
		return NULL;
	number = random_below((unsigned)count);
	return find_row(m->root, &number);
}

static bool is_container(const struct node *n)
{
	for (size_t i = 0; i < ARRAY_SIZE(container_table); i++)
		if (n->role && !n->content && strcmp(n->role, container_table[i].role) == 0)
			return true;
	return n->around == NULL;
}

/* A container, the root in doubt. */
static struct node *random_container(const struct model *m)
{
	for (unsigned tries = 0; tries < 8; tries++) {
		struct node *n = random_row(m);

		if (n && is_container(n))
			return n;
	}
	return m->root;
}

static unsigned depth_of(const struct node *n)
{
	unsigned depth = 0;

	while ((n = n->around))
		depth++;
	return depth;
}

static void fill(struct model *m, struct node *n, unsigned *left)
{
	unsigned count = 1 + random_below(depth_of(n) > 8 ? 3 : 12);

	for (unsigned i = 0; i<count && * left> 0; i++) {
		--*left;
		if (random_chance(depth_of(n) > 12 ? 0 : 300))
			fill(m, add_container(m, n, n->count), left);
		else
			add_leaf(m, n, n->count);
	}
}

void model_init(struct model *m, unsigned rows)
{
	m->root = NEW(struct node);
	while (rows > 0)
		fill(m, m->root, &rows);
}

void model_done(struct model *m)
{
	free_node(m->root);
}

/* ---- changes ---- */

static void renew(struct model *m, struct node *n, bool refs)
{
	n->key = ++m->last_key;
	if (n->ref && refs)
		give_ref(m, n);
	for (size_t i = 0; i < n->count; i++)
		renew(m, n->in[i], refs);
}

static void change_text(struct node *n)
{
	char **text = n->name && random_chance(500) ? &n->name : n->content ? &n->content : n->name ? &n->name : NULL;

	if (!text || random_chance(200)) {
		n->disabled = !n->disabled && n->ref;
		return;
	}
	free(*text);
	*text = random_words(4);
}

static bool is_in(const struct node *n, const struct node *around)
{
	for (; n; n = n->around)
		if (n == around)
			return true;
	return false;
}

static void move_away(const struct model *m, struct node *n)
{
	struct node *to = random_container(m);

	if (is_in(to, n) || to->frame != n->around->frame)
		return; /* a page cannot move what is in a frame */
	take_out(n);
	insert(to, random_below((unsigned)to->count + 1), n);
}

/* An item becomes one line, or one line becomes rows. */
static void turn_over(struct model *m, struct node *n)
{
	if (n->kind != 'I')
		return;
	if (n->content && n->role) {
		free(n->content);
		n->content = NULL;
		add_leaf(m, n, 0);
		add_leaf(m, n, 1);
		return;
	}
	while (n->count)
		model_remove(n->in[0]);
	if (!n->content)
		n->content = random_words(3);
}

static void change_once(struct model *m)
{
	struct node *n = random_row(m), *to = random_container(m);

	switch (n ? random_below(10) : 0) {
	case 0:
		add_leaf(m, to, random_below((unsigned)to->count + 1));
		break;
	case 1: {
		unsigned left = 1 + random_below(12);

		fill(m, add_container(m, to, random_below((unsigned)to->count + 1)), &left);
		break;
	}
	case 2:
		model_remove(n);
		break;
	case 3: /* among its siblings */
		to = n->around;
		take_out(n);
		insert(to, random_below((unsigned)to->count + 1), n);
		break;
	case 4:
		move_away(m, n);
		break;
	case 5:
		if (n->ref)
			give_ref(m, n);
		break;
	case 6: /* written again by the page: new elements, old texts */
		renew(m, n, random_chance(700));
		break;
	case 7:
		if (!is_container(n))
			n->ticks = true;
		change_text(n);
		break;
	case 8:
		turn_over(m, n);
		break;
	default:
		change_text(n);
	}
}

void model_change(struct model *m, unsigned most)
{
	for (unsigned n = 1 + random_below(most); n-- > 0;)
		change_once(m);
}

/* ---- writing ---- */

static void write_text(const struct node *n, struct str *out)
{
	str_append(out, n->role ? n->role : "");
	if (n->name)
		str_appendf(out, " \"%s\"", n->name);
	if (n->ref && n->frame - (strcmp(n->role, "iframe") == 0))
		str_appendf(out, " f%ue%u", n->frame, n->ref);
	else if (n->ref)
		str_appendf(out, " e%u", n->ref);
	str_append(out, n->disabled ? " disabled" : "");
	if (n->content && n->role)
		str_append(out, n->kind == 'I' ? " | " : ": ");
	str_append(out, n->content ? n->content : "");
}

static void write_node(const struct node *n, unsigned depth, struct str *out)
{
	str_appendf(out, "%u %c %s%s%s%s k%llu\t", depth, n->kind, n->ticks ? "s" : "", n->focused ? "f" : "", n->place ? "p" : "",
		    n->ticks || n->focused || n->place ? "" : "-", (unsigned long long)n->key);
	write_text(n, out);
	str_append_char(out, '\n');
	for (size_t i = 0; i < n->count; i++)
		write_node(n->in[i], depth + 1, out);
}

void model_write(const struct model *m, struct str *out)
{
	for (size_t i = 0; i < m->root->count; i++)
		write_node(m->root->in[i], 0, out);
}

struct outline *model_outline(const struct model *m)
{
	_cleanup_(str_done) struct str rows = {};

	model_write(m, &rows);
	return outline_of(str_text(&rows));
}

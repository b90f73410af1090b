#include "reply/artifacts.h"

#include <ctype.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "base/beneath.h"
#include "base/clock.h"
#include "base/limits.h"

struct served {
	TAILQ_ENTRY(served) link, beside; /* of all, and of the owner's */
	struct shelf *shelf;
	struct artifact shown;
	char *root, *rest, *uri;   /* together the path of the file, as in struct output_file */
	struct file_identity left; /* identity of the file after the last write */
	usec_t written;
};

/* The artifacts of one owner. */
struct shelf {
	LIST_ENTRY(shelf) link;
	uint64_t owner, bytes;
	unsigned count;
	TAILQ_HEAD(, served) entries; /* in the order of their last write */
	void *by_path;                /* tsearch() tree of the same */
};

/* Entries in the order of their last write. */
struct artifacts {
	TAILQ_HEAD(, served) entries;
	LIST_HEAD(, shelf) shelves; /* none is empty */
	void *by_owner;             /* tsearch() tree of the same */
	uint64_t last_number, bytes;
	unsigned count;
};

static int artifacts_compare_paths(const void *a, const void *b)
{
	const struct served *x = a, *y = b;
	int order = strcmp(x->rest, y->rest);

	return order ? order : strcmp(x->root, y->root);
}

static int artifacts_compare_owners(const void *a, const void *b)
{
	uint64_t x = ((const struct shelf *)a)->owner, y = ((const struct shelf *)b)->owner;

	return (x > y) - (x < y);
}

struct artifacts *artifacts_new(void)
{
	struct artifacts *a = NEW(struct artifacts);

	TAILQ_INIT(&a->entries);
	return a;
}

static struct shelf *find_shelf(const struct artifacts *a, uint64_t owner)
{
	struct shelf *const *found = tfind(&(const struct shelf){ .owner = owner }, &a->by_owner, artifacts_compare_owners);

	return found ? *found : NULL;
}

static struct shelf *find_or_add_shelf(struct artifacts *a, uint64_t owner)
{
	struct shelf *s = find_shelf(a, owner);

	if (s)
		return s;
	s = NEW(struct shelf);
	s->owner = owner;
	TAILQ_INIT(&s->entries);
	LIST_INSERT_HEAD(&a->shelves, s, link);
	must(tsearch(s, &a->by_owner, artifacts_compare_owners));
	return s;
}

static void set_size(struct artifacts *a, struct served *e, uint64_t size)
{
	a->bytes += size - e->shown.size;
	e->shelf->bytes += size - e->shown.size;
	e->shown.size = size;
}

static void drop_shelf(struct artifacts *a, struct shelf *s)
{
	tdelete(s, &a->by_owner, artifacts_compare_owners);
	LIST_REMOVE(s, link);
	free(s);
}

static void artifacts_drop(struct artifacts *a, struct served *e)
{
	struct shelf *s = e->shelf;

	set_size(a, e, 0);
	tdelete(e, &s->by_path, artifacts_compare_paths);
	TAILQ_REMOVE(&s->entries, e, beside);
	TAILQ_REMOVE(&a->entries, e, link);
	a->count--;
	if (--s->count == 0)
		drop_shelf(a, s);
	free(e->root);
	free(e->rest);
	free(e->uri);
	free(e);
}

struct artifacts *artifacts_free(struct artifacts *a)
{
	if (!a)
		return NULL;
	while (!TAILQ_EMPTY(&a->entries))
		artifacts_drop(a, TAILQ_FIRST(&a->entries));
	free(a);
	return NULL;
}

static bool is_old(const struct served *e)
{
	return clock_now() - e->written > LIMIT_ARTIFACT_AGE * USEC_PER_SEC;
}

/* The oldest artifact of the owner with the most, so that one owner cannot displace the artifacts of the others. */
static struct served *surplus_of(const struct artifacts *a, bool bytes)
{
	struct served *oldest = NULL;
	const struct shelf *s;
	uint64_t most = 0;

	LIST_FOREACH(s, &a->shelves, link) {
		uint64_t sum = bytes ? s->bytes : s->count;

		if (oldest && (sum < most || (sum == most && TAILQ_FIRST(&s->entries)->written > oldest->written)))
			continue;
		oldest = TAILQ_FIRST(&s->entries);
		most = sum;
	}
	return oldest;
}

/* Removes expired entries and enforces the limits. The newest artifact always stays, however large it is. */
static void artifacts_drop_surplus(struct artifacts *a)
{
	struct served *e;

	while ((e = TAILQ_FIRST(&a->entries)) && TAILQ_NEXT(e, link) && is_old(e))
		artifacts_drop(a, e);
	while (a->count > LIMIT_ARTIFACTS_COUNT || a->bytes > LIMIT_ARTIFACTS_BYTES) {
		e = surplus_of(a, a->bytes > LIMIT_ARTIFACTS_BYTES);
		if (!TAILQ_NEXT(e, link))
			return;
		artifacts_drop(a, e);
	}
}

static const char *artifacts_type_of(const char *name)
{
	static const struct {
		const char *ending, *type;
	} types[] = {
		{ "png", "image/png" },       { "jpg", "image/jpeg" },      { "jpeg", "image/jpeg" },
		{ "webp", "image/webp" },     { "pdf", "application/pdf" }, { "yml", "text/yaml" },
		{ "yaml", "text/yaml" },      { "md", "text/markdown" },    { "txt", "text/plain" },
		{ "log", "text/plain" },      { "html", "text/html" },      { "css", "text/css" },
		{ "csv", "text/csv" },        { "js", "text/javascript" },  { "json", "application/json" },
		{ "zip", "application/zip" },
	};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_SIZE(types); i++)
		if (strcasecmp(types[i].ending, dot + 1) == 0)
			return types[i].type;
	return "application/octet-stream";
}

/* Escapes all characters but the unreserved ones of RFC 3986, 2.3. */
static void append_escaped(struct str *out, const char *name)
{
	for (; *name; name++)
		if (isalnum((unsigned char)*name) || strchr("-._~", *name))
			str_append_char(out, *name);
		else
			str_appendf(out, "%%%02X", (unsigned char)*name);
}

static struct served *artifacts_add_served(struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	struct served *e = NEW(struct served);
	struct str uri = {};
	const char *slash;

	e->shelf = find_or_add_shelf(a, owner);
	e->root = must(strdup(f->root));
	e->rest = must(strdup(f->rest));
	slash = strrchr(e->rest, '/');
	e->shown.name = slash ? slash + 1 : e->rest;
	str_appendf(&uri, ARTIFACT_URI "%" PRIu64 "/", ++a->last_number);
	append_escaped(&uri, e->shown.name);
	e->shown.uri = e->uri = str_take(&uri);
	e->shown.type = artifacts_type_of(e->shown.name);
	TAILQ_INSERT_TAIL(&a->entries, e, link);
	TAILQ_INSERT_TAIL(&e->shelf->entries, e, beside);
	must(tsearch(e, &e->shelf->by_path, artifacts_compare_paths));
	e->shelf->count++;
	a->count++;
	return e;
}

static struct served *find_file(const struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	const struct served wanted = { .root = (char *)f->root, .rest = (char *)f->rest };
	const struct shelf *s = find_shelf(a, owner);
	struct served *const *found = s ? tfind(&wanted, &s->by_path, artifacts_compare_paths) : NULL;

	return found ? *found : NULL;
}

const struct artifact *artifacts_add(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st)
{
	struct served *e = find_file(a, owner, f);

	if (!e)
		e = artifacts_add_served(a, owner, f);
	set_size(a, e, (uint64_t)MAX(st->st_size, (off_t)0));
	e->left = file_identity(st);
	e->written = clock_now();
	TAILQ_REMOVE(&a->entries, e, link);
	TAILQ_INSERT_TAIL(&a->entries, e, link);
	TAILQ_REMOVE(&e->shelf->entries, e, beside);
	TAILQ_INSERT_TAIL(&e->shelf->entries, e, beside);
	artifacts_drop_surplus(a);
	return &e->shown;
}

const struct artifact *artifacts_find(struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	const struct served *e = find_file(a, owner, f);

	return e ? &e->shown : NULL;
}

bool artifacts_is_unchanged(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st)
{
	const struct served *e = find_file(a, owner, f);
	struct file_identity now = file_identity(st);

	return e && file_identity_equals(&e->left, &now);
}

void artifacts_end(struct artifacts *a, uint64_t owner)
{
	struct shelf *s = find_shelf(a, owner);

	for (unsigned left = s ? s->count : 0; left > 0; left--)
		artifacts_drop(a, TAILQ_FIRST(&s->entries));
}

void artifacts_each(struct artifacts *a, uint64_t owner, void (*each)(const struct artifact *artifact, void *data), void *data)
{
	const struct shelf *s = find_shelf(a, owner);
	const struct served *e;

	for (e = s ? TAILQ_FIRST(&s->entries) : NULL; e; e = TAILQ_NEXT(e, beside))
		if (!is_old(e))
			each(&e->shown, data);
}

const struct artifact *artifacts_by_uri(struct artifacts *a, uint64_t owner, const char *uri, struct output_file *ret)
{
	const struct shelf *s = find_shelf(a, owner);
	const struct served *e = s ? TAILQ_FIRST(&s->entries) : NULL;

	while (e && strcmp(e->uri, uri) != 0)
		e = TAILQ_NEXT(e, beside);
	if (!e || is_old(e))
		return NULL;
	*ret = (struct output_file){ .path = e->rest, .root = e->root, .rest = e->rest };
	return &e->shown;
}

#include "reply/artifacts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "base/base64.h"
#include "base/beneath.h"
#include "base/clock.h"
#include "base/limits.h"

struct entry {
	TAILQ_ENTRY(entry) link;
	struct artifact shown;
	char *root, *rest, *uri;   /* together the path of the file, as in struct output_file */
	struct file_identity left; /* identity of the file after the last write */
	uint64_t owner;
	usec_t written;
};

/* Entries in the order of their last write. */
struct artifacts {
	TAILQ_HEAD(, entry) entries;
	uint64_t last_number, bytes;
	unsigned count;
};

struct artifacts *artifacts_new(void)
{
	struct artifacts *a = NEW(struct artifacts);

	TAILQ_INIT(&a->entries);
	return a;
}

static void drop(struct artifacts *a, struct entry *e)
{
	TAILQ_REMOVE(&a->entries, e, link);
	a->bytes -= e->shown.size;
	a->count--;
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
		drop(a, TAILQ_FIRST(&a->entries));
	free(a);
	return NULL;
}

static bool is_old(const struct entry *e)
{
	return clock_now() - e->written > LIMIT_ARTIFACT_AGE * USEC_PER_SEC;
}

/* The number of an owner's artifacts, or their size in bytes. */
static uint64_t sum_of_owner(const struct artifacts *a, uint64_t owner, bool bytes)
{
	const struct entry *e;
	uint64_t sum = 0;

	TAILQ_FOREACH(e, &a->entries, link)
		if (e->owner == owner)
			sum += bytes ? e->shown.size : 1;
	return sum;
}

static struct entry *oldest_of(struct artifacts *a, uint64_t owner)
{
	struct entry *e;

	TAILQ_FOREACH(e, &a->entries, link)
		if (e->owner == owner)
			break;
	return e;
}

/* The oldest artifact of the owner with the most, so that one owner cannot displace the artifacts of the others. */
static struct entry *surplus_of(struct artifacts *a, bool bytes)
{
	struct entry *e, *ret = NULL;
	uint64_t most = 0, sum;

	TAILQ_FOREACH(e, &a->entries, link) {
		if ((ret && e->owner == ret->owner) || oldest_of(a, e->owner) != e)
			continue;
		sum = sum_of_owner(a, e->owner, bytes);
		if (!ret || sum > most) {
			ret = e;
			most = sum;
		}
	}
	return ret;
}

/* Removes expired entries and enforces the limits. The newest artifact always stays, however large it is. */
static void drop_surplus(struct artifacts *a)
{
	struct entry *e;

	while ((e = TAILQ_FIRST(&a->entries)) && TAILQ_NEXT(e, link) && is_old(e))
		drop(a, e);
	while (a->count > LIMIT_ARTIFACTS_COUNT || a->bytes > LIMIT_ARTIFACTS_BYTES) {
		e = surplus_of(a, a->bytes > LIMIT_ARTIFACTS_BYTES);
		if (!TAILQ_NEXT(e, link))
			return;
		drop(a, e);
	}
}

static const char *type_of(const char *name)
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

static struct entry *add(struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	struct entry *e = NEW(struct entry);
	struct str uri = {};
	const char *slash;

	e->owner = owner;
	e->root = must(strdup(f->root));
	e->rest = must(strdup(f->rest));
	slash = strrchr(e->rest, '/');
	e->shown.name = slash ? slash + 1 : e->rest;
	str_appendf(&uri, ARTIFACT_URI "%" PRIu64 "/", ++a->last_number);
	append_escaped(&uri, e->shown.name);
	e->shown.uri = e->uri = str_take(&uri);
	e->shown.type = type_of(e->shown.name);
	TAILQ_INSERT_TAIL(&a->entries, e, link);
	a->count++;
	return e;
}

static struct entry *find_file(struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	struct entry *e;

	TAILQ_FOREACH(e, &a->entries, link)
		if (e->owner == owner && strcmp(e->rest, f->rest) == 0 && strcmp(e->root, f->root) == 0)
			return e;
	return NULL;
}

const struct artifact *artifacts_add(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st)
{
	struct entry *e = find_file(a, owner, f);

	if (!e)
		e = add(a, owner, f);
	a->bytes -= e->shown.size;
	e->shown.size = (uint64_t)MAX(st->st_size, (off_t)0);
	a->bytes += e->shown.size;
	e->left = file_identity(st);
	e->written = clock_now();
	TAILQ_REMOVE(&a->entries, e, link);
	TAILQ_INSERT_TAIL(&a->entries, e, link);
	drop_surplus(a);
	return &e->shown;
}

const struct artifact *artifacts_find(struct artifacts *a, uint64_t owner, const struct output_file *f)
{
	const struct entry *e = find_file(a, owner, f);

	return e ? &e->shown : NULL;
}

bool artifacts_is_unchanged(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st)
{
	const struct entry *e = find_file(a, owner, f);
	struct file_identity now = file_identity(st);

	return e && file_identity_equals(&e->left, &now);
}

void artifacts_end(struct artifacts *a, uint64_t owner)
{
	struct entry *e, *next;

	for (e = TAILQ_FIRST(&a->entries); e; e = next) {
		next = TAILQ_NEXT(e, link);
		if (e->owner == owner)
			drop(a, e);
	}
}

void artifacts_each(struct artifacts *a, uint64_t owner, void (*each)(const struct artifact *artifact, void *data), void *data)
{
	struct entry *e;

	TAILQ_FOREACH(e, &a->entries, link)
		if (e->owner == owner && !is_old(e))
			each(&e->shown, data);
}

static bool is_text(const char *type, const struct str *data)
{
	size_t n;

	if (strncmp(type, "text/", 5) != 0 && strcmp(type, "application/json") != 0)
		return false;
	for (size_t at = 0; at < data->len; at += n) {
		n = utf8_sequence(data->data + at, data->len - at);
		if (n == 0)
			return false;
	}
	return true;
}

static void append_contents(struct str *out, const struct artifact *shown, const struct str *data)
{
	str_json(out, "{uri: ?, mimeType: ?,", shown->uri, shown->type);
	if (is_text(shown->type, data)) {
		str_append(out, "\"text\":");
		str_append_quoted(out, str_text(data), data->len);
	} else {
		str_append(out, "\"blob\":\"");
		base64_encode(out, (const uint8_t *)str_text(data), data->len);
		str_append_char(out, '"');
	}
	str_append_char(out, '}');
}

int artifacts_read(struct task *t, struct artifacts *a, uint64_t owner, const char *uri, struct str *out)
{
	_cleanup_(str_done) struct str data = {};
	struct output_file file;
	struct entry *e;
	int r;

	TAILQ_FOREACH(e, &a->entries, link)
		if (e->owner == owner && strcmp(e->uri, uri) == 0)
			break;
	if (!e || is_old(e))
		return -ENOENT;
	file = (struct output_file){ .path = e->rest, .root = e->root, .rest = e->rest };
	r = output_read(t, &file, LIMIT_ARTIFACT, &data);
	if (r == 0)
		append_contents(out, &e->shown, &data);
	return r;
}

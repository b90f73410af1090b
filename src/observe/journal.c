#include "observe/journal.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/limits.h"
#include "observe/clip.h"
#include "observe/redact.h"

#define CHUNK_FIRST ((size_t)4 << 10) /* quiet pages need little; sizes double up to CHUNK_LARGEST */
#define CHUNK_LARGEST ((size_t)64 << 10)
#define RING_FIRST 64

/* Chunks are listed in the order in which they were filled. `newest` is the newest event with data in the chunk. */
struct chunk {
	TAILQ_ENTRY(chunk) link;
	uint64_t newest;
	size_t size, used;
	alignas(max_align_t) char data[];
};

LIST_HEAD(listener_list, journal_listener);

static struct listener_list global_listeners;
static struct journal_totals totals;

const struct journal_totals *journal_totals(void)
{
	return &totals;
}

/* The journals of one owner. */
struct pool {
	LIST_ENTRY(pool) link;
	uint64_t owner;
	LIST_HEAD(, journal) journals;
	size_t bytes;
	bool grown; /* since the last comparison with the limit */
};

static LIST_HEAD(, pool) pools = LIST_HEAD_INITIALIZER(pools);

struct journal {
	unsigned refs;
	LIST_ENTRY(journal) pool_link;
	struct pool *pool; /* NULL: the journal has no owner */
	char target[64];
	size_t max_count, max_bytes, bytes;
	uint64_t first, end, dropped; /* events first..end-1 are held */
	struct observed **ring;       /* event n is at index n modulo ring_size, a power of two */
	size_t ring_size;
	TAILQ_HEAD(chunk_list, chunk) chunks;
	size_t next_chunk;
	uint64_t *
		buckets; /* hash table by request id, as large as the ring: number + 1 of the newest event; `chain` links the next */
	uint64_t document, restarted;
	int64_t restarted_at;
	unsigned last_number;
	uint64_t numbered; /* number of the first event that last_number counts */
	struct message_counts counts;
	struct listener_list listeners;
	bool is_private;
	const struct observed *filled; /* the event that was added last, until it is complete; NULL: none */
};

struct journal *journal_new(size_t max_count, size_t max_bytes)
{
	struct journal *j = NEW(struct journal);

	j->refs = 1;
	j->max_count = max_count;
	j->max_bytes = max_bytes;
	j->next_chunk = CHUNK_FIRST;
	TAILQ_INIT(&j->chunks);
	LIST_INIT(&j->listeners);
	j->restarted_at = clock_unix_msec();
	return j;
}

static void release_chunk(struct journal *j)
{
	struct chunk *c = TAILQ_FIRST(&j->chunks);

	TAILQ_REMOVE(&j->chunks, c, link);
	j->bytes -= c->size;
	totals.bytes -= c->size;
	if (j->pool)
		j->pool->bytes -= c->size;
	free(c);
}

static struct pool *find_pool(uint64_t owner)
{
	struct pool *p;

	LIST_FOREACH(p, &pools, link)
		if (p->owner == owner)
			return p;
	p = NEW(struct pool);
	p->owner = owner;
	LIST_INIT(&p->journals);
	LIST_INSERT_HEAD(&pools, p, link);
	return p;
}

static void leave_pool(struct journal *j)
{
	struct pool *p = TAKE_PTR(j->pool);

	if (!p)
		return;
	LIST_REMOVE(j, pool_link);
	p->bytes -= j->bytes;
	if (!LIST_EMPTY(&p->journals))
		return;
	LIST_REMOVE(p, link);
	free(p);
}

void journal_set_owner(struct journal *j, uint64_t owner)
{
	leave_pool(j);
	j->pool = find_pool(owner);
	j->pool->bytes += j->bytes;
	j->pool->grown = true;
	LIST_INSERT_HEAD(&j->pool->journals, j, pool_link);
}

struct journal *journal_ref(struct journal *j)
{
	j->refs++;
	return j;
}

struct journal *journal_free(struct journal *j)
{
	if (!j || --j->refs > 0)
		return NULL;
	leave_pool(j);
	while (!TAILQ_EMPTY(&j->chunks))
		release_chunk(j);
	free(j->ring);
	free(j->buckets);
	free(j);
	return NULL;
}

void journal_set_target(struct journal *j, const char *target_id)
{
	snprintf(j->target, sizeof(j->target), "%s", target_id);
}

const char *journal_target(const struct journal *j)
{
	return j->target;
}

/* Frees the chunks that hold no event any more. */
static void release_old_chunks(struct journal *j)
{
	struct chunk *c;

	while ((c = TAILQ_FIRST(&j->chunks)) && c->newest < j->first)
		release_chunk(j);
}

static void drop_oldest(struct journal *j)
{
	j->first++;
	j->dropped++;
	totals.dropped++;
	release_old_chunks(j);
}

/* The newest event may be the one that is being added. */
static bool may_drop(const struct journal *j)
{
	return j->end - j->first > 1;
}

/* Returns the journal with the most bytes of events that may be dropped. NULL: the pool is within its limit, or no journal has such events. */
static struct journal *find_surplus(const struct pool *p)
{
	size_t limit = LIMIT_OWNER_JOURNALS;
	struct journal *j, *largest = NULL;

	LIST_FOREACH(j, &p->journals, pool_link) {
		limit = MAX(limit, j->max_bytes);
		if (may_drop(j) && (!largest || j->bytes > largest->bytes))
			largest = j;
	}
	return p->bytes > limit ? largest : NULL;
}

/* Journals are compared for each chunk, not for each event. */
static void drop_surplus_of_pool(struct pool *p)
{
	struct journal *j;

	while (p->grown && p->bytes > LIMIT_OWNER_JOURNALS && (j = find_surplus(p))) {
		size_t before = j->bytes;

		while (may_drop(j) && j->bytes == before)
			drop_oldest(j);
	}
	p->grown = false;
}

static void drop_surplus(struct journal *j)
{
	while (may_drop(j) && (j->end - j->first > j->max_count || j->bytes > j->max_bytes))
		drop_oldest(j);
	if (j->pool)
		drop_surplus_of_pool(j->pool);
}

void journal_resize(struct journal *j, size_t max_count, size_t max_bytes)
{
	j->max_count = max_count;
	j->max_bytes = max_bytes;
	drop_surplus(j);
}

static struct chunk *add_chunk(struct journal *j, size_t at_least)
{
	size_t size = MAX(at_least, j->next_chunk);
	struct chunk *c = must(malloc(sizeof(*c) + size));

	c->size = size;
	c->used = 0;
	TAILQ_INSERT_TAIL(&j->chunks, c, link);
	j->bytes += size;
	totals.bytes += size;
	if (j->pool) {
		j->pool->bytes += size;
		j->pool->grown = true;
	}
	j->next_chunk = MIN(2 * j->next_chunk, CHUNK_LARGEST);
	return c;
}

static void *journal_take(struct journal *j, size_t size, size_t alignment)
{
	struct chunk *c = TAILQ_LAST(&j->chunks, chunk_list);
	size_t at = c ? (c->used + alignment - 1) & ~(alignment - 1) : 0;

	if (!c || at > c->size || c->size - at < size) {
		c = add_chunk(j, size);
		at = 0;
	}
	c->used = at + size;
	c->newest = j->end - 1;
	return c->data + at;
}

void *journal_alloc(struct journal *j, size_t size)
{
	return memset(journal_take(j, size, alignof(max_align_t)), 0, size);
}

/* FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>. The ids come from the browser, not from pages. */
static uint64_t *bucket_of(const struct journal *j, const char *id)
{
	uint32_t hash = 2166136261u;

	for (; *id; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619u;
	return &j->buckets[hash & (j->ring_size - 1)];
}

static void add_to_bucket(struct journal *j, struct observed *e)
{
	uint64_t *bucket = bucket_of(j, e->request_id);

	e->chain = *bucket;
	*bucket = e->seq + 1;
}

/* Those events are indexed that are their own request. */
static void make_buckets(struct journal *j)
{
	free(j->buckets);
	j->buckets = must(calloc(j->ring_size, sizeof(*j->buckets)));
	for (uint64_t n = j->first; n < j->end; n++) {
		struct observed *e = j->ring[n & (j->ring_size - 1)];

		if (e->request == e->seq)
			add_to_bucket(j, e);
	}
}

static void grow_ring(struct journal *j)
{
	size_t size = j->ring_size ? 2 * j->ring_size : RING_FIRST;
	struct observed **ring = must(calloc(size, sizeof(*ring)));

	for (uint64_t n = j->first; n < j->end; n++)
		ring[n & (size - 1)] = j->ring[n & (j->ring_size - 1)];
	free(j->ring);
	j->ring = ring;
	j->ring_size = size;
	if (j->buckets)
		make_buckets(j);
}

struct observed *journal_add(struct journal *j, enum observed_kind kind, const char *session)
{
	struct observed *e;

	if (j->end - j->first == j->ring_size)
		grow_ring(j);
	j->end++;
	e = journal_alloc(j, sizeof(*e));
	e->seq = j->end - 1;
	e->kind = kind;
	e->received = clock_unix_msec();
	e->is_private = j->is_private;
	j->filled = e;
	e->request = OBSERVED_NONE;
	e->session = journal_text(j, session, SIZE_MAX);
	if (kind == OBSERVED_REQUEST)
		e->sent.response = e->sent.end = OBSERVED_NONE;
	j->ring[e->seq & (j->ring_size - 1)] = e;
	return e;
}

char *journal_text(struct journal *j, const char *text, size_t limit)
{
	_cleanup_(str_done) struct str mark = {};
	size_t len, fits;
	char *copy;

	if (!text)
		return NULL;
	len = strlen(text);
	fits = clip_fit(text, len, limit);
	if (fits < len)
		clip_mark(&mark, len - fits);
	copy = journal_take(j, fits + mark.len + 1, 1);
	memcpy(copy, text, fits);
	memcpy(copy + fits, str_text(&mark), mark.len + 1);
	return copy;
}

void journal_set_private(struct journal *j, bool is_private)
{
	j->is_private = is_private;
}

void journal_follow(struct journal *j, struct observed *e, const struct observed *earlier)
{
	e->is_private |= earlier && earlier->is_private;
}

char *journal_masked(struct journal *j, const char *text, size_t limit)
{
	_cleanup_(str_done) struct str masked = {};

	if (text && j->filled && j->filled->is_private) {
		redact_privately(&masked, text);
		return journal_text(j, str_text(&masked), limit);
	}
	if (!text || !redact_active())
		return journal_text(j, text, limit);
	str_append(&masked, text);
	redact(&masked);
	return journal_text(j, str_text(&masked), limit);
}

static void count_message(struct message_counts *counts, const struct observed *e)
{
	counts->total++;
	counts->errors += e->kind == OBSERVED_EXCEPTION || e->message.kind == CONSOLE_ERROR;
	counts->warnings += e->kind != OBSERVED_EXCEPTION && e->message.kind == CONSOLE_WARNING;
}

static void notify_listeners(struct listener_list *listeners, const struct journal *j, const struct observed *e)
{
	struct journal_listener *l, *next;

	for (l = LIST_FIRST(listeners); l; l = next) {
		next = LIST_NEXT(l, link);
		l->observed(l, j, e);
	}
}

void journal_done(struct journal *j, struct observed *e)
{
	j->filled = NULL;
	if (e->kind & OBSERVED_MESSAGES)
		count_message(&j->counts, e);
	totals.events[__builtin_ctz(e->kind)]++;
	drop_surplus(j);
	notify_listeners(&global_listeners, j, e);
	notify_listeners(&j->listeners, j, e);
}

/* Chunks are in the order in which they were filled, so the body may outlive the event, but not the other way round. */
void journal_add_body(struct journal *j, struct observed *e, const void *body, size_t size)
{
	_cleanup_(str_done) struct str masked = {};
	char *copy;

	if (e->is_private)
		return;
	str_append_len(&masked, body, size);
	redact(&masked);
	copy = journal_take(j, masked.len + 1, 1);
	memcpy(copy, str_text(&masked), masked.len + 1);
	e->sent.body = copy;
	e->sent.body_size = masked.len;
	drop_surplus(j);
}

unsigned journal_number(struct journal *j)
{
	return ++j->last_number;
}

void journal_index(struct journal *j, struct observed *e)
{
	e->request = e->seq;
	if (j->buckets)
		add_to_bucket(j, e);
	else
		make_buckets(j);
}

static struct observed *at(const struct journal *j, uint64_t seq)
{
	return seq >= j->first && seq < j->end ? j->ring[seq & (j->ring_size - 1)] : NULL;
}

/* Chains lead from new to old events and end at the first one that was dropped, so that dropping need not unlink. */
struct observed *journal_find(struct journal *j, const char *request_id)
{
	struct observed *e;

	if (!j->buckets || !request_id)
		return NULL;
	for (e = at(j, *bucket_of(j, request_id) - 1); e; e = at(j, e->chain - 1))
		if (strcmp(e->request_id, request_id) == 0)
			return e;
	return NULL;
}

const struct observed *journal_at(const struct journal *j, uint64_t seq)
{
	return at(j, seq);
}

const struct observed *journal_request(const struct journal *j, const struct observed *e)
{
	return at(j, e->request);
}

const char *journal_url(const struct journal *j, const struct observed *e)
{
	const struct observed *request = e->url ? NULL : journal_request(j, e);

	return request ? request->url : e->url;
}

static bool has_method(const struct journal *j, const struct observed *e, const char *method)
{
	const struct observed *request = journal_request(j, e);

	return request && request->kind == OBSERVED_REQUEST && strcasecmp(request->sent.method, method) == 0;
}

static bool matches(const struct journal *j, const struct journal_query *q, const struct observed *e)
{
	const char *url;

	if (q->kinds && !(q->kinds & e->kind))
		return false;
	if (q->method && !has_method(j, e, q->method))
		return false;
	if (!q->url_includes)
		return true;
	url = journal_url(j, e);
	return url && strstr(url, q->url_includes);
}

const struct observed *journal_next(const struct journal *j, const struct journal_query *q, uint64_t *offset)
{
	if (*offset < j->first)
		*offset = j->first;
	while (*offset < j->end) {
		const struct observed *e = at(j, (*offset)++);

		if (!q || matches(j, q, e))
			return e;
	}
	*offset = j->end;
	return NULL;
}

const struct observed *journal_numbered(const struct journal *j, unsigned number)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	uint64_t offset = j->numbered;
	const struct observed *e;

	while ((e = journal_next(j, &requests, &offset)))
		if (number && e->sent.number == number)
			return e;
	return NULL;
}

uint64_t journal_first(const struct journal *j)
{
	return j->first;
}

uint64_t journal_end(const struct journal *j)
{
	return j->end;
}

uint64_t journal_missed(const struct journal *j, uint64_t offset)
{
	return offset < j->first ? j->first - offset : 0;
}

uint64_t journal_dropped(const struct journal *j)
{
	return j->dropped;
}

size_t journal_bytes(const struct journal *j)
{
	return j->bytes;
}

const struct message_counts *journal_counts(const struct journal *j)
{
	return &j->counts;
}

uint64_t journal_document(const struct journal *j)
{
	return j->document;
}

void journal_new_document(struct journal *j)
{
	j->document = j->end;
	j->counts = (struct message_counts){};
}

void journal_restart(struct journal *j, bool keep_numbers)
{
	j->restarted = j->end;
	j->restarted_at = clock_unix_msec();
	if (keep_numbers)
		return;
	j->last_number = 0;
	j->numbered = j->end;
}

uint64_t journal_restarted(const struct journal *j)
{
	return j->restarted;
}

int64_t journal_restarted_at(const struct journal *j)
{
	return j->restarted_at;
}

void journal_listen(struct journal *j, struct journal_listener *l)
{
	LIST_INSERT_HEAD(j ? &j->listeners : &global_listeners, l, link);
}

void journal_unlisten(struct journal_listener *l)
{
	LIST_REMOVE(l, link);
}

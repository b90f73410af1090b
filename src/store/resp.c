#include "store/resp.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <string.h>

#include "base/limits.h"

#define LINE_MAX_BYTES 4096 /* of what is not a text with its length before it, such as a number or an error */

const bool resp_available = true;

struct resp_reader {
	redisReader *reader;
	size_t size; /* of the reply that is being read: bytes of its texts */
};

struct resp *resp_free(struct resp *r)
{
	if (!r)
		return NULL;
	for (size_t i = 0; i < r->count; i++)
		resp_free(r->items[i]);
	free(r->items);
	str_done(&r->text);
	free(r);
	return NULL;
}

/* ---- how hiredis builds a reply; NULL makes it fail ---- */

/* Puts a reply into the list that it belongs to, if it belongs to one. */
static struct resp *build(const redisReadTask *task, enum resp_kind kind)
{
	struct resp *r = NEW(struct resp), *list = task->parent ? task->parent->obj : NULL;

	r->kind = kind;
	if (list)
		list->items[task->idx] = r;
	return r;
}

static void *build_text(const redisReadTask *task, char *text, size_t len)
{
	struct resp_reader *reader = task->privdata;
	struct resp *r;

	if (len > LIMIT_STORE_REPLY - reader->size)
		return NULL;
	reader->size += len;
	r = build(task, task->type == REDIS_REPLY_ERROR ? RESP_ERROR : task->type == REDIS_REPLY_STATUS ? RESP_STATUS : RESP_TEXT);
	str_append_len(&r->text, text, len);
	return r;
}

#if HIREDIS_MAJOR >= 1
static void *build_list(const redisReadTask *task, size_t count)
#else
static void *build_list(const redisReadTask *task, int count)
#endif
{
	struct resp *r;

	if (task->parent || (size_t)count > LIMIT_STORE_REPLY_COUNT)
		return NULL;
	r = build(task, RESP_LIST);
	r->items = must(calloc((size_t)count + 1, sizeof(*r->items)));
	r->count = (size_t)count;
	return r;
}

static void *build_integer(const redisReadTask *task, long long value)
{
	struct resp *r = build(task, RESP_INTEGER);

	r->integer = value;
	return r;
}

static void *build_nil(const redisReadTask *task)
{
	return build(task, RESP_NIL);
}

static void resp_release(void *reply)
{
	resp_free(reply);
}

#if HIREDIS_MAJOR >= 1 /* types of version 3 of the protocol, which nobody has asked for */
static void *refuse_double(const redisReadTask *task, double value, char *text, size_t len)
{
	return NULL;
}

static void *refuse_boolean(const redisReadTask *task, int value)
{
	return NULL;
}
#endif

static redisReplyObjectFunctions builders = {
	.createString = build_text,
	.createArray = build_list,
	.createInteger = build_integer,
	.createNil = build_nil,
	.freeObject = resp_release,
#if HIREDIS_MAJOR >= 1
	.createDouble = refuse_double,
	.createBool = refuse_boolean,
#endif
};

/* ---- reading ---- */

struct resp_reader *resp_reader_new(void)
{
	struct resp_reader *r = NEW(struct resp_reader);

	r->reader = must(redisReaderCreateWithFunctions(&builders));
	r->reader->privdata = r;
	return r;
}

struct resp_reader *resp_reader_free(struct resp_reader *r)
{
	if (!r)
		return NULL;
	redisReaderFree(r->reader);
	free(r);
	return NULL;
}

/* hiredis looks for the end of a line from its beginning each time that something was received. */
static bool line_is_too_long(const redisReader *r)
{
	return r->len - r->pos > LINE_MAX_BYTES && !memmem(r->buf + r->pos, LINE_MAX_BYTES, "\r\n", 2);
}

int resp_reader_feed(struct resp_reader *r, const char *data, size_t len)
{
	if (r->reader->len - r->reader->pos + len > LIMIT_STORE_REPLY + LIMIT_STORE_REPLY / 16)
		return -EPROTO;
	return redisReaderFeed(r->reader, data, len) == REDIS_OK ? 0 : -EPROTO;
}

int resp_reader_next(struct resp_reader *r, struct resp **ret)
{
	void *reply = NULL;

	if (redisReaderGetReply(r->reader, &reply) != REDIS_OK)
		return -EPROTO;
	if (!reply)
		return line_is_too_long(r->reader) ? -EPROTO : 0;
	r->size = 0;
	*ret = reply;
	return 1;
}

/* ---- commands ---- */

void resp_format(struct str *out, const struct resp_word *words, size_t count)
{
	const char **texts = must(calloc(count, sizeof(*texts)));
	size_t *lengths = must(calloc(count, sizeof(*lengths)));
	char *command = NULL;
	int len;

	for (size_t i = 0; i < count; i++) {
		texts[i] = words[i].text;
		lengths[i] = words[i].len;
	}
	len = redisFormatCommandArgv(&command, (int)count, texts, lengths);
	must(len < 0 ? NULL : command);
	str_append_len(out, command, (size_t)len);
	redisFreeCommand(command);
	free(texts);
	free(lengths);
}

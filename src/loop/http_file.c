#include "loop/http_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "loop/http_exchange.h"
#include "loop/http_range.h"

#define SLICE (128u << 10) /* bytes read at once, well below a millisecond from the page cache */
#define TAG_SIZE 64
#define DATE_SIZE 32

/* What is sent of a file. */
struct file_body {
	struct http_body body;
	int fd;
	uint64_t at, end;
};

/* ---- the body ---- */

static void file_body_free(struct http_body *b)
{
	struct file_body *f = CONTAINER_OF(b, struct file_body, body);

	close(f->fd);
	free(f);
}

static void http_file_end(struct http_exchange *x, struct file_body *f)
{
	x->body = NULL;
	file_body_free(&f->body);
	exchange_answered(x);
}

static void http_file_send(struct http_exchange *x, struct http_body *b)
{
	struct file_body *f = CONTAINER_OF(b, struct file_body, body);
	static char slice[SLICE];
	ssize_t len = pread(f->fd, slice, MIN(f->end - f->at, (uint64_t)SLICE), (off_t)f->at);

	if (len <= 0) {
		log_info("dropping the connection of %s: a file that it is sent %s", x->peer,
			 len < 0 ? strerror(errno) : "has become shorter");
		exchange_drop(x);
		return;
	}
	f->at += (uint64_t)len;
	exchange_send(x, slice, (size_t)len);
	if (f->at == f->end && !x->dropped)
		http_file_end(x, f);
}

/* ---- the head ---- */

static void print_tag(const struct stat *st, char ret[TAG_SIZE])
{
	snprintf(ret, TAG_SIZE, "\"%" PRIx64 "-%" PRIx64 "-%" PRIx64 ".%lx\"", (uint64_t)st->st_ino, (uint64_t)st->st_size,
		 (uint64_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

/* IMF-fixdate, RFC 9110, section 5.6.7. */
static void http_file_print_date(time_t at, char ret[DATE_SIZE])
{
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(ret, DATE_SIZE, "%a, %d %b %Y %H:%M:%S GMT", &tm);
}

/* Whether a list of entity tags has this one, compared weakly (RFC 9110, section 8.8.3.2), or is "*". */
static bool lists_tag(const char *list, const char *tag)
{
	const char *found = list ? strstr(list, tag) : NULL;

	return found || (list && strcmp(list, "*") == 0);
}

/* Whether a part may be sent: the client has the rest of this very file. */
static bool is_same_file(const char *if_range, const char *tag, const char *date)
{
	return !if_range || strcmp(if_range, tag) == 0 || strcmp(if_range, date) == 0;
}

static void add_validators(struct http_exchange *x, const char *tag, const char *date)
{
	_cleanup_(str_done) struct str fields = {};

	str_appendf(&fields, "ETag: %s\r\nLast-Modified: %s\r\nAccept-Ranges: bytes\r\n", tag, date);
	http_add_fields(x, fields.data);
}

static void add_content_range(struct http_exchange *x, uint64_t from, uint64_t len, uint64_t size)
{
	_cleanup_(str_done) struct str field = {};

	if (len)
		str_appendf(&field, "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", from, from + len - 1, size);
	else
		str_appendf(&field, "Content-Range: bytes */%" PRIu64 "\r\n", size);
	http_add_fields(x, field.data);
}

static void http_file_begin(struct http_exchange *x, int status, const char *type, int fd, uint64_t from, uint64_t len)
{
	struct file_body *f;

	exchange_begin_body(x, status, type, len);
	if (len == 0 || strcmp(http_method(x), "HEAD") == 0) {
		close(fd);
		exchange_answered(x);
		return;
	}
	f = NEW(struct file_body);
	*f = (struct file_body){ .body = { http_file_send, file_body_free }, .fd = fd, .at = from, .end = from + len };
	x->body = &f->body;
}

static void http_file_refuse(struct http_exchange *x, int fd, int status)
{
	close(fd);
	http_answer(x, status, NULL, "", 0);
}

void http_file_answer(struct http_exchange *x, int fd, const char *type)
{
	char tag[TAG_SIZE], date[DATE_SIZE];
	uint64_t size, from = 0, len;
	enum http_range range;
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		http_file_refuse(x, fd, 404);
		return;
	}
	size = len = (uint64_t)st.st_size;
	print_tag(&st, tag);
	http_file_print_date(st.st_mtim.tv_sec, date);
	add_validators(x, tag, date);
	if (lists_tag(http_field(x, "if-none-match"), tag)) {
		http_file_refuse(x, fd, 304);
		return;
	}
	range = is_same_file(http_field(x, "if-range"), tag, date) ? http_range_of(http_field(x, "range"), size, &from, &len) :
								     HTTP_RANGE_WHOLE;
	if (range != HTTP_RANGE_WHOLE)
		add_content_range(x, from, range == HTTP_RANGE_PART ? len : 0, size);
	if (range == HTTP_RANGE_UNSATISFIABLE)
		http_file_refuse(x, fd, 416);
	else
		http_file_begin(x, range == HTTP_RANGE_PART ? 206 : 200, type, fd, from, len);
}

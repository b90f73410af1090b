/*
 * The address of a running browser and what its debugging port answers. The first byte of the input chooses: 'a' an address, 'f' a
 * header field, 'v' the body of /json/version, 'h' a whole HTTP response, which is received in pieces.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/cdp/endpoint.h"
#include "fuzz.h"
#include "loop/fetch.h"
#include "loop/loop.h"

static struct loop *loop;

/* What is sent as one line of a request's head. */
static void check_line(const char *text)
{
	for (; *text; text++)
		CHECK((unsigned char)*text > ' ' && (unsigned char)*text <= '~');
}

/* Each ends with a line break and has no other. */
static void check_fields(const struct str *fields)
{
	for (const char *at = str_text(fields), *end; *at; at = end + 2) {
		end = strpbrk(at, "\r\n");
		CHECK(end && end > at && strncmp(end, "\r\n", 2) == 0);
	}
}

static void try_address(const char *text)
{
	_cleanup_(str_done) struct str described = {}, again_described = {};
	struct endpoint e, again;

	if (endpoint_parse(text, &e)) {
		CHECK(e.port > 0 && e.port <= 65535 && *e.host && *e.path.data == '/');
		check_line(e.host);
		check_line(e.path.data);
		check_fields(&e.fields);
		endpoint_is_local(&e);
		endpoint_describe(&e, &described);
		if (endpoint_parse(described.data, &again)) { /* what is described is an address again */
			endpoint_describe(&again, &again_described);
			CHECK(strcmp(described.data, again_described.data) == 0);
		}
		endpoint_done(&again);
	}
	endpoint_done(&e);
}

static void try_field(const char *text)
{
	struct endpoint e = {};

	if (!endpoint_field_is_valid(text))
		return;
	endpoint_add_field(&e, text);
	check_fields(&e.fields);
	endpoint_done(&e);
}

static void try_version(const char *text, size_t len)
{
	_cleanup_(str_done) struct str path = {};

	if (!endpoint_read_version(text, len, &path))
		return;
	CHECK(*path.data == '/' && path.len <= LIMIT_ENDPOINT + 1);
	check_line(path.data);
}

static void on_done(struct str *body, const char *failure, void *data)
{
	CHECK(!body == !!failure);
	CHECK(!body || (body->len <= LIMIT_HTTP_BODY && body->data));
	*(bool *)data = true;
}

static void try_response(const char *data, size_t size)
{
	static const struct request request = { .host = "127.0.0.1", .port = 1, .path = "/" };
	size_t piece = size > 0 ? (unsigned char)data[0] + 1u : 1;
	bool done = false;
	struct fetch *f;
	int ends[2];

	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
	f = fetch_new(loop, ends[0], &request, on_done, &done);
	while (!done && size > 0) {
		size_t n = MIN(piece, size);

		if (send(ends[1], data, n, MSG_NOSIGNAL) <= 0)
			break;
		data += n;
		size -= n;
		loop_step(loop);
	}
	close(ends[1]);
	while (!done)
		loop_step(loop);
	fetch_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!loop) {
		log_set_level(LOG_EMERGENCY);
		CHECK(loop_new(&loop) == 0);
	}
	if (size == 0)
		return 0;
	text = must(malloc(size));
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (data[0] == 'a')
		try_address(text);
	else if (data[0] == 'f')
		try_field(text);
	else if (data[0] == 'v')
		try_version(text, size - 1);
	else if (data[0] == 'h')
		try_response(text, size - 1);
	free(text);
	return 0;
}

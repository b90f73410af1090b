#include "http_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

#define ARGS_MAX 32

struct http_client {
	int fd, last_id;
	char session[64]; /* "": none */
	struct str in;
};

static void fail(const char *what, const char *detail)
{
	fprintf(stderr, "benchmark: %s: %s\n", what, detail);
	exit(1);
}

struct http_process http_process_start(const char *program, const char *const *args)
{
	struct http_process p = {};
	const char *argv[ARGS_MAX] = { program };
	int err[2];
	char line[256];
	FILE *f;

	for (size_t i = 0; args[i] && i + 2 < ARGS_MAX; i++)
		argv[i + 1] = args[i];
	if (pipe2(err, O_CLOEXEC) < 0)
		fail("pipe", "no descriptors");
	p.pid = vfork();
	if (p.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM); /* a benchmark that is given up leaves nothing behind */
		dup2(err[1], STDERR_FILENO);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	close(err[1]);
	f = fdopen(err[0], "r");
	while (fgets(line, sizeof(line), f) && sscanf(line, "Listening on http://127.0.0.1:%d", &p.port) != 1)
		;
	if (!p.port)
		fail("the server", "does not listen");
	return p; /* its stderr stays open, and is never full */
}

void http_process_stop(const struct http_process *p)
{
	int status;

	kill(p->pid, SIGTERM);
	waitpid(p->pid, &status, 0);
	if (status != 0)
		fail("the server", "did not exit with 0");
}

static void send_all(struct http_client *c, const struct str *text)
{
	if (send(c->fd, text->data, text->len, MSG_NOSIGNAL) != (ssize_t)text->len)
		fail("send", "the server does not read");
}

static void post(struct http_client *c, const char *body)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text,
		    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
		    "Content-Type: application/json\r\nContent-Length: %zu\r\n",
		    strlen(body));
	if (*c->session)
		str_appendf(&text, "MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: %s\r\n", c->session);
	str_appendf(&text, "\r\n%s", body);
	send_all(c, &text);
}

/* The body of the answer that came, NULL while it is not whole. */
static const char *whole_answer(const struct http_client *c)
{
	const char *text = str_text(&c->in), *body = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "\r\nContent-Length:");

	if (!body)
		return NULL;
	body += 4;
	if (length && length < body)
		return strlen(body) >= strtoul(length + 17, NULL, 10) ? body : NULL;
	return c->in.len > 5 && !strcmp(text + c->in.len - 5, "0\r\n\r\n") ? body : NULL;
}

static void read_some(struct http_client *c)
{
	char buffer[65536];
	ssize_t len = read(c->fd, buffer, sizeof(buffer));

	if (len <= 0)
		fail("read", "the server has closed the connection");
	str_append_len(&c->in, buffer, (size_t)len);
}

static void check(const struct http_client *c)
{
	if (strncmp(c->in.data, "HTTP/1.1 20", 11) != 0 || strstr(c->in.data, "\"isError\":true") ||
	    strstr(c->in.data, "\"error\":{"))
		fail("a request failed", c->in.data);
}

bool http_client_receive(struct http_client *c)
{
	read_some(c);
	if (!whole_answer(c))
		return false;
	check(c);
	str_reset(&c->in);
	return true;
}

static const char *await(struct http_client *c)
{
	const char *body;

	while (!(body = whole_answer(c)))
		read_some(c);
	check(c);
	return body;
}

static void shake_hands(struct http_client *c)
{
	const char *id;

	post(c,
	     "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	     "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}");
	await(c);
	id = strcasestr(c->in.data, "\r\nMcp-Session-Id: ");
	if (!id || sscanf(id + 18, "%63[0-9a-f]", c->session) != 1)
		fail("initialize", c->in.data);
	str_reset(&c->in);
}

struct http_client *http_client_new(const struct http_process *p, bool session)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)p->port),
				       .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct http_client *c = NEW(struct http_client);
	int one = 1;

	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		fail("connect", "connection refused");
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (session)
		shake_hands(c);
	return c;
}

struct http_client *http_client_free(struct http_client *c)
{
	close(c->fd);
	str_done(&c->in);
	free(c);
	return NULL;
}

int http_client_fd(const struct http_client *c)
{
	return c->fd;
}

void http_client_send(struct http_client *c, const char *tool, const char *arguments)
{
	_cleanup_(str_done) struct str body = {};

	str_json(&body, "{jsonrpc: '2.0', id: ?, method: 'tools/call', params: {name: ?, arguments: ?}}", ++c->last_id, tool,
		 JSON_RAW(arguments));
	post(c, body.data);
}

struct json *http_client_call(struct http_client *c, const char *tool, const char *arguments)
{
	struct json *reply = NULL;
	char *body;

	http_client_send(c, tool, arguments);
	body = (char *)await(c);
	if (json_parse(body, strlen(body), 64, JSON_REPLACE_UNREPRESENTABLE, &reply) < 0)
		reply = NULL; /* it came as a stream */
	str_reset(&c->in);
	return reply;
}

void http_client_get(struct http_client *c, const char *path)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
	send_all(c, &text);
	await(c);
	str_reset(&c->in);
}

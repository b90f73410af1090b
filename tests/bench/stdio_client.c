#include "stdio_client.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

#define ARGS_MAX 32

struct stdio_client {
	pid_t pid;
	int in; /* the server's stdin */
	FILE *out;
	int last_id;
	char *line;
	size_t line_size;
};

static void fail(const char *what, const char *detail)
{
	fprintf(stderr, "benchmark: %s: %s\n", what, detail);
	exit(1);
}

struct stdio_client *stdio_client_start(const char *program, const char *const *args)
{
	struct stdio_client *c = calloc(1, sizeof(*c));
	const char *argv[ARGS_MAX] = { program };
	int in[2], out[2];

	for (size_t i = 0; args && args[i] && i + 2 < ARGS_MAX; i++)
		argv[i + 1] = args[i];
	if (!c || pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		fail("pipe", "no descriptors");
	c->pid = vfork();
	if (c->pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = fdopen(out[0], "r");
	return c;
}

static void send_text(struct stdio_client *c, const struct str *text)
{
	if (write(c->in, text->data, text->len) != (ssize_t)text->len)
		fail("write", "the server does not read");
}

static struct json *receive(struct stdio_client *c)
{
	struct json *message;
	ssize_t len = getline(&c->line, &c->line_size, c->out);

	if (len <= 0)
		fail("read", "the server has ended");
	if (json_parse(c->line, (size_t)len, 64, JSON_REPLACE_UNREPRESENTABLE, &message) < 0)
		fail("not JSON", c->line);
	return message;
}

void stdio_client_initialize(struct stdio_client *c)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(json_freep) struct json *reply = NULL;

	str_json(&text,
		 "{jsonrpc: '2.0', id: ?, method: 'initialize', params: {protocolVersion: '2025-11-25', "
		 "capabilities: {}, clientInfo: {name: 'bench', version: '1'}}}",
		 ++c->last_id);
	str_append_char(&text, '\n');
	send_text(c, &text);
	reply = receive(c);
	if (!json_get(reply, "result"))
		fail("initialize", c->line);
}

static int vsend(struct stdio_client *c, const char *tool, uint64_t types, const char *template, va_list ap)
{
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{jsonrpc: '2.0', id: ?, method: 'tools/call', params: {name: ?, ", ++c->last_id, tool);
	str_append(&text, "\"arguments\":");
	str_vjson(&text, types, template, ap);
	str_append(&text, "}}\n");
	send_text(c, &text);
	return c->last_id;
}

int stdio_client_send_values(struct stdio_client *c, const char *tool, uint64_t types, const char *template, ...)
{
	va_list ap;
	int id;

	va_start(ap, template);
	id = vsend(c, tool, types, template, ap);
	va_end(ap);
	return id;
}

struct json *stdio_client_receive(struct stdio_client *c)
{
	struct json *reply = receive(c);

	while (!json_get(reply, "id")) { /* a notification */
		json_free(reply);
		reply = receive(c);
	}
	if (!json_get(reply, "result") || json_bool(reply, "result.isError", false)) {
		_cleanup_(str_done) struct str text = {};

		json_print(&text, reply);
		fail("a call failed", text.data);
	}
	return reply;
}

struct json *stdio_client_call_values(struct stdio_client *c, const char *tool, uint64_t types, const char *template, ...)
{
	va_list ap;

	va_start(ap, template);
	vsend(c, tool, types, template, ap);
	va_end(ap);
	return stdio_client_receive(c);
}

pid_t stdio_client_pid(const struct stdio_client *c)
{
	return c->pid;
}

void stdio_client_stop(struct stdio_client *c)
{
	int status;

	close(c->in);
	waitpid(c->pid, &status, 0);
	if (status != 0)
		fail("the server", "did not exit with 0");
	fclose(c->out);
	free(c->line);
	free(c);
}

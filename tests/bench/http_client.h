/*
 * A browserd that listens on a port, and clients of it with one connection each: what a benchmark measures over HTTP, it
 * measures through this. Any failure ends the program.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/json.h"

struct http_process {
	pid_t pid;
	int port;
};

struct http_process http_process_start(const char *program, const char *const *args); /* NULL-terminated, with --port */
void http_process_stop(const struct http_process *p);

struct http_client;

/* A connection; with `session` a handshake, too. */
struct http_client *http_client_new(const struct http_process *p, bool session);
struct http_client *http_client_free(struct http_client *c);
int http_client_fd(const struct http_client *c);
/* Sends a tools/call; `arguments` is JSON. */
void http_client_send(struct http_client *c, const char *tool, const char *arguments);
/* Reads what there is. True: the answer is complete, and forgotten. */
bool http_client_receive(struct http_client *c);
/* Send and receive: the answer's structured content, or NULL. */
struct json *http_client_call(struct http_client *c, const char *tool, const char *arguments);
/* GET of a path. */
void http_client_get(struct http_client *c, const char *path);

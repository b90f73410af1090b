/*
 * A blocking MCP client over the pipes of a browserd that it starts: what a benchmark measures, it measures through
 * this. Any failure ends the program.
 */
#pragma once

#include <sys/types.h>

#include "base/json.h"

struct stdio_client;

struct stdio_client *stdio_client_start(const char *program, const char *const *args); /* args: NULL-terminated */
void stdio_client_initialize(struct stdio_client *c);
/* Sends a tools/call without waiting; `arguments` in str_json() form. Returns its id. */
#define stdio_client_send(c, tool, ...) stdio_client_send_values(c, tool, JSON_VALUES(__VA_ARGS__))
int stdio_client_send_values(struct stdio_client *c, const char *tool, uint64_t types, const char *template, ...);
/* The next answer of any call. A tool's failure ends the program. Owned by the caller. */
struct json *stdio_client_receive(struct stdio_client *c);
/* Send and receive. */
#define stdio_client_call(c, tool, ...) stdio_client_call_values(c, tool, JSON_VALUES(__VA_ARGS__))
struct json *stdio_client_call_values(struct stdio_client *c, const char *tool, uint64_t types, const char *template, ...);
pid_t stdio_client_pid(const struct stdio_client *c);
/* Ends input and waits for the server's end. */
void stdio_client_stop(struct stdio_client *c);

/*
 * Logging to stderr, one line for each message: "PROGRAM: warning: text" or a JSON object. stdout carries MCP messages only.
 *
 * Messages also go to sinks (MCP clients that asked for log messages), each with its own lowest level. A sink is embedded in
 * its owner, which removes it before it is freed. Messages that are logged inside a sink go to stderr only.
 */
#pragma once

#include <stdarg.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/macros.h"
#include "base/str.h"

/* MCP's names and order (RFC 5424). */
enum log_level {
	LOG_DEBUG,
	LOG_INFO,
	LOG_NOTICE,
	LOG_WARNING,
	LOG_ERROR,
	LOG_CRITICAL,
	LOG_ALERT,
	LOG_EMERGENCY,
};

struct log_sink {
	LIST_ENTRY(log_sink) link;
	enum log_level lowest; /* may be changed any time */
	void (*write)(struct log_sink *sink, enum log_level level, const char *text);
};

extern const char *const log_level_table[]; /* "debug" ... "emergency", NULL-terminated */
#define LOG_LEVEL_NAMES "debug, info, notice, warning, error, critical, alert, emergency" /* for messages */

/* Index of `name` in log_level_table, -EINVAL when it is unknown or NULL. */
int log_level_parse(const char *name);
/* The lowest level that reaches stderr; at first LOG_INFO. */
void log_set_level(enum log_level lowest);
enum log_level log_get_level(void);
void log_add_sink(struct log_sink *sink);
void log_remove_sink(struct log_sink *sink);
/* The name under which the program was started; borrowed. */
void log_set_program(const char *name);
const char *log_program(void);
/* Whether later lines are JSON: {timestamp, level, component, event, sessionId?, details}. */
void log_set_json(bool json);
bool log_is_json(void);
/*
 * Keeps what is logged, up to a limit, until log_release() writes it: the options that say in which format and from which level on
 * may themselves be a reason for warnings.
 */
void log_hold(void);
void log_release(void);
/* `file` is the source file of the call; its folder becomes the "component". */
void log_write_from(enum log_level level, const char *file, const char *fmt, ...) _printf_(3, 4);
/*
 * Logs a named event at level info, to stderr only. The template of str_json() gives the members of "details" without
 * braces and may be " ". `session_id` may be NULL.
 */
void log_event_values(const char *file, const char *event, const char *session_id, uint64_t types, const char *template, ...);

/*
 * A line in the form and the words of @playwright/mcp, for programs that wait for it. To stderr, if the environment variable DEBUG has a
 * pattern for `name` ("pw:mcp:*") and the log is no JSON. DEBUG_HIDE_DATE leaves its time out.
 */
void log_debugged(const char *name, const char *fmt, ...) _printf_(2, 3);
/* Such a line about the life of clients, their contexts and browsers. */
#define log_lifecycle(...) log_debugged("pw:mcp:test", __VA_ARGS__)

#define log_write(level, ...) log_write_from(level, __FILE__, __VA_ARGS__)
#define log_event(event, session_id, ...) log_event_values(__FILE__, event, session_id, JSON_VALUES(__VA_ARGS__))

#define log_debug(...) log_write(LOG_DEBUG, __VA_ARGS__)
#define log_info(...) log_write(LOG_INFO, __VA_ARGS__)
#define log_notice(...) log_write(LOG_NOTICE, __VA_ARGS__)
#define log_warning(...) log_write(LOG_WARNING, __VA_ARGS__)
#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__)

/*
 * Logging to stderr, one line a message: "browserd: warning: text". stdout belongs to MCP alone.
 *
 * Sinks (MCP clients that asked for log messages) come on top, each with a lowest level of its own. A sink is
 * embedded in its owner, who removes it before it goes away. What a sink itself logs reaches stderr only.
 */
#pragma once

#include <stdarg.h>
#include <sys/queue.h>

#include "base/macros.h"

/* MCP's names and order (RFC 5424). */
enum log_level {
	LOG_DEBUG, LOG_INFO, LOG_NOTICE, LOG_WARNING, LOG_ERROR, LOG_CRITICAL, LOG_ALERT, LOG_EMERGENCY,
};

struct log_sink {
	LIST_ENTRY(log_sink) link;
	enum log_level lowest; /* may be changed any time */
	void (*write)(struct log_sink *sink, enum log_level level, const char *text);
};

extern const char *const log_level_table[]; /* "debug" ... "emergency", NULL-terminated */
#define LOG_LEVEL_NAMES "debug, info, notice, warning, error, critical, alert, emergency" /* for messages */

/* Index of `name` in log_level_table, -EINVAL when there is none or `name` is NULL. */
int log_level_parse(const char *name);
/* The lowest level that reaches stderr; at first LOG_INFO. */
void log_set_level(enum log_level lowest);
enum log_level log_get_level(void);
void log_add_sink(struct log_sink *sink);
void log_remove_sink(struct log_sink *sink);
void log_write(enum log_level level, const char *fmt, ...) _printf_(2, 3);

#define log_debug(...) log_write(LOG_DEBUG, __VA_ARGS__)
#define log_info(...) log_write(LOG_INFO, __VA_ARGS__)
#define log_notice(...) log_write(LOG_NOTICE, __VA_ARGS__)
#define log_warning(...) log_write(LOG_WARNING, __VA_ARGS__)
#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__)

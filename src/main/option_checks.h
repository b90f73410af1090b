/* Conditions on the values of options, for rows of the table. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct json;

bool option_is_credentials(const struct json *value);
/* Names and values of about:config. */
bool option_is_preferences(const struct json *value);
bool option_is_environment(const struct json *value);
bool option_is_endpoint(const char *value);
bool option_is_header(const char *value);
bool option_is_web_address(const char *value);
bool option_is_public_url(const char *value);
bool option_is_browser_arg(const char *value);
bool option_is_device(const char *value);
bool option_is_permission(const char *value);
bool option_is_tool(const char *value);

#define OPTION_TOKEN_ALLOWED "16 to 1024 visible ASCII characters"
#define OPTION_TOKEN_MAX 1024
bool option_is_token(const char *value);

#define OPTION_SINK_FILE "file:" /* before the path of an event sink */
bool option_is_sink(const char *value);
bool option_is_store(const char *value);
#define OPTION_KEY_ALLOWED "32 bytes in base64; `openssl rand -base64 32` prints some"
bool option_is_key(const char *value);
bool option_is_record(const char *value);
/* A number with s, m, h or d, or 0. */
bool option_is_age(const char *value);
/* Of such a text, in seconds. */
uint64_t option_age(const char *value);

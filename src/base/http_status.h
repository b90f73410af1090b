/* What the status of a response of HTTP says, and its words. */
#pragma once

#include <stdbool.h>

bool http_status_is_empty(int status);      /* it says that the response has no content: 204 and 205 */
const char *http_status_phrase(int status); /* "Unknown" for others than those of the registry */

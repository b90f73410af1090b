/* A hundred clients at work over HTTP, beside as many sessions of one client over stdio, and /health meanwhile. */
#pragma once

#include "http_client.h"
#include "stdio_client.h"

/* Both have browsers of their own and room for a hundred sessions. `url` is the page that they work on. */
void bench_hundred(const struct http_process *p, struct stdio_client *stdio, const char *url);

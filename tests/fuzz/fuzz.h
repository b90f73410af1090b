/*
 * A fuzz target is one function that takes any bytes. It is built twice: with replay.c as a normal test over its
 * corpus, and by run.sh with libFuzzer, which finds new bytes. A failed check aborts.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A copy of exactly that size, so that AddressSanitizer sees a read behind it. The caller frees it. */
static inline char *fuzz_copy(const void *data, size_t size)
{
	char *copy = must(malloc(size ? size : 1));

	memcpy(copy, data, size);
	return copy;
}

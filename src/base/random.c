#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static void random_fill(void *bytes, size_t len)
{
	if (getrandom(bytes, len, 0) != (ssize_t)len)
		abort();
}

void random_name(char name[RANDOM_NAME_SIZE])
{
	unsigned char random[(RANDOM_NAME_SIZE - 1) / 2];

	random_fill(random, sizeof(random));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(name + 2 * i, 3, "%02x", random[i]);
}

uint64_t random_number(void)
{
	uint64_t number;

	random_fill(&number, sizeof(number));
	return number;
}

bool secrets_equal(const char *a, const char *b)
{
	size_t len = strlen(a), other = strlen(b);
	volatile unsigned char difference = len != other;

	for (size_t i = 0; i < len; i++)
		difference |= (unsigned char)(a[i] ^ b[other > 0 ? i % other : 0]);
	return difference == 0;
}

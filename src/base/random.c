#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
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

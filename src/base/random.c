#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

void random_name(char name[RANDOM_NAME_SIZE])
{
	unsigned char random[(RANDOM_NAME_SIZE - 1) / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		abort();
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(name + 2 * i, 3, "%02x", random[i]);
}

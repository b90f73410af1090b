/* Unguessable names and numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define RANDOM_NAME_SIZE 33 /* 128 random bits as hexadecimal digits */

void random_name(char name[RANDOM_NAME_SIZE]);
uint64_t random_number(void);
/* Compares two secrets in a time that does not reveal how much of them is the same. */
bool secrets_equal(const char *a, const char *b);

/* Unguessable names and numbers. */
#pragma once

#include <stdint.h>

#define RANDOM_NAME_SIZE 33 /* 128 random bits as hexadecimal digits */

void random_name(char name[RANDOM_NAME_SIZE]);
uint64_t random_number(void);

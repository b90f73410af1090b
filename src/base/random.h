/* Unguessable names. */
#pragma once

#define RANDOM_NAME_SIZE 33 /* 128 random bits as hexadecimal digits */

void random_name(char name[RANDOM_NAME_SIZE]);

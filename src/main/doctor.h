/* browserd doctor: reports which browser would be used, checks its requirements, and starts it once. */
#pragma once

#include "main/options.h"

/* Writes the findings to the descriptor `out`, with the name that the program was started by. Returns the number of problems. */
int doctor(const struct options *o, const char *program, int out);

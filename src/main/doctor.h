/* browserd doctor: reports which browser would be used, checks its requirements, and starts it once. */
#pragma once

#include "main/options.h"

/* Writes the findings to the descriptor `out`. Returns the number of problems. */
int doctor(const struct options *o, int out);

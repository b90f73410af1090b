/* browserd doctor: what would be used here, what it needs, and one real start to prove it. */
#pragma once

#include "main/options.h"

/* Writes its findings to the descriptor `out`. Returns how many things are wrong. */
int doctor(const struct options *o, int out);

#include "ratios/ratios.h"
const struct ratio_row ratio_view_rows[] = { {} };

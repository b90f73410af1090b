/* Where the system has it. */
#include "../../hiredis.h"

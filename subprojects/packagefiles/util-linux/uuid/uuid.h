/* Programs include <uuid/uuid.h>, the path at which the header is installed. */
#include "../libuuid/src/uuid.h"

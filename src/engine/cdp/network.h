/* Events of the Fetch domain as structs. */
#pragma once

#include "engine/network.h"

/* Of Fetch.requestPaused; intercepted_request_done() in any case. False: the event is of no use. */
bool cdp_read_request(const struct json *params, struct intercepted_request *ret);
/* Of Fetch.authRequired; borrowed from the event. */
bool cdp_read_challenge(const struct json *params, struct challenge *ret);

#include "engine/connection.h"

static struct engine_traffic traffic;

const struct engine_traffic *engine_traffic(void)
{
	return &traffic;
}

void engine_count_sent(size_t len)
{
	traffic.sent++;
	traffic.bytes_sent += len;
}

void engine_count_received(size_t len)
{
	traffic.received++;
	traffic.bytes_received += len;
}

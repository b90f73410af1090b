/* A page server for the C tests and benchmarks: loopback, a thread for each connection, one packet for each answer. */
#pragma once

/* Starts it; returns its port. It lives as long as the process. */
int page_server_start(void);

/* The words for the status of a response of HTTP. */
#pragma once

const char *http_status_phrase(int status); /* "Unknown" for others than those of the registry */

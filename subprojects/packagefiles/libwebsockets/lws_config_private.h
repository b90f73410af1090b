/* What the sources of libwebsockets read, beside lws_config.h. */
#pragma once

#define LWS_HAVE_FORK
#define LWS_HAVE_GETENV
#define LWS_HAVE_GETIFADDRS
#define LWS_HAVE_INTTYPES_H
#define LWS_HAVE_MALLOC 1
#define LWS_HAVE_NETINET_IN_H
#define LWS_HAVE_STDINT_H
#define LWS_HAVE_STDLIB_H
#define LWS_HAVE_STRERROR
#define LWS_HAVE_STRINGS_H
#define LWS_HAVE_STRING_H
#define LWS_HAVE_SYS_PRCTL_H
#define LWS_HAVE_SYS_RESOURCE_H
#define LWS_HAVE_SYS_SOCKET_H
#define LWS_HAVE_SYS_STAT_H
#define LWS_HAVE_SYS_TYPES_H
#define LWS_HAVE_TCP_USER_TIMEOUT
#define LWS_HAVE_UNISTD_H
#define LWS_HAVE_VFORK
#define LWS_HAVE_WORKING_FORK
#define LWS_HAVE_WORKING_VFORK

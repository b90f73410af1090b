/*
 * What the headers of libwebsockets read: the features that are built, and what the platform has (Linux with OpenSSL 1.1.1 or
 * later). meson.build beside this file lists the sources that these features need.
 */
#pragma once

#define LWS_LIBRARY_VERSION "4.1.6"
#define LWS_LIBRARY_VERSION_MAJOR 4
#define LWS_LIBRARY_VERSION_MINOR 1
#define LWS_LIBRARY_VERSION_PATCH 6
#define LWS_LIBRARY_VERSION_PATCH_ELABORATED 6
#define LWS_LIBRARY_VERSION_NUMBER \
	(LWS_LIBRARY_VERSION_MAJOR * 1000000 + LWS_LIBRARY_VERSION_MINOR * 1000 + LWS_LIBRARY_VERSION_PATCH)
#define LWS_INSTALL_DATADIR "/usr/share"
#define LWS_INSTALL_LIBDIR "/usr/lib"
#define LWS_OPENSSL_CLIENT_CERTS "../share"

/* Features: clients and servers, HTTP/1.1, raw sockets and files, TLS. */
#define LWS_PLAT_UNIX
#define LWS_MAX_SMP 1
#define LWS_ROLE_H1
#define LWS_ROLE_RAW
#define LWS_ROLE_RAW_FILE
#define LWS_CLIENT_HTTP_PROXYING
#define LWS_OPENSSL_SUPPORT
#define LWS_SSL_CLIENT_USE_OS_CA_CERTS
#define LWS_WITH_CLIENT
#define LWS_WITH_CUSTOM_HEADERS
#define LWS_WITH_FILE_OPS
#define LWS_WITH_HTTP_UNCOMMON_HEADERS
#define LWS_WITH_IPV6
#define LWS_WITH_NETWORK
#define LWS_WITH_POLL
#define LWS_WITH_SERVER
#define LWS_WITH_SYS_STATE
#define LWS_WITH_TLS
#define LWS_WITH_UDP
#define LWS_WITH_UNIX_SOCK
#define LWS_WITHOUT_EXTENSIONS
#define LWS_NO_DAEMONIZE
#define LWS_LOGS_TIMESTAMP
#define LWS_LOGGING_BITFIELD_CLEAR 0
#define LWS_LOGGING_BITFIELD_SET 0

/* The platform. */
#define LWS_HAS_INTPTR_T
#define LWS_HAVE_CLOCK_GETTIME
#define LWS_HAVE_EVENTFD
#define LWS_HAVE_PIPE2
#define LWS_HAVE_PTHREAD_H
#define LWS_HAVE_STDINT_H
#define LWS_HAVE_VFORK

/* OpenSSL. */
#define LWS_HAVE_BN_bn2binpad
#define LWS_HAVE_ECDSA_SIG_set0
#define LWS_HAVE_EVP_MD_CTX_free
#define LWS_HAVE_HMAC_CTX_new
#define LWS_HAVE_OPENSSL_ECDH_H
#define LWS_HAVE_RSA_SET0_KEY
#define LWS_HAVE_SSL_CTX_EVP_PKEY_new_raw_private_key
#define LWS_HAVE_SSL_CTX_get0_certificate
#define LWS_HAVE_SSL_CTX_set1_param
#define LWS_HAVE_SSL_CTX_set_ciphersuites
#define LWS_HAVE_SSL_EXTRA_CHAIN_CERTS
#define LWS_HAVE_SSL_SET_INFO_CALLBACK
#define LWS_HAVE_SSL_get0_alpn_selected
#define LWS_HAVE_SSL_set_alpn_protos
#define LWS_HAVE_TLS_CLIENT_METHOD
#define LWS_HAVE_TLSV1_2_CLIENT_METHOD
#define LWS_HAVE_X509_VERIFY_PARAM_set1_host
#define LWS_HAVE_X509_get_key_usage

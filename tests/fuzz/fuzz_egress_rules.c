/* Rules, a newline, a host name: what is accepted means something, and metadata addresses are allowed by `all` alone. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "egress/rules.h"
#include "fuzz.h"

static void check_metadata(const struct egress_rules *rules, const char *host)
{
	const struct sockaddr_in metadata = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0xa9fea9fe) }; /* 169.254.169.254 */
	bool allowed = egress_rules_allow(rules, host, 80, (const struct sockaddr *)&metadata);

	CHECK(!allowed || !egress_rules_restrict(rules));
	CHECK(egress_rules_restrict(rules) || allowed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *text = must(strndup((const char *)data, len));
	char *host = newline ? must(strndup((const char *)newline + 1, size - len - 1)) : must(strdup("db.test"));
	_cleanup_(egress_rules_freep) struct egress_rules *rules = NULL;
	_cleanup_(str_done) struct str error = {};

	egress_host_normalise(host);
	(void)egress_host_is_localhost(host);
	(void)egress_is_host(text);
	if (egress_rules_parse(text, &rules, &error) < 0) {
		CHECK(!rules && error.len);
	} else {
		(void)egress_rules_allow(rules, host, 443, NULL);
		check_metadata(rules, host);
		CHECK(egress_rules_text(rules));
	}
	free(text);
	free(host);
	return 0;
}

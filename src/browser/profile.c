#include "browser/profile.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "base/macros.h"

void profile_of_folder(const char *prefix, const char *folder, struct str *out)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char text[9];

	must(EVP_Digest(folder, strlen(folder), digest, NULL, EVP_sha256(), NULL) == 1 ? digest : NULL);
	snprintf(text, sizeof(text), "%02x%02x%02x%02x", digest[0], digest[1], digest[2], digest[3]);
	str_appendf(out, "%s%.7s", prefix, text);
}

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define CHUNK 4096

int file_read(const char *path, size_t limit, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), r = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		str_reserve(out, CHUNK);
		n = read(fd, out->data + out->len, CHUNK);
		out->len += n > 0 ? (size_t)n : 0;
	} while (n > 0 && out->len <= limit);
	if (n < 0)
		r = -errno;
	else if (out->len > limit)
		r = -EFBIG;
	out->data[out->len] = '\0';
	close(fd);
	return r;
}

/* Runs a fuzz target over the files of the folders that are its arguments. */
#include <dirent.h>
#include <errno.h>

#include "base/str.h"
#include "fuzz.h"

static void replay_file(const char *path)
{
	_cleanup_(str_done) struct str input = {};
	FILE *file = fopen(path, "rb");
	char chunk[4096];
	size_t len;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	while ((len = fread(chunk, 1, sizeof(chunk), file)))
		str_append_len(&input, chunk, len);
	fclose(file);
	LLVMFuzzerTestOneInput((const uint8_t *)str_text(&input), input.len);
}

static unsigned replay_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	while (folder && (entry = readdir(folder))) {
		_cleanup_(str_done) struct str file = {};

		if (entry->d_name[0] == '.')
			continue;
		str_appendf(&file, "%s/%s", path, entry->d_name);
		replay_file(file.data);
		count++;
	}
	if (folder)
		closedir(folder);
	return count;
}

int main(int argc, char **argv)
{
	unsigned count = 0;

	for (int i = 1; i < argc; i++)
		count += replay_folder(argv[i]);
	printf("%u inputs\n", count);
	return count ? 0 : 1;
}

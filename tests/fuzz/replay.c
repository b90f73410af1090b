/*
 * Runs a fuzz target over the files of the folders that are its arguments. With --ratios before them, each part of an input is repeated in
 * its place, up to n and to 4 n bytes, and the target must not take much more than four times as long for the second: benchmark `ratios`.
 */
#include <dirent.h>
#include <errno.h>
#include <time.h>

#include "base/str.h"
#include "fuzz.h"

static bool measures;
static unsigned slow; /* parts whose time is not linear */

/* ---- the ratio of times ---- */

#define PARTS 8u
#define SMALL 16384u   /* bytes of the repeated part */
#define LEAST_MSEC 20. /* shorter times say nothing */
#define RATIO_MAX 8.   /* of four times the bytes, with room for caches and other programs */
#define TRIES 3

static double cpu_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The input with the part from `from` to `to` repeated up to `len` bytes. */
static double time_of(const struct str *input, size_t from, size_t to, size_t len)
{
	_cleanup_(str_done) struct str text = {};
	double start;

	str_append_len(&text, input->data, from);
	while (text.len < from + len)
		str_append_len(&text, input->data + from, to - from);
	str_append_len(&text, input->data + to, input->len - to);
	start = cpu_msec();
	LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.len);
	return cpu_msec() - start;
}

static bool is_linear(const struct str *input, size_t from, size_t to)
{
	bool linear = false;

	for (unsigned i = 0; i < TRIES && !linear; i++) {
		double large = time_of(input, from, to, 4 * SMALL);

		linear = large < LEAST_MSEC || large <= RATIO_MAX * time_of(input, from, to, SMALL);
	}
	return linear;
}

static void measure(const char *path, const struct str *input)
{
	for (size_t i = 0; i < PARTS; i++) {
		size_t from = input->len * i / PARTS, to = input->len * (i + 1) / PARTS;

		if (to == from || is_linear(input, from, to))
			continue;
		printf("%s: bytes %zu to %zu: %.0f ms, %.0f ms: NOT LINEAR\n", path, from, to, time_of(input, from, to, SMALL),
		       time_of(input, from, to, 4 * SMALL));
		slow++;
	}
}

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
	if (measures)
		measure(path, &input);
	else
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

	measures = argc > 1 && strcmp(argv[1], "--ratios") == 0;
	for (int i = measures ? 2 : 1; i < argc; i++)
		count += replay_folder(argv[i]);
	printf("%u inputs%s\n", count, measures && !slow ? ", each of whose parts takes linear time" : "");
	return count && !slow ? 0 : 1;
}

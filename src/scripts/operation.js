/*
 * Caches of modules that are valid during one operation. The document does not change while a script runs, so styles, roles
 * and names are computed once. Each operation begins with clearCaches().
 */
const clearers = [];

/* `clear` is called at the beginning of each operation. */
export function onClearCaches(clear) {
	clearers.push(clear);
}

export function clearCaches() {
	for (const clear of clearers)
		clear();
}

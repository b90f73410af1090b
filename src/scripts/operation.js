/*
 * Caches of modules that are valid during one operation. The document does not change while a script runs, so styles, roles
 * and names are computed once. Each operation begins with rememberNothing(), which clears the caches.
 */
const forgetting = [];

/* `forget` is called at the beginning of each operation. */
export function whenForgetting(forget) {
	forgetting.push(forget);
}

export function rememberNothing() {
	for (const forget of forgetting)
		forget();
}

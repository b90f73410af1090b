/*
 * What modules remember about the document for the length of one operation: nothing changes while a script runs, so that styles,
 * roles and names are computed once. An operation begins with rememberNothing().
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

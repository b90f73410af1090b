/* Regular expressions in the arguments of tools. */

/*
 * The expression that "source" or "/source/flags" describes; throws a SyntaxError for others. Each test begins at the start of its
 * text: the flags that continue after the last match are ignored.
 */
export function argumentRegex(text) {
	const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [null, text, ''];
	return new RegExp(source, flags.replace(/[gy]/g, ''));
}

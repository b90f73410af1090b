/*
 * Parses a script without running it: [line, column, message], which count from 0, of what is wrong with it, or null. The first statement of
 * what is evaluated throws, and what the script declares belongs to this function; `return` and others that need one are refused.
 */
export default (() => {
	const FIRST = 'throw 0;';
	return script => {
		try {
			eval(FIRST + script);
		} catch (e) {
			if (e instanceof SyntaxError)
				return JSON.stringify([e.lineNumber - 1, e.columnNumber - 1 - (e.lineNumber === 1 ? FIRST.length : 0), `SyntaxError: ${e.message}`]);
		}
		return null;
	};
})();

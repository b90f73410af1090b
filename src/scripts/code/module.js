/*
 * Modules of an operator: files with `export default` or `module.exports.default`, whose function prepares a page. They are run as the
 * body of a function, so they can import nothing.
 */

/* The line and column, from 1, of the syntax error in a script, as far as the browser reports it. */
function placeOfSyntaxError(text) {
	return new Promise(resolve => {
		const script = Object.assign(document.createElement('script'), { text });
		const report = event => {
			event.preventDefault();
			resolve({ line: event.lineno, column: event.colno });
		};
		addEventListener('error', report, { once: true });
		(document.head ?? document.documentElement).append(script);
		script.remove();
		removeEventListener('error', report);
		resolve(null);
	});
}

const BEGIN = 'async (module, exports) => { '; /* on the first line of the file, so that lines keep their numbers */

const blank = text => text.replace(/[^\n]/g, ' ');

/* The usual types of such a file, which say nothing to the browser: imports of types, and those of the default export's parameter and result. */
function withoutTypes(source) {
	const signature = /^([ \t]*export[ \t]+default\b[^\n]*?\(\s*\{[^{}]*\})(\s*:\s*(?:\{[^{}]*\}|[\w.]+))(\s*\))(\s*:\s*Promise<[^<>]*>)?/m;
	return source.replace(/^[ \t]*import[ \t]+type\b[^;\n]*;?/gm, blank)
		.replace(signature, (all, head, type, end, result = '') => head + blank(type) + end + blank(result));
}

/* `source` with what only modules may have replaced by as many characters. */
function asFunctionBody(source) {
	const imported = /^[ \t]*import\b(?!\s*\()/m.exec(source);
	if (imported) {
		const line = source.slice(0, imported.index).split('\n').length;
		throw new Error(`import is not supported here (line ${line}); put everything into one file`);
	}
	return source.replace(/^([ \t]*)export([ \t]+)default\b/m, '$1exports.default=').replace(/^([ \t]*)export(?=[ \t]+(?:const|let|var|function|class|async)\b)/gm, '$1      ');
}

/* The default export of the module. */
export async function defaultExport(source) {
	const text = `(${BEGIN}${asFunctionBody(withoutTypes(source))}\n})`;
	let body;
	try {
		body = new Function(`return ${text}`)();
	} catch (error) {
		const place = await placeOfSyntaxError(text);
		if (!place)
			throw error;
		const column = place.line === 1 ? place.column - BEGIN.length - 1 : place.column;
		throw new SyntaxError(`${error.message} (line ${place.line}, column ${column}; TypeScript has to be compiled to JavaScript first)`);
	}
	const module = { exports: {} };
	await body(module, module.exports);
	const exported = module.exports.default;
	if (typeof exported !== 'function')
		throw new TypeError('the file has no function as its default export');
	return exported;
}

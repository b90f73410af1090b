/*
 * Gives the document a function `name` that calls the code which has exposed it (page/exposed.h): its calls go through the binding
 * `browserdCall`, which the document loses here, and their answers come by answer(number, text, threw). Evaluated once more, it
 * changes nothing. Arguments may have `longest` characters.
 */
import { packValue, unpackValue } from '../code/values.js';

export default function (name, longest) {
	const key = Symbol.for('browserd.exposed');
	const special = v => v instanceof Node ? 'ref: <Node>' : v === window ? 'ref: <Window>' : undefined;

	function begin(send) {
		const calls = new Map();
		let last = 0;
		const call = (called, args) => new Promise((resolve, reject) => {
			const packed = JSON.stringify(packValue(args, special));
			if (packed.length > longest)
				throw new RangeError(`${called}: arguments of ${packed.length} characters are too long: ${longest} can pass`);
			send(JSON.stringify({ number: ++last, name: called, arguments: packed }));
			calls.set(last, { resolve, reject });
		});
		const answer = (number, text, threw) => {
			const { resolve, reject } = calls.get(number);
			calls.delete(number);
			(threw ? reject : resolve)(unpackValue(JSON.parse(text), []));
		};
		delete globalThis.browserdCall;
		Object.defineProperty(globalThis, key, { value: { names: new Set(), call, answer } });
	}

	if (!globalThis[key] && typeof globalThis.browserdCall === 'function')
		begin(globalThis.browserdCall);
	const exposed = globalThis[key];
	if (!exposed || exposed.names.has(name))
		return;
	exposed.names.add(name);
	const value = (...args) => exposed.call(name, args);
	Object.defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });
};

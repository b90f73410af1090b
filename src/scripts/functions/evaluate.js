/*
 * Runs a function of a caller's code (code/) in the page's world: `fn` of the object whose method this is. `how` says what it takes: 'list' its elements and the argument,
 * 'element' its element and the argument, 'argument' the argument; 'value' the same, where `fn` may also be a value. The first
 * `count` elements are the function's own, the others are in its argument. An element is the result itself with `wantsElement`,
 * else nodes are named in words. The caller's text stands outside, where it sees no name of this function.
 */
import { packValue, unpackValue } from '../code/values.js';

export default async function (how, wantsElement, packed, count, ...elements) {
	const { fn } = this;
	const own = elements.splice(0, count);
	const argument = unpackValue(packed, elements);
	const value = await (how === 'list' ? fn(own, argument) : how === 'element' ? fn(own[0], argument) :
		how === 'argument' || typeof fn === 'function' ? fn(argument) : fn);
	if (wantsElement && value instanceof Element)
		return value;
	const special = v => v instanceof Node ? 'ref: <Node>' : v === window ? 'ref: <Window>' : undefined;
	return JSON.stringify({ value: packValue(value, special) });
};

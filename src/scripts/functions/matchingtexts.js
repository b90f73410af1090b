/* The numbers of those of `texts`, [number, text], that the expression matches; a string, the reason, if it is not an expression. */
import { argumentRegex } from '../regex.js';

export default (text, texts) => {
	let regex;
	try {
		regex = argumentRegex(text);
	} catch (error) {
		return error.message;
	}
	return texts.flatMap(([number, text]) => regex.test(text) ? [number] : []);
};

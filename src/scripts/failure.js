/*
 * How page scripts fail: they throw a Failure, whose code is a public error code. What else is thrown is a defect of
 * the scripts and reaches C as an exception.
 */
export class Failure {
	constructor(code, message, details) {
		this.code = code;
		this.message = message;
		this.details = details;
	}
}

function asFailureValue(thrown) {
	if (!(thrown instanceof Failure))
		throw thrown;
	return { failure: { code: thrown.code, message: thrown.message, details: thrown.details } };
}

/* The exported functions, with failures as values: CDP hands over values whole, but of an exception only its text. */
export function guarded(functions) {
	const result = Object.create(null);
	for (const name of Object.keys(functions)) {
		result[name] = argument => {
			try {
				const value = functions[name](argument);
				return value instanceof Promise ? value.catch(asFailureValue) : value;
			} catch (thrown) {
				return asFailureValue(thrown);
			}
		};
	}
	return result;
}

/*
 * Page scripts fail by throwing a Failure, whose code is a public error code. Any other exception is a defect of the scripts
 * and reaches the server as an exception.
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

/* Wraps functions so that they return a Failure as a value, because CDP transfers values completely but only the text of exceptions. */
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

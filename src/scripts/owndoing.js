/* What the page scripts do to the document for an action, a value or the focus that they set, is no effect of the action. */
export let isOwnDoing = false;
const afterwards = [];

/* `run` is called after each such change. */
export function afterOwnDoing(run) {
	afterwards.push(run);
}

/* Runs `act`, whose events are its own doing; the effects are what the page makes of them. */
export function asOwnDoing(act) {
	isOwnDoing = true;
	try {
		return act();
	} finally {
		isOwnDoing = false;
		for (const run of afterwards)
			run();
	}
}

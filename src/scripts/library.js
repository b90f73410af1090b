/*
 * The library of page scripts, `browserd` in the world that browserd has in each document: the functions that modules of this
 * folder register in `exported`. embed.py adds all modules that do.
 */
import { exported } from './exported.js';
import { returningFailures } from './failure.js';
import { hidePasswords } from './privatefields.js';

const library = returningFailures(exported, argument => {
	if (argument?.hidesPasswords)
		hidePasswords();
});
Object.defineProperty(globalThis, 'browserd', { value: library });
export default library;

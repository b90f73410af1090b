/*
 * The library of page scripts, `browserd` in the world that browserd has in each document: the functions that modules of this
 * folder register in `exported`. embed.py adds all modules that do.
 */
import { exported } from './exported.js';
import { returningFailures } from './failure.js';

const library = returningFailures(exported);
Object.defineProperty(globalThis, 'browserd', { value: library });
export default library;

/*
 * The library of page scripts, `browserd` in the world that browserd has in each document: the functions that these modules
 * register in `exported`. A module that registers functions is imported here; everything else is imported where it is used.
 */
import './click.js';
import './dom.js';
import './drag.js';
import './elements.js';
import './find.js';
import './generate.js';
import './locatorprint.js';
import './point.js';
import './preview.js';
import './refs.js';
import './resolve.js';
import './scroll.js';
import './select.js';
import './settle.js';
import './snapshot.js';
import './textrange.js';
import './typing.js';
import './untouched.js';
import './waiting.js';
import { exported } from './exported.js';
import { guarded } from './failure.js';

const library = guarded(exported);
Object.defineProperty(globalThis, 'browserd', { value: library });
export default library;

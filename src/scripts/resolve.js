/* Resolves a target to the handle of its element, or to the frame in which resolving continues. */
import { allMatches } from './elements.js';
import { follow } from './engines.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { generateSteps } from './generate.js';
import { parseTarget } from './locator.js';
import { printSteps } from './locatorprint.js';
import { clearCaches } from './operation.js';
import { previewOf } from './preview.js';
import { tagOf, textOf } from './raw.js';
import { elementByRef, handleOf } from './refs.js';
import { oneOf, REF } from './target.js';

/*
 * {target | steps, refPrefix} -> {ref, steps, locator}: the element's handle, the steps of its locator as the caller wrote it
 * (for a ref or handle: the steps that generate() gives), and these as text. When it lies in a frame: {frame: handle of the frame's
 * element, outer: the steps so far, steps: what to resolve in the frame}. With `list`, all that match: {list, steps}, see
 * allMatches(). `any`: the first element counts where several match.
 */
export function resolve({ target, steps, refPrefix = '', list, any }) {
	clearCaches();
	if (target !== undefined && REF.test(target)) {
		const element = elementByRef(target);
		const generated = generateSteps(element);
		return { ref: handleOf(element, refPrefix), steps: generated, locator: printSteps(generated) };
	}
	const all = steps ?? parseTarget(target);
	const at = all.findIndex(step => step.type === 'frame');
	if (at < 0 && list)
		return { list: allMatches(follow(all), list, refPrefix), steps: all };
	if (at < 0) {
		const found = follow(all);
		return { ref: handleOf(oneOf(any ? found.slice(0, 1) : found, all, target), refPrefix), steps: all, locator: printSteps(all) };
	}
	if (at === 0)
		throw new Failure('INVALID_SELECTOR', 'frameFirst');
	const outer = all.slice(0, at);
	const frame = oneOf(follow(outer), outer, target);
	if (!/^i?frame$/.test(tagOf(frame)))
		throw new Failure('INVALID_SELECTOR', 'notAFrame', { selector: selectorOf(outer), element: previewOf(frame) });
	if (at === all.length - 1)
		throw new Failure('INVALID_SELECTOR', 'frameLast', { selector: selectorOf(outer) });
	return { frame: handleOf(frame, refPrefix), outer, steps: all.slice(at + 1) };
}

exported.resolve = resolve;

/*
 * {target: {ref} or {steps}, named, items} -> {texts}: the whole text of the element with each of these texts, inside of what the target
 * leads to. {missing}: the index of the first text that is not there. `named`: the steps of the target for messages.
 */
exported.itemTexts = ({ target: { ref, steps }, named, items }) => {
	clearCaches();
	const scopes = ref === undefined ? follow(steps) : [elementByRef(ref)];
	const found = items.map(value => {
		const step = { type: 'getBy', by: 'text', value };
		const elements = follow([step], scopes);
		return elements.length ? oneOf(elements, [...named, step]) : null;
	});
	const missing = found.indexOf(null);
	return missing < 0 ? { texts: found.map(textOf) } : { missing };
};

/* {targets, refPrefix} -> what resolve() gives for each of them; null where it fails. */
exported.resolveAll = ({ targets, refPrefix }) => targets.map(target => {
	try {
		return resolve({ target, refPrefix });
	} catch {
		return null;
	}
});

const selectorOf = steps => steps.map(step => step.type === 'css' ? step.value : printSteps([step])).join(' >> ');

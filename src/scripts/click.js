/* The part of a click that runs in the page: it waits for a point to press, and checks the events on arrival. */
import { arrival, awaitArrival } from './arrival.js';
import { describe, inPage } from './dom.js';
import { watchDrags } from './drag.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { giveUp, Obstacle, patienceFor, tryAgain, tryUntil } from './patience.js';
import { covered, editorAround, findPoint, forcePoint, OuterSearch, ROUND_WITHOUT_SCROLLING, visibleLabels } from './point.js';
import { isAttached, rectOf, tagOf } from './raw.js';
import { resolve } from './resolve.js';
import { findTarget } from './target.js';
import { boxesOf, movement, whyDisabled, whyHidden } from './visibility.js';

/* The Patience of the last click, which goes on if the press was blocked on arrival or by an outer frame. */
let clickPatience = null;

function whyNotClickable(element) {
	if (tagOf(element) === 'option' && !boxesOf(element).length)
		throw new Failure('ELEMENT_NOT_CLICKABLE', 'optionInMenu', { element: describe(element) });
	return whyUnseen(element) ?? whyDisabled(element);
}

/* Whether a person can press it, or what stands for it: check boxes and the fields of editors are often hidden behind a drawing of their own. */
function whyUnseen(element) {
	return visibleLabels(element).length || editorAround(element) ? null : whyHidden(element);
}

/* A point, or an Obstacle. `moves`: the mouse only moves there, so the element may be disabled. `place`: see prepareClick. */
function clickable(element, patience, moves, place) {
	const why = moves ? whyHidden(element) : whyNotClickable(element);
	if (why)
		return new Obstacle(why);
	return movement(element, patience) ?? patience.outer?.findPoint(element, place) ?? findPoint(element, patience.round, place);
}

function watchArrival(element, presses, patience, clickPoint) {
	const before = rectOf(element);
	awaitArrival(element, presses, clickPoint, (hit, point) => {
		const now = rectOf(element);
		const reason = !isAttached(element) ? 'replaced' : now.x !== before.x || now.y !== before.y ? 'moving' : null;
		const obstacle = reason ? new Obstacle({ reason }) : covered(element, hit, point);
		obstacle.why = { ...obstacle.why, onArrival: true };
		patience.note(Object.assign(obstacle, { subject: describe(element) }));
	});
}

function attemptClick({ target, options: { force, presses, drags, place } }, patience) {
	const element = findTarget(target);
	if (element instanceof Obstacle)
		return element;
	const point = force ? forcePoint(element, place) : clickable(element, patience, drags || presses === 0, place);
	if (point instanceof Obstacle)
		return Object.assign(point, { subject: describe(element) });
	if (!force && presses > 0)
		watchArrival(element, presses, patience, point);
	if (drags)
		watchDrags();
	return { ...inPage(point), element: describe(element) };
}

/*
 * {target, timeout, elapsed, options: {force, presses, drags, again, place}}: waits until the target can be clicked, and returns
 * the point, {x, y} in the page's viewport, and a description of the element. Unless `force` is set, the events of `presses`
 * presses are checked on arrival. `drags`: the point is the start or end of a drag. `again`: continues the wait of a press that
 * was blocked, or that `obstacle`, {why, hit}, would block; `elapsed` ms have passed since that wait began. `place`: the only
 * point to use, as an offset {x, y} from the upper left corner of the element's padding box. `inView`: null instead of waiting or
 * scrolling.
 */
exported.prepareClick = request => {
	if (request.options.inView)
		return immediatePoint(request);
	exported.endClick();
	const { again, obstacle } = request.options;
	const continued = again ? clickPatience : null;
	const patience = clickPatience = continued ?? patienceFor(request);
	if (obstacle) {
		patience.note(new Obstacle(obstacle.why, { hit: obstacle.hit, subject: 'the element' }));
		patience.outer ??= new OuterSearch();
		patience.outer.refuse();
	}
	const attempt = () => attemptClick(request, patience);
	const refusal = () => patience.refusal('ELEMENT_NOT_CLICKABLE', 'clicked');
	return continued ? tryAgain(patience, attempt, refusal) : tryUntil(patience, attempt, refusal);
};

/* The click point as prepareClick() returns it, or null if the element cannot be pressed at once. */
function immediatePoint(request) {
	exported.endClick();
	clickPatience = patienceFor(request);
	clickPatience.round = request.options.inView ? ROUND_WITHOUT_SCROLLING : 0;
	try {
		const point = attemptClick(request, clickPatience);
		return point instanceof Obstacle ? null : point;
	} catch {
		return null;
	}
}

/*
 * Resolves a target and looks for its click point, so that most clicks need one message: {target, refPrefix, click} -> what
 * resolve() returns and, if the element is in this document, `point`, see immediatePoint(). `click` is the argument of prepareClick()
 * without a target. This function does not wait, so that the server knows the element even if a wait for it is interrupted;
 * where there is no point, the server calls prepareClick(), which waits or says why it cannot be pressed.
 */
exported.resolveForClick = ({ target, refPrefix, click }) => {
	const resolved = resolve({ target, refPrefix });
	return resolved.ref ? { ...resolved, point: immediatePoint({ ...click, target: { ref: resolved.ref } }) } : resolved;
};

/*
 * Called when the browser has delivered all events of the click, or when the server gives it up. Returns null if no press was
 * checked, else the present position of the point, in the form of prepareClick().
 */
exported.endClick = () => {
	const place = arrival && inPage(arrival.clickPoint);
	giveUp();
	arrival?.end();
	return place;
};

/*
 * Drag and drop from the page's side: whether a drag has begun, and whether the element below accepts it. Both depend on
 * whether listeners prevented the event, so the first listener keeps the event and its state is read after the dispatch.
 *
 * A browser that does not finish the drags of input has them performed here: the start of a drag in the page is reported with its data and
 * prevented, and the steps that follow are events of this script, which carry the data.
 */
import { CAPTURING } from './arrival.js';
import { createElement, frameMap, topElementAt } from './dom.js';
import { exported } from './exported.js';

const WATCHED_DRAGS = ['dragstart', 'dragover'];
const OWN = 0x64726167; /* UIEvent.detail of the events of this script, which the worlds of other frames know them by */
let lastDrag = null;

function keepDrag(event) {
	if (event.isTrusted || event.detail === OWN)
		lastDrag = event;
}

export function watchDrags() {
	lastDrag = null;
	for (const type of WATCHED_DRAGS)
		window.addEventListener(type, keepDrag, CAPTURING);
}

exported.watchDrags = () => {
	watchDrags();
};

/* {type} -> whether the page prevented the default action of the last event of this type; null if there was none */
exported.dragPrevented = ({ type }) => lastDrag?.type === type ? lastDrag.defaultPrevented : null;

/* ---- the start of a drag ---- */

let report = null; /* (text) => ...: drags are performed here */
let source = null; /* what is dragged from this document */

function dataOf(transfer) {
	const types = [...transfer.types].filter(type => type !== 'Files' && !/^(?:text|application)\/x-moz/.test(type));
	return { items: types.map(type => [type, transfer.getData(type)]), effectAllowed: transfer.effectAllowed, files: [] };
}

/* After the last listener of the page: on the window, or where one has stopped the event. */
function onLastListener(event, watching) {
	if (event.currentTarget !== window && !event.cancelBubble)
		return;
	watching.abort();
	lastDrag = { type: event.type, defaultPrevented: event.defaultPrevented };
	if (event.defaultPrevented)
		return;
	source = event.composedPath()[0];
	report(JSON.stringify(dataOf(event.dataTransfer)));
	event.preventDefault();
}

function onDragStart(event) {
	if (!report || !event.isTrusted)
		return;
	const watching = new AbortController();
	for (const node of event.composedPath())
		node.addEventListener(event.type, e => onLastListener(e, watching), { signal: watching.signal });
}

/* {tell}: a function for what drags carry, or null where the browser has them again. */
exported.performDrags = ({ tell }) => {
	report = tell;
	window.addEventListener('dragstart', onDragStart, CAPTURING);
};

/* ---- its steps ---- */

const ENTER = 0, OVER = 1, DROP = 2;
let isInside = false, over = null, isAccepted = false, effect = 'none', carrier = null;

/* A field, in no document, whose files are dragged. */
exported.carrierOfFiles = () => {
	carrier = createElement('input');
	carrier.type = 'file';
	carrier.multiple = true;
	return carrier;
};

function transferOf({ items, files, effectAllowed }) {
	const transfer = new DataTransfer();
	for (const [type, text] of items)
		transfer.setData(type, text);
	for (const file of files.length ? carrier?.files ?? [] : [])
		transfer.items.add(file);
	if (effectAllowed)
		transfer.effectAllowed = effectAllowed;
	transfer.dropEffect = effect;
	return transfer;
}

/* What a drop would do, unless the page says otherwise. */
const usualEffect = ({ effectAllowed = 'copy' }) => /^(?:copy|all)/.test(effectAllowed) ? 'copy' : effectAllowed === 'link' ? 'link' : 'move';

/* Returns whether the page has prevented its default action. */
function send(target, type, data, { x, y }, cancelable = true) {
	const dataTransfer = transferOf(data);
	const event = new DragEvent(type, { bubbles: true, cancelable, composed: true, detail: OWN, clientX: x, clientY: y, dataTransfer });
	target.dispatchEvent(event);
	if (type === 'dragover' || type === 'drop')
		effect = dataTransfer.dropEffect;
	return event.defaultPrevented;
}

/* What lies at the point, in documents that this world reaches, and where it is there. */
function targetAt(x, y) {
	let map = new DOMMatrix();
	for (let page = document; ;) {
		const point = map.transformPoint(new DOMPoint(x, y)), target = topElementAt(point.x, point.y, page);
		if (!target?.contentDocument)
			return { target, point };
		map = frameMap(target).inverse().multiply(map);
		page = target.contentDocument;
	}
}

function leave(data, point) {
	if (over)
		send(over, 'dragleave', data, point, false);
	over = null;
}

function enter(target, data, point) {
	const before = over;
	if (target === before)
		return;
	isAccepted = false;
	if (target)
		send(target, 'dragenter', data, point);
	leave(data, point);
	over = target;
}

function drop(data, point) {
	if (over && isAccepted)
		send(over, 'drop', data, point);
	else
		leave(data, point);
	over = null;
	isInside = false;
}

/* {step, x, y, data}: one step of a drag, as engine/input.h has them -> the effect of the drop so far. */
exported.dragTo = ({ step, x, y, data }) => {
	const { target, point } = targetAt(x, y);
	if (step === ENTER) {
		isInside = true;
		over = null;
	}
	if (isInside && step <= OVER) {
		effect = usualEffect(data);
		enter(target, data, point);
	}
	if (isInside && step === OVER)
		isAccepted = Boolean(target) && send(target, 'dragover', data, point);
	if (step === DROP) {
		drop(data, point);
	} else if (step > DROP) {
		leave(data, point);
		isInside = false;
		effect = 'none';
	}
	return isAccepted ? effect : 'none';
};

/* {data, ...}: the drag from this document has ended. */
exported.dragEnded = ({ data, dropEffect }) => {
	effect = dropEffect;
	if (source?.isConnected)
		send(source, 'dragend', data, { x: 0, y: 0 }, false);
	source = null;
};

/*
 * A layer on top of the page in which browserd draws highlights, action marks and chapter cards. It is one empty element at the end
 * of the document, there only while something is drawn, whose contents are in a closed shadow root of this world and in the
 * browser's top layer. Scripts of the page cannot reach the contents, hit tests pass through them, and snapshots, locators and
 * effects.js do not see them. (A shadow root of the page's own body would need no element, but attaching it restarts the page's
 * animations.)
 */
import { bodyOf, createElement, rootElement } from './dom.js';
import { isAttached, spaceOf, SVG_SPACE } from './raw.js';
import { later } from './timers.js';

const LAYER_TAG = 'browserd-overlay';
const TRACKING_PERIOD = 33; /* ms */
const LAYER_STYLE = `
:host { all: initial !important; display: contents !important; }
[popover] { all: initial; position: fixed; inset: 0; display: block; width: 100%; height: 100%; overflow: hidden;
	pointer-events: none; user-select: none; font: 13px/1.4 system-ui, sans-serif; color: #222; }
[popover] * { pointer-events: none; box-sizing: border-box; }
@media print { [popover] { display: none; } }`;

const appendTo = (parent, child) => Node.prototype.appendChild.call(parent, child);
const takeAway = element => Element.prototype.remove.call(element);
let layerHost = null;
let layer = null; /* the element in the shadow root that holds all drawings */
const tracked = new Set(); /* functions that keep drawings in their places */
let isTracking = false;

function makeLayer() {
	layerHost = createElement(LAYER_TAG);
	const root = Element.prototype.attachShadow.call(layerHost, { mode: 'closed' });
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(LAYER_STYLE);
	root.adoptedStyleSheets = [sheet];
	layer = createElement('div');
	layer.popover = 'manual';
	appendTo(root, layer);
}

/* Whether the record says no more than that the layer came or went. */
export function isOverlayRecord({ type, addedNodes, removedNodes }) {
	return layerHost !== null && type === 'childList' && [...addedNodes, ...removedNodes].every(node => node === layerHost);
}

/* Puts the layer above all that is in the top layer now. False: the document cannot show it. */
function raiseLayer() {
	const parent = rootElement();
	if (!parent || spaceOf(parent) === SVG_SPACE || !bodyOf())
		return false;
	if (!layerHost)
		makeLayer();
	if (!isAttached(layerHost))
		appendTo(parent, layerHost);
	if (layer.matches(':popover-open'))
		layer.hidePopover();
	layer.showPopover();
	return true;
}

/* Draws an element with these CSS declarations and this text; null where the document cannot show it. */
export function draw(style, text = '', parent = null) {
	if (!parent && !raiseLayer())
		return null;
	const drawing = createElement('div');
	drawing.style.cssText = style;
	drawing.textContent = text;
	appendTo(parent ?? layer, drawing);
	return drawing;
}

/* Takes drawings away; the layer goes with the last one. */
export function eraseDrawings(drawings) {
	for (const drawing of drawings) {
		if (drawing)
			takeAway(drawing);
	}
	if (layerHost && !layer.firstElementChild)
		takeAway(layerHost);
}

/* Sets properties of the drawing's style that have other values. */
export function restyle(drawing, style) {
	for (const [name, value] of Object.entries(style)) {
		if (drawing.style[name] !== value)
			drawing.style[name] = value;
	}
}

function goOnTracking() {
	isTracking = tracked.size > 0;
	if (!isTracking)
		return;
	later(() => {
		for (const update of tracked)
			update();
		goOnTracking();
	}, TRACKING_PERIOD);
}

/* Calls `update` periodically until untrack(), so that a drawing follows what it belongs to. */
export function track(update) {
	tracked.add(update);
	if (!isTracking)
		goOnTracking();
}

export const untrack = update => tracked.delete(update);

import { isBusy } from '#web/platform/session/busy.ts';
import type { Box, Place } from './next-control.ts';

/** How long the page has to settle, in milliseconds, so that its own focus changes come first. */
const settleMs = 120;
/** How long the search waits for a control in the page before it takes one in the header, in milliseconds. */
const headerDelayMs = 2000;

let isPreserving = false;
let settling: ReturnType<typeof setTimeout> | undefined;
let lostAt = 0;
let ringed: HTMLElement | undefined;
/** path of the page that has already had a focus */
let page = '';

/**
 * Without a focus, a customer with a remote control cannot see the position. So one control has the focus on every
 * page, also after the focused control was removed: the element with `data-first` on arrival, else the first visible
 * control after the heading that has the focus for screen readers, or of the page. On arrival a control that is no text
 * field is preferred, because some TVs cover the page with their keyboard.
 */
export function preserveFocus(): void {
  if (isPreserving) return;
  isPreserving = true;
  followTyping();
  const changes = new MutationObserver(settle);
  changes.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'open'],
  });
  document.addEventListener('focusin', drawRing);
  document.addEventListener('focusin', settle);
  document.addEventListener('focusout', settle);
  drawRing();
  settle();
}

function settle(): void {
  clearTimeout(settling);
  settling = setTimeout(restoreFocus, settleMs);
}

function restoreFocus(): void {
  if (document.documentElement.dataset['screen'] !== 'TV') return;
  const { activeElement } = document;
  const isArrival = page !== location.pathname;
  // The focus inside a captcha's frame counts too.
  if ((isControl(activeElement) && isVisibleControl(activeElement)) || activeElement instanceof HTMLIFrameElement) {
    page = location.pathname;
    lostAt = 0;
    return;
  }
  lostAt ||= performance.now();
  const first = firstOf(visibleControls(), activeElement, isArrival);
  if (!first) {
    // A control may still appear without a mutation of the DOM.
    if (performance.now() - lostAt < headerDelayMs) settling = setTimeout(restoreFocus, headerDelayMs / 4);
    return;
  }
  page = location.pathname;
  first.focus({ preventScroll: true });
  if (!isOnScreen(first)) shapeOf(first).scrollIntoView({ block: 'nearest' });
}

function firstOf(all: readonly HTMLElement[], active: Element | null, isArrival: boolean): HTMLElement | undefined {
  const own = currentScope() === document ? all.filter((one) => one.closest('main')) : all;
  if (own.length === 0) return performance.now() - lostAt > headerDelayMs ? all[0] : undefined;
  const after = active ? own.filter((one) => follows(active, one)) : own;
  const near = after.length > 0 ? after : own;
  const shown = near.filter(isOnScreen);
  const ready = shown.length > 0 ? shown : near;
  const main = isArrival ? [...shown, ...near].find((one) => 'first' in one.dataset) : undefined;
  if (main) return main;
  const first = (isArrival ? ready.find((one) => !isTextControl(one)) : undefined) ?? ready[0];
  // Of several radio buttons, the checked one.
  return (isRadio(first) && ready.find((one) => isRadio(one) && one.name === first.name && one.checked)) || first;
}

const isRadio = (element: HTMLElement | undefined): element is HTMLInputElement =>
  element !== undefined && isChoice(element) && element.type === 'radio';

const follows = (start: Element, one: Element) =>
  (start.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

function isOnScreen(control: HTMLElement): boolean {
  const { top, bottom } = boxOf(control);
  return top >= 0 && bottom <= screenHeight();
}

/**
 * Rings the visible shape of the control; `:focus-visible` and `:has` fail for it in some engines, and a text field has
 * its own ring.
 */
function drawRing(): void {
  const { activeElement } = document;
  if (ringed) delete ringed.dataset['ring'];
  ringed = undefined;
  if (!isControl(activeElement) || isTextControl(activeElement)) return;
  ringed = shapeOf(activeElement);
  ringed.dataset['ring'] = '';
}

/** Names of the remote control's Back key on Tizen, webOS and Android TV. */
const names = new Set(['GoBack', 'BrowserBack', 'XF86Back']);
/** Key codes where a TV reports no name: 10009 on Tizen, 461 on webOS. */
const codes = new Set([10_009, 461]);

export function isBackKey(event: KeyboardEvent): boolean {
  return event.key === 'Escape' || event.key === 'Backspace' || isOwnKey(event);
}

/** Keys that only mean Back. Escape and Backspace belong to a text field first. */
function isOwnKey({ key, keyCode }: KeyboardEvent): boolean {
  return names.has(key) || codes.has(keyCode);
}

/** Closes the open dialog or details; else, unless the customer is typing or paying, goes to the previous page. */
export function goBack(event: KeyboardEvent): void {
  const { activeElement } = document;
  // A repeated Backspace deletes a text and would leave the page after its last letter.
  if (event.repeat || (!isOwnKey(event) && typesInto(activeElement))) return;
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].pop();
  const details = activeElement?.closest<HTMLDetailsElement>('details[open]');
  if (dialog) {
    // The browser closes the dialog at Escape.
    if (event.key === 'Escape') return;
    event.preventDefault();
    if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
  } else if (details) {
    event.preventDefault();
    details.open = false;
    details.querySelector('summary')?.focus();
  } else if (mayLeave(event) && hasPageBefore()) {
    event.preventDefault();
    history.back();
  }
}

/** Whether the key belongs to the text field: it contains text, or the customer has just emptied it. */
function typesInto(element: Element | null): boolean {
  return isTextControl(element) && (element.value !== '' || element === edited);
}

let edited: EventTarget | null = null;

/** Tracks which field was edited since it received the focus. */
function followTyping(): void {
  document.addEventListener('input', ({ target }) => void (edited = target));
  document.addEventListener('focusin', () => void (edited = null));
}

/** No key leaves a payment in progress; only a dedicated Back key leaves a form with input. */
function mayLeave(event: KeyboardEvent): boolean {
  return isOwnKey(event) ? !isBusy('payment') : !isBusy();
}

/** Within the storefront: the router counts its pages. Before the first page the TV handles Back. */
function hasPageBefore(): boolean {
  const state: unknown = history.state;
  const index = typeof state === 'object' && state !== null && '__TSR_index' in state ? state.__TSR_index : 0;
  return typeof index === 'number' && index > 0;
}

const kinds =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** The part of the page that arrows move in: the open dialog, or else the document. */
function currentScope(): ParentNode {
  const open = document.querySelectorAll('dialog[open]');
  return open.item(open.length - 1) ?? document;
}

/** All controls that the arrows can reach now, in document order. */
export function visibleControls(scope: ParentNode = currentScope()): HTMLElement[] {
  return [...scope.querySelectorAll<HTMLElement>(kinds)].filter(isVisibleControl);
}

export function isControl(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.matches(kinds);
}

/**
 * The visible shape of a control: for a radio button or checkbox its card; for a list that lies transparently over its
 * label, the label.
 */
export function shapeOf(control: HTMLElement): HTMLElement {
  const label = control.closest('label');
  if (!label || getComputedStyle(control).opacity === '0') return label ?? control;
  // A label with links in it is no card: the arrows must reach the box and the links separately.
  return isChoice(control) && label.querySelectorAll(kinds).length === 1 ? label : control;
}

export function placeOf(control: HTMLElement): Place<HTMLElement> {
  const around: Element[] = [];
  for (let one = control.parentElement; one; one = one.parentElement) around.push(one);
  return { control, box: boxOf(control), around };
}

export function boxOf(control: HTMLElement): Box {
  return shapeOf(control).getBoundingClientRect();
}

/**
 * The height of the screen in the pixels of `getBoundingClientRect`: below Chrome 128 these are larger than CSS pixels
 * where the page is zoomed, as on a TV (CSS Viewport, "zoom").
 */
export function screenHeight(): number {
  return innerHeight * boxScale();
}

const boxScale = () => document.documentElement.getBoundingClientRect().width / innerWidth;

/** A checkbox or radio button. */
export function isChoice(element: Element | null): element is HTMLInputElement & { type: 'radio' | 'checkbox' } {
  return element instanceof HTMLInputElement && (element.type === 'radio' || element.type === 'checkbox');
}

const untyped = new Set(['radio', 'checkbox', 'button', 'submit', 'reset', 'file', 'range', 'color', 'image']);

/** Whether it accepts typed text. */
export function isTextControl(element: Element | null): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && !untyped.has(element.type));
}

/** `checkVisibility` is missing below Chrome 105. */
function isVisibleControl(control: HTMLElement): boolean {
  const shape = shapeOf(control);
  if (shape.getClientRects().length === 0 || getComputedStyle(shape).visibility !== 'visible') return false;
  if (isInClosedDetails(control)) return false;
  // A link that is shown only with the focus is positioned above the page.
  return shape.getBoundingClientRect().bottom + scrollY * boxScale() > 0;
}

/** Inside a closed `<details>`, whose content has boxes too. */
function isInClosedDetails(control: HTMLElement): boolean {
  for (let one: Element = control; one.parentElement; one = one.parentElement) {
    const { parentElement: parent } = one;
    if (parent instanceof HTMLDetailsElement && !parent.open && one.tagName !== 'SUMMARY') return true;
  }
  return false;
}

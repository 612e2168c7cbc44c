import { followTyping } from './back-key.ts';
import {
  boxOf,
  currentScope,
  isChoice,
  isControl,
  isVisibleControl,
  isTextControl,
  screenHeight,
  visibleControls,
  shapeOf,
} from './visible-controls.ts';

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

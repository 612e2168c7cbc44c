import { followTyping } from './back-key.ts';
import {
  boxOf,
  currentScope,
  isChoice,
  isControl,
  isSeen,
  isTyped,
  screenHeight,
  seenControls,
  shapeOf,
} from './seen-controls.ts';

/** What a page needs to settle, in milliseconds: its own wishes about the focus come first. */
const settleMs = 120;
/** How long the header waits for the page to have anything to press, in milliseconds. */
const patienceMs = 2000;

let isKept = false;
let settling: ReturnType<typeof setTimeout> | undefined;
let lostAt = 0;
let ringed: HTMLElement | undefined;
/** the page on which somebody has already had a focus */
let page = '';

/**
 * [Note: First focus] Without a focus nobody with a remote control knows where they are. So there is one on every page, and
 * again when what had it is gone: on the first control after the heading that has taken the focus for those who listen, or
 * of the page, that can be seen; or on what a page is there for (`data-first`). On arrival rather on one that is not typed into: some TVs put their keyboard over the page.
 */
export function preserveFocus(): void {
  if (isKept) return;
  isKept = true;
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
  settling = setTimeout(giveFocus, settleMs);
}

function giveFocus(): void {
  if (document.documentElement.dataset['screen'] !== 'TV') return;
  const { activeElement } = document;
  const isArrival = page !== location.pathname;
  // Whoever is inside of a captcha's frame is somewhere, too.
  if ((isControl(activeElement) && isSeen(activeElement)) || activeElement instanceof HTMLIFrameElement) {
    page = location.pathname;
    lostAt = 0;
    return;
  }
  lostAt ||= performance.now();
  const first = firstOf(seenControls(), activeElement, isArrival);
  if (!first) {
    // Something may still come that says so by no change of the page.
    if (performance.now() - lostAt < patienceMs) settling = setTimeout(giveFocus, patienceMs / 4);
    return;
  }
  page = location.pathname;
  first.focus({ preventScroll: true });
  if (!isOnScreen(first)) shapeOf(first).scrollIntoView({ block: 'nearest' });
}

function firstOf(all: readonly HTMLElement[], active: Element | null, isArrival: boolean): HTMLElement | undefined {
  const own = currentScope() === document ? all.filter((one) => one.closest('main')) : all;
  if (own.length === 0) return performance.now() - lostAt > patienceMs ? all[0] : undefined;
  const after = active ? own.filter((one) => follows(active, one)) : own;
  const near = after.length > 0 ? after : own;
  const shown = near.filter(isOnScreen);
  const ready = shown.length > 0 ? shown : near;
  const main = isArrival ? [...shown, ...near].find((one) => 'first' in one.dataset) : undefined;
  if (main) return main;
  const first = (isArrival ? ready.find((one) => !isTyped(one)) : undefined) ?? ready[0];
  // Of several choices, the one that is made.
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

/** Around what is seen of the control; `:focus-visible` and `:has` leave it out in some engines, and a field has its own. */
function drawRing(): void {
  const { activeElement } = document;
  if (ringed) delete ringed.dataset['ring'];
  ringed = undefined;
  if (!isControl(activeElement) || isTyped(activeElement)) return;
  ringed = shapeOf(activeElement);
  ringed.dataset['ring'] = '';
}

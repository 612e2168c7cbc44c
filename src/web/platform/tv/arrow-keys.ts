import { nextControl, type Direction } from './next-control.ts';
import { boxOf, isChoice, isControl, isTyped, placeOf, screenHeight, seenControls, shapeOf } from './seen-controls.ts';
import { goBack, isBackKey } from './back-key.ts';
import { preserveFocus } from './preserve-focus.ts';

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/**
 * For a TV whose browser does not move the focus itself: there is always a focus to start from, the arrows go to the next
 * control in their direction ([Note: Arrows]), OK (Enter) does what the control is there for, and Back goes back. The caret
 * of a text keeps its arrows. React stops keys on their way up from a part of the page that does not live yet: they are
 * met on their way down.
 */
export function followArrows(): void {
  document.addEventListener('keydown', follow, { capture: true });
  preserveFocus();
}

function follow(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A tablet that came by the link of a box was taken for a TV at first.
  if (document.documentElement.dataset['screen'] !== 'TV') return;
  const direction = directions[event.key];
  if (direction) move(event, direction);
  else if (event.key === 'Enter') choose(event, document.activeElement);
  else if (isBackKey(event)) goBack(event);
}

function move(event: KeyboardEvent, direction: Direction): void {
  const from = document.activeElement;
  if (from && usesArrow(from, direction)) return;
  const next = isControl(from) ? wayFrom(from, direction) : firstControl();
  // Nothing there: the page scrolls, as it always does.
  if (!next && !isChoice(from) && !(from instanceof HTMLSelectElement)) return;
  event.preventDefault();
  if (typeof next === 'number') scrollBy(0, next);
  else if (next) focusOn(next);
}

export function focusOn(control: HTMLElement): void {
  control.focus({ preventScroll: true });
  shapeOf(control).scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** As much of a screen as is scrolled at a time, where there is only text for longer than that. */
const glance = 0.6;

/** The next control, or how far to scroll towards it: what is written on the way there is to be read. */
function wayFrom(from: HTMLElement, direction: Direction): HTMLElement | number | undefined {
  const height = screenHeight();
  const isUp = direction === 'up';
  // It was scrolled out of sight; up leads back to it.
  const isBehind = isUp ? boxOf(from).bottom < 0 : direction === 'down' && boxOf(from).top > height;
  const next = isBehind ? from : nextControl(placeOf(from), seenControls().map(placeOf), direction);
  if (!next || direction === 'left' || direction === 'right') return next;
  const { top, bottom } = boxOf(next);
  const beyond = isUp ? -bottom : top - height;
  if (beyond < glance * height) return next;
  return (isUp ? -glance : glance) * innerHeight;
}

function firstControl(): HTMLElement | undefined {
  const all = seenControls();
  return all.find((one) => one.closest('main, dialog')) ?? all[0];
}

/** What Enter does by itself there, sending the form or nothing, is not what OK is pressed for. */
function choose(event: KeyboardEvent, element: Element | null): void {
  const isFile = element instanceof HTMLInputElement && element.type === 'file';
  if (isFile || isChoice(element)) {
    event.preventDefault();
    element.click();
  } else if (element instanceof HTMLSelectElement) {
    event.preventDefault();
    if ('showPicker' in element) element.showPicker();
    else chooseNext(element);
  }
}

/** Where a list cannot be opened by a script (Chromium before 121), OK goes through what it holds. */
function chooseNext(list: HTMLSelectElement): void {
  list.selectedIndex = (list.selectedIndex + 1) % list.length;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * A choice or a closed list uses none: the browser would take every arrow that passes by for another choice, and nobody
 * could leave a group with any but its last one. While a list is open, the browser keeps the keys to itself.
 */
function usesArrow(element: Element, direction: Direction): boolean {
  const upOrDown = direction === 'up' || direction === 'down';
  if (isTyped(element)) {
    if (upOrDown && element instanceof HTMLInputElement) return false;
    return caretMoves(element, direction);
  }
  return upOrDown && scrolls(element, direction);
}

/** Whether there is text left in that direction. Some kinds of fields do not tell where their caret is. */
function caretMoves(
  { value, selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement,
  direction: Direction,
): boolean {
  if (selectionStart === null || selectionEnd === null) return value !== '';
  return direction === 'left' || direction === 'up' ? selectionEnd > 0 : selectionStart < value.length;
}

/** A box of text that has more of it in that direction; the browser scrolls it. */
function scrolls(element: Element, direction: Direction): boolean {
  if (element.getAttribute('tabindex') !== '0') return false;
  const left = element.scrollHeight - element.clientHeight - element.scrollTop;
  return direction === 'up' ? element.scrollTop > 1 : left > 1;
}

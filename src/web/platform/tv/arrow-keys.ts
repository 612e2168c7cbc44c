import { nextControl, type Direction } from './next-control.ts';
import {
  preserveFocus,
  goBack,
  isBackKey,
  boxOf,
  isChoice,
  isControl,
  isTextControl,
  placeOf,
  screenHeight,
  visibleControls,
  shapeOf,
} from './preserve-focus.ts';

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/**
 * For a TV whose browser does not move the focus itself: one control always has the focus, arrow keys move it to the
 * next control in their direction (`next-control.ts`), OK (Enter) operates the control, and Back goes back. The text
 * caret keeps its arrow keys. Listens in the capture phase, because React stops keys that bubble up from a part of the
 * page that is not hydrated.
 */
export function followArrows(): void {
  document.addEventListener('keydown', follow, { capture: true });
  preserveFocus();
}

function follow(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A tablet that was opened by a TV link counted as a TV at first.
  if (document.documentElement.dataset['screen'] !== 'TV') return;
  const direction = directions[event.key];
  if (direction) move(event, direction);
  else if (event.key === 'Enter') choose(event, document.activeElement);
  else if (isBackKey(event)) goBack(event);
}

function move(event: KeyboardEvent, direction: Direction): void {
  const from = document.activeElement;
  if (from && usesArrow(from, direction)) return;
  const next = isControl(from) ? nextFrom(from, direction) : firstControl();
  // No control there: the browser scrolls the page.
  if (!next && !isChoice(from) && !(from instanceof HTMLSelectElement)) return;
  event.preventDefault();
  if (typeof next === 'number') scrollBy(0, next);
  else if (next) focusControl(next);
}

function focusControl(control: HTMLElement): void {
  control.focus({ preventScroll: true });
  shapeOf(control).scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Share of the screen height that one arrow press scrolls where there is only text for longer than that. */
const scrollShare = 0.6;

/** The next control, or how far to scroll towards it, so that the text in between can be read. */
function nextFrom(from: HTMLElement, direction: Direction): HTMLElement | number | undefined {
  const height = screenHeight();
  const isUp = direction === 'up';
  // The control was scrolled out of view; up leads back to it.
  const isBehind = isUp ? boxOf(from).bottom < 0 : direction === 'down' && boxOf(from).top > height;
  const next = isBehind ? from : nextControl(placeOf(from), visibleControls().map(placeOf), direction);
  if (!next || direction === 'left' || direction === 'right') return next;
  const { top, bottom } = boxOf(next);
  const beyond = isUp ? -bottom : top - height;
  if (beyond < scrollShare * height) return next;
  return (isUp ? -scrollShare : scrollShare) * innerHeight;
}

function firstControl(): HTMLElement | undefined {
  const all = visibleControls();
  return all.find((one) => one.closest('main, dialog')) ?? all[0];
}

/** For these controls Enter submits the form or does nothing, which is not what OK means. */
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

/** OK selects the next option where a script cannot open a list (Chromium before 121). */
function chooseNext(list: HTMLSelectElement): void {
  list.selectedIndex = (list.selectedIndex + 1) % list.length;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Whether the control uses the arrow itself. A radio button or a closed list does not: the browser would change the
 * choice with every arrow, and a group could be left only with its last option. While a list is open, the browser
 * receives the keys.
 */
function usesArrow(element: Element, direction: Direction): boolean {
  const upOrDown = direction === 'up' || direction === 'down';
  if (isTextControl(element)) {
    if (upOrDown && element instanceof HTMLInputElement) return false;
    return caretMoves(element, direction);
  }
  return upOrDown && scrolls(element, direction);
}

/** Whether there is text left in that direction. Some types of fields do not report their caret. */
function caretMoves(
  { value, selectionStart, selectionEnd }: HTMLInputElement | HTMLTextAreaElement,
  direction: Direction,
): boolean {
  if (selectionStart === null || selectionEnd === null) return value !== '';
  return direction === 'left' || direction === 'up' ? selectionEnd > 0 : selectionStart < value.length;
}

/** A scrollable text with more content in that direction; the browser scrolls it. */
function scrolls(element: Element, direction: Direction): boolean {
  if (element.getAttribute('tabindex') !== '0') return false;
  const remaining = element.scrollHeight - element.clientHeight - element.scrollTop;
  return direction === 'up' ? element.scrollTop > 1 : remaining > 1;
}

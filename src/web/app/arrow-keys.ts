type Direction = 'up' | 'down' | 'left' | 'right';

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const controls =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), summary, [tabindex="0"]';

/**
 * For a TV whose browser does not move the focus itself: the arrows go to the nearest control in their direction, and OK
 * (Enter) does what the control is there for. The caret of a text keeps its arrows. The answer stops it.
 */
export function followArrows(): () => void {
  document.addEventListener('keydown', follow);
  return () => document.removeEventListener('keydown', follow);
}

function follow(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const direction = directions[event.key];
  const from = document.activeElement;
  if (direction) move(event, from, direction);
  else if (event.key === 'Enter') choose(event, from);
}

function move(event: KeyboardEvent, from: Element | null, direction: Direction): void {
  if (from && usesArrow(from, direction)) return;
  const next = nearest(from, direction);
  // Nothing there: the page scrolls, as it always does.
  if (!next && !isChoice(from)) return;
  event.preventDefault();
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** What Enter does by itself there, sending the form or nothing, is not what OK is pressed for. */
function choose(event: KeyboardEvent, element: Element | null): void {
  if (!isChoice(element) && !isList(element)) return;
  event.preventDefault();
  if (isChoice(element)) element.click();
  else element.showPicker();
}

function usesArrow(element: Element, direction: Direction): boolean {
  const upOrDown = direction === 'up' || direction === 'down';
  if (element instanceof HTMLSelectElement) return !isList(element) && upOrDown;
  if (!(element instanceof HTMLInputElement)) return element instanceof HTMLTextAreaElement;
  const isText = !['radio', 'checkbox', 'button', 'submit'].includes(element.type);
  return isText && !upOrDown && caretMoves(element, direction);
}

/** Whether there is text left in that direction. Some kinds of fields do not tell where their caret is. */
function caretMoves({ value, selectionStart, selectionEnd }: HTMLInputElement, direction: Direction): boolean {
  if (selectionStart === null || selectionEnd === null) return value !== '';
  return direction === 'left' ? selectionEnd > 0 : selectionStart < value.length;
}

/**
 * A box to tick, or one of several choices. The browser would take every arrow that passes through a group for a choice:
 * nobody could leave it with any but its last one.
 */
function isChoice(element: Element | null): element is HTMLInputElement & { type: 'radio' | 'checkbox' } {
  return element instanceof HTMLInputElement && (element.type === 'radio' || element.type === 'checkbox');
}

/**
 * A list that can be opened. Closed, it would take an arrow that only passes by for another choice: another language,
 * say. While it is open, the browser keeps the keys to itself.
 */
function isList(element: Element | null): element is HTMLSelectElement {
  return element instanceof HTMLSelectElement && 'showPicker' in element;
}

function nearest(from: Element | null, direction: Direction): HTMLElement | undefined {
  const scope = document.querySelector('dialog[open]') ?? document;
  const all = [...scope.querySelectorAll<HTMLElement>(controls)].filter((element) => element.checkVisibility());
  if (!from || from === document.body || from.tagName === 'MAIN') return all.find((one) => one.closest('main, dialog'));
  const start = from.getBoundingClientRect();
  let best: { element: HTMLElement; cost: number } | undefined;
  for (const element of all) {
    const cost = element === from ? Infinity : costOf(start, element.getBoundingClientRect(), direction);
    if (cost < (best?.cost ?? Infinity)) best = { element, cost };
  }
  return best?.element;
}

/** A control in the next line, off to the side, is nearer than one straight ahead some lines further. */
const asideWeight = 0.3;

/** How far a control lies in the direction, in CSS pixels; what lies aside of it costs more. Infinity: not there. */
export function costOf(from: DOMRectReadOnly, to: DOMRectReadOnly, direction: Direction): number {
  const across = direction === 'left' || direction === 'right';
  const ahead = {
    up: from.top - to.bottom,
    down: to.top - from.bottom,
    left: from.left - to.right,
    right: to.left - from.right,
  }[direction];
  // Rounded corners and outlines overlap by a little.
  if (ahead < -2) return Infinity;
  const aside = across ? gap(from.top, from.bottom, to.top, to.bottom) : gap(from.left, from.right, to.left, to.right);
  // A row is left upwards and downwards only; beside it, far away, is nothing that anyone would expect.
  if (across && aside > 0) return Infinity;
  return ahead + asideWeight * aside;
}

/** The space between two spans; 0 where they overlap. */
const gap = (start: number, end: number, otherStart: number, otherEnd: number) =>
  Math.max(0, otherStart - end, start - otherEnd);

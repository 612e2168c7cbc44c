import type { Box, Place } from './next-control.ts';

const kinds =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** What the arrows walk in: an open dialog, or else the page. */
export function currentScope(): ParentNode {
  const open = document.querySelectorAll('dialog[open]');
  return open.item(open.length - 1) ?? document;
}

/** All that the arrows can reach now, in the order of the page. */
export function seenControls(scope: ParentNode = currentScope()): HTMLElement[] {
  return [...scope.querySelectorAll<HTMLElement>(kinds)].filter(isSeen);
}

export function isControl(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.matches(kinds);
}

/**
 * What stands on the screen for a control: a choice is its card, and its radio a dot in it or nothing at all; a list that is
 * laid transparently over its name is that name.
 */
export function shapeOf(control: HTMLElement): HTMLElement {
  const label = control.closest('label');
  if (!label || getComputedStyle(control).opacity === '0') return label ?? control;
  // Words with links in them are no card: what is next to the box to tick is the first of these.
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
 * The height of the screen in the pixels of `getBoundingClientRect`: below Chrome 128 these are larger where the page is
 * zoomed ([Note: TV scale]; CSS Viewport, "zoom").
 */
export function screenHeight(): number {
  return innerHeight * boxScale();
}

const boxScale = () => document.documentElement.getBoundingClientRect().width / innerWidth;

/** A box to tick, or one of several choices. */
export function isChoice(element: Element | null): element is HTMLInputElement & { type: 'radio' | 'checkbox' } {
  return element instanceof HTMLInputElement && (element.type === 'radio' || element.type === 'checkbox');
}

const untyped = new Set(['radio', 'checkbox', 'button', 'submit', 'reset', 'file', 'range', 'color', 'image']);

/** Whether one types into it. */
export function isTyped(element: Element | null): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && !untyped.has(element.type));
}

/** `checkVisibility` is not there below Chrome 105. */
export function isSeen(control: HTMLElement): boolean {
  const shape = shapeOf(control);
  if (shape.getClientRects().length === 0 || getComputedStyle(shape).visibility !== 'visible') return false;
  if (isFolded(control)) return false;
  // A link that only shows with the focus waits above the page; nobody sees it there.
  return shape.getBoundingClientRect().bottom + scrollY * boxScale() > 0;
}

/** Inside of a `<details>` that is closed: boxes are measured there, too. */
function isFolded(control: HTMLElement): boolean {
  for (let one: Element = control; one.parentElement; one = one.parentElement) {
    const { parentElement: parent } = one;
    if (parent instanceof HTMLDetailsElement && !parent.open && one.tagName !== 'SUMMARY') return true;
  }
  return false;
}

import type { Box, Place } from './next-control.ts';

const kinds =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]';

/** The part of the page that arrows move in: the open dialog, or else the document. */
export function currentScope(): ParentNode {
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
export function isVisibleControl(control: HTMLElement): boolean {
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

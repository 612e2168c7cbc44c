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
 * For a TV whose browser does not move the focus itself: the arrows go to the nearest control in their direction. What
 * a control does with an arrow (the caret of a text, the options of a list) stays its own. The answer stops it.
 */
export function followArrows(): () => void {
  document.addEventListener('keydown', move);
  return () => document.removeEventListener('keydown', move);
}

function move(event: KeyboardEvent): void {
  const direction = directions[event.key];
  if (!direction || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const from = document.activeElement;
  if (from && usesArrow(from, direction)) return;
  const next = nearest(from, direction);
  // Nothing there: the page scrolls, as it always does.
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

function usesArrow(element: Element, direction: Direction): boolean {
  if (element instanceof HTMLSelectElement) return direction === 'up' || direction === 'down';
  if (!(element instanceof HTMLInputElement)) return element instanceof HTMLTextAreaElement;
  if (element.type === 'radio') return !leavesGroup(element, direction);
  const isText = element.type !== 'checkbox' && element.type !== 'button' && element.type !== 'submit';
  return isText && (direction === 'left' || direction === 'right') && element.value !== '';
}

/** At the ends of a group of radios the browser would start again at the other end, and nobody could get out. */
function leavesGroup(radio: HTMLInputElement, direction: Direction): boolean {
  const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
    ({ name, form, disabled }) => name === radio.name && form === radio.form && !disabled,
  );
  const forward = direction === 'down' || direction === 'right';
  return radio === (forward ? group.at(-1) : group[0]);
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

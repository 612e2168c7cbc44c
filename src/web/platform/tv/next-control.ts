// Not `@bbc/tv-lrud-spatial` 0.0.16: it gets 17 of the 20 recorded moves right, finds no select, textarea or summary,
// and installs Babel (169 packages).

/**
 * The control that an arrow of a remote control leads to. The search follows the DOM: it looks in the nearest ancestor
 * of the control first, then in the next one, and takes the first ancestor with a control in that direction. So a form
 * is left after its last line and a column after its last control, whatever the distances on the screen.
 */
export type Direction = 'up' | 'down' | 'left' | 'right';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A control with its box on the screen. */
export interface Place<T> {
  readonly control: T;
  readonly box: Box;
  /** its ancestors, nearest first; the last one contains everything */
  readonly around: readonly unknown[];
}

export function nextControl<T>(from: Place<T>, all: readonly Place<T>[], direction: Direction): T | undefined {
  const others = all.filter((place) => place.control !== from.control);
  const isFlat = direction === 'left' || direction === 'right';
  const step = isFlat ? withinRow : withinColumn;
  for (const around of from.around) {
    const near = others.filter((place) => place.around.includes(around));
    const found = step(from, near, direction);
    if (found) return found.control;
  }
  return isFlat ? inNextColumn(from, others, direction)?.control : undefined;
}

/** The control of the next line that is straight ahead, or else nearest to that. */
function withinColumn<T>(from: Place<T>, near: readonly Place<T>[], direction: Direction): Place<T> | undefined {
  const ahead = near.filter((place) => isAhead(from.box, place.box, direction));
  const first = least(ahead, ({ box }) => costOf(from.box, box, direction));
  if (!first) return undefined;
  const line = ahead.filter(({ box }) => sharedHeight(box, first.box) >= 0.5);
  // A line is read from its start: from a field as wide as the form to the first field below it, not to the widest.
  return least(line, ({ box }) => 1000 * aside(from.box, box, direction) + Math.abs(box.left - from.box.left));
}

/** The nearest control in the same row. */
function withinRow<T>(from: Place<T>, near: readonly Place<T>[], direction: Direction): Place<T> | undefined {
  const row = near.filter(({ box }) => isAhead(from.box, box, direction) && sharedHeight(from.box, box) >= 0.25);
  return least(row, ({ box }) => 1000 * gapAhead(from.box, box, direction) + offCentre(from.box, box, direction));
}

/** At the end of a row: the control of the next column that is nearest in height. */
function inNextColumn<T>(from: Place<T>, others: readonly Place<T>[], direction: Direction): Place<T> | undefined {
  let inside: unknown = from.control;
  let column: readonly Place<T>[] = [from];
  for (const around of from.around) {
    const near = others.filter((place) => place.around.includes(around));
    const own = extent(column);
    const neighbours = [...branches(near, around, inside)].filter((places) => {
      const box = extent(places);
      return isAhead(own, box, direction) && sharedHeight(own, box) > 0;
    });
    const nearest = least(neighbours, (places) => gapAhead(own, extent(places), direction));
    if (nearest) return least(nearest, ({ box }) => offCentre(from.box, box, direction));
    inside = around;
    column = [from, ...near];
  }
  return undefined;
}

/** The controls within `around`, grouped by the child of `around` that contains them, without those in `inside`. */
function branches<T>(near: readonly Place<T>[], around: unknown, inside: unknown): Iterable<readonly Place<T>[]> {
  const found = new Map<unknown, Place<T>[]>();
  for (const place of near) {
    const branch = place.around[place.around.indexOf(around) - 1] ?? place.control;
    if (branch !== inside) found.set(branch, [...(found.get(branch) ?? []), place]);
  }
  return found.values();
}

/** The bounding box of all of them. */
function extent(places: readonly Place<unknown>[]): Box {
  const boxes = places.map(({ box }) => box);
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/**
 * How much two boxes may overlap, as a share of the smaller one, and still follow one another: rings, shadows, corners.
 */
const allowedOverlap = 0.3;

function isAhead(from: Box, to: Box, direction: Direction): boolean {
  const size = lengthAlong(direction);
  return gapAhead(from, to, direction) >= -allowedOverlap * Math.min(size(from), size(to));
}

/** The gap in the direction, in CSS pixels; negative where they overlap. */
function gapAhead(from: Box, to: Box, direction: Direction): number {
  if (direction === 'up') return from.top - to.bottom;
  if (direction === 'down') return to.top - from.bottom;
  return direction === 'left' ? from.left - to.right : to.left - from.right;
}

/** Below 1, so that the next line wins over a line straight ahead that is further away. */
const asideWeight = 0.3;

const costOf = (from: Box, to: Box, direction: Direction) =>
  Math.max(0, gapAhead(from, to, direction)) + asideWeight * aside(from, to, direction);

/** The distance from the straight line ahead; 0 on it. */
function aside(from: Box, to: Box, direction: Direction): number {
  return direction === 'left' || direction === 'right'
    ? Math.max(0, to.top - from.bottom, from.top - to.bottom)
    : Math.max(0, to.left - from.right, from.left - to.right);
}

/** The distance of the centres across the direction. */
function offCentre(from: Box, to: Box, direction: Direction): number {
  const across = direction === 'left' || direction === 'right';
  const middle = ({ left, top, right, bottom }: Box) => (across ? top + bottom : left + right) / 2;
  return Math.abs(middle(to) - middle(from));
}

function lengthAlong(direction: Direction): (box: Box) => number {
  return direction === 'left' || direction === 'right'
    ? ({ left, right }) => right - left
    : ({ top, bottom }) => bottom - top;
}

/** The height that both have in common, as a share (0 to 1) of the smaller one's. */
function sharedHeight(one: Box, other: Box): number {
  const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, common) / Math.max(1, Math.min(one.bottom - one.top, other.bottom - other.top));
}

/** The element with the least cost; the first of several. */
function least<T>(all: readonly T[], costOfOne: (one: T) => number): T | undefined {
  let best: { one: T; cost: number } | undefined;
  for (const one of all) {
    const cost = costOfOne(one);
    if (!best || cost < best.cost) best = { one, cost };
  }
  return best?.one;
}

// Not `@bbc/tv-lrud-spatial` 0.0.16: it gets 17 of the 20 recorded moves right, finds no select, textarea or summary, and
// installs Babel (169 packages).

/**
 * [Note: Arrows] Which control an arrow of a remote control leads to. What is built together stands together: the arrow
 * looks in the nearest element around the control first, then in the one around that, and takes the first that holds
 * anything in its direction. So a form is left after its last line and a column after its last control, however far
 * away the next one is and however near a neighbour.
 */
export type Direction = 'up' | 'down' | 'left' | 'right';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A control as it is seen. */
export interface Place<T> {
  readonly control: T;
  readonly box: Box;
  /** what stands around it, from the nearest outwards; the last one is around everything */
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

/** The line that comes next, and in it what stands straight ahead, or else nearest to that. */
function withinColumn<T>(from: Place<T>, near: readonly Place<T>[], direction: Direction): Place<T> | undefined {
  const ahead = near.filter((place) => isAhead(from.box, place.box, direction));
  const first = least(ahead, ({ box }) => costOf(from.box, box, direction));
  if (!first) return undefined;
  const line = ahead.filter(({ box }) => sharedHeight(box, first.box) >= 0.5);
  // A line is read from its start: from a field as wide as the form to the first one below it, not to the widest.
  return least(line, ({ box }) => 1000 * aside(from.box, box, direction) + Math.abs(box.left - from.box.left));
}

/** What stands in the same row. */
function withinRow<T>(from: Place<T>, near: readonly Place<T>[], direction: Direction): Place<T> | undefined {
  const row = near.filter(({ box }) => isAhead(from.box, box, direction) && sharedHeight(from.box, box) >= 0.25);
  return least(row, ({ box }) => 1000 * gapAhead(from.box, box, direction) + offCentre(from.box, box, direction));
}

/** A row ends, but the column it is in has a neighbour: the control there that is nearest in height. */
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

/** The controls around which `around` is, by the element right below it that they are in; without those in `inside`. */
function branches<T>(near: readonly Place<T>[], around: unknown, inside: unknown): Iterable<readonly Place<T>[]> {
  const found = new Map<unknown, Place<T>[]>();
  for (const place of near) {
    const branch = place.around[place.around.indexOf(around) - 1] ?? place.control;
    if (branch !== inside) found.set(branch, [...(found.get(branch) ?? []), place]);
  }
  return found.values();
}

/** The box around all of them. */
function extent(places: readonly Place<unknown>[]): Box {
  const boxes = places.map(({ box }) => box);
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** How much two boxes may overlap, of the smaller one, and still stand one behind the other: rings, shadows, corners. */
const touch = 0.3;

function isAhead(from: Box, to: Box, direction: Direction): boolean {
  const size = lengthAlong(direction);
  return gapAhead(from, to, direction) >= -touch * Math.min(size(from), size(to));
}

/** The space between them in the direction, in CSS pixels; less than nothing where they overlap. */
function gapAhead(from: Box, to: Box, direction: Direction): number {
  if (direction === 'up') return from.top - to.bottom;
  if (direction === 'down') return to.top - from.bottom;
  return direction === 'left' ? from.left - to.right : to.left - from.right;
}

/** The next line is nearer than one straight ahead some lines further. */
const asideWeight = 0.3;

const costOf = (from: Box, to: Box, direction: Direction) =>
  Math.max(0, gapAhead(from, to, direction)) + asideWeight * aside(from, to, direction);

/** How far it lies beside the way; 0 where it is straight ahead. */
function aside(from: Box, to: Box, direction: Direction): number {
  return direction === 'left' || direction === 'right'
    ? Math.max(0, to.top - from.bottom, from.top - to.bottom)
    : Math.max(0, to.left - from.right, from.left - to.right);
}

/** How far their middles are apart across the way. */
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

/** How much of the smaller one's height both have in common, from 0 to 1. */
function sharedHeight(one: Box, other: Box): number {
  const common = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, common) / Math.max(1, Math.min(one.bottom - one.top, other.bottom - other.top));
}

/** The one with the least cost, the first of several. */
function least<T>(all: readonly T[], costOfOne: (one: T) => number): T | undefined {
  let best: { one: T; cost: number } | undefined;
  for (const one of all) {
    const cost = costOfOne(one);
    if (!best || cost < best.cost) best = { one, cost };
  }
  return best?.one;
}

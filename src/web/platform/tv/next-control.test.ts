import { describe, expect, it } from 'vitest';
import { nextControl, type Direction, type Place } from './next-control.ts';

/** A control of a recorded page: its ancestors from the outside in, and its box at 1280 x 720. */
type Recorded = readonly [name: string, around: string, left: number, top: number, width: number, height: number];

const places = (recorded: readonly Recorded[]): Place<string>[] =>
  recorded.map(([control, around, left, top, width, height]) => ({
    control,
    box: { left, top, right: left + width, bottom: top + height },
    around: around
      .split('/')
      .map((_, index, all) => all.slice(0, index + 1).join('/'))
      .toReversed(),
  }));

function walk(recorded: readonly Recorded[], start: string, directions: readonly Direction[]): string | undefined {
  const all = places(recorded);
  let at: string | undefined = start;
  for (const direction of directions) {
    const from = all.find(({ control }) => control === at);
    at = from && nextControl(from, all, direction);
  }
  return at;
}

// A card payment form with the summary beside it and the navigation around it.
const payment: readonly Recorded[] = [
  ['logo', 'page/header', 64, 58, 143, 44],
  ['home', 'page/header/places', 241, 58, 71, 44],
  ['plans', 'page/header/places', 340, 58, 65, 44],
  ['change', 'page/main/form/left/chosen', 660, 311, 124, 64],
  ['number', 'page/main/form/left/fields', 64, 441, 724, 60],
  ['expiry', 'page/main/form/left/fields/row1', 64, 554, 356, 60],
  ['code', 'page/main/form/left/fields/row1', 432, 554, 356, 60],
  ['first', 'page/main/form/left/fields/row2', 64, 698, 356, 60],
  ['last', 'page/main/form/left/fields/row2', 432, 698, 356, 60],
  ['document', 'page/main/form/left/fields', 64, 811, 724, 60],
  ['area', 'page/main/form/left/fields/row3', 64, 924, 172, 60],
  ['phone', 'page/main/form/left/fields/row3', 248, 924, 540, 60],
  ['save', 'page/main/form/left/fields', 64, 1017, 724, 53],
  ['pay', 'page/main/form/bar', 570, 1094, 218, 72],
  ['coupon', 'page/main/form/summary', 862, 672, 228, 58],
  ['apply', 'page/main/form/summary', 1090, 669, 90, 64],
  ['terms', 'page/footer', 170, 1251, 160, 44],
  ['privacy', 'page/footer', 354, 1251, 156, 44],
];

describe('in a form', () => {
  it.each([
    ['down goes to the next line, not to what stands beside it', 'number', ['down'], 'expiry'],
    ['down stays in its half of the lines', 'code', ['down'], 'last'],
    ['down comes to a line at its start', 'document', ['down'], 'area'],
    ['right goes through the line', 'area', ['right'], 'phone'],
    ['down from the last field is what goes on, far at the other end though it stands', 'save', ['down'], 'pay'],
    ['down leaves the form only after that', 'pay', ['down'], 'privacy'],
    ['up comes back into it at its end', 'terms', ['up'], 'pay'],
    ['right from the end of a line goes to what stands in the column beside it', 'last', ['right'], 'coupon'],
    ['right goes there from a line that nothing stands beside, too', 'number', ['right'], 'coupon'],
    ['right goes through the other column', 'coupon', ['right'], 'apply'],
    ['left comes back', 'coupon', ['left'], 'last'],
    ['down from beside comes back to the line below', 'apply', ['down'], 'document'],
    ['all the way', 'home', ['down', 'down', 'down', 'down', 'down', 'down', 'down', 'down'], 'pay'],
  ] as const)('%s', (_, start, directions, end) => expect(walk(payment, start, directions)).toBe(end));

  it('finds no control before the first row or after its end', () => {
    expect(walk(payment, 'logo', ['up'])).toBeUndefined();
    expect(walk(payment, 'logo', ['left'])).toBeUndefined();
    expect(walk(payment, 'apply', ['right'])).toBeUndefined();
  });
});

// A choice of the period above cards of different heights.
const pricing: readonly Recorded[] = [
  ['month', 'page/main/choose/period', 68, 254, 208, 64],
  ['year', 'page/main/choose/period', 492, 254, 208, 64],
  ['monthly', 'page/main/grid/one', 92, 700, 318, 64],
  ['family', 'page/main/grid/two', 483, 724, 318, 64],
  ['more', 'page/main/grid/three', 64, 900, 366, 64],
];

describe('among cards', () => {
  it.each([
    ['down goes to the card below', 'month', 'down', 'monthly'],
    ['down goes to the card that is most in the way', 'year', 'down', 'family'],
    ['right goes to a card whose button stands a little lower', 'monthly', 'right', 'family'],
    ['up goes back to what is above, not to the first of all', 'family', 'up', 'year'],
    ['down finds the next line where nothing stands straight ahead', 'family', 'down', 'more'],
  ] as const)('%s', (_, start, direction, end) => expect(walk(pricing, start, [direction])).toBe(end));
});

it('controls whose focus rings overlap still follow one another', () => {
  const list: readonly Recorded[] = [
    ['pix', 'page/list', 64, 100, 700, 92],
    ['card', 'page/list', 64, 188, 700, 92],
  ];
  expect(walk(list, 'pix', ['down'])).toBe('card');
  expect(walk(list, 'card', ['up'])).toBe('pix');
});

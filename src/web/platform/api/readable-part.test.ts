import * as v from 'valibot';
import { expect, it } from 'vitest';
import { readablePart } from './readable-part.ts';

const schema = v.object({
  plans: v.array(v.object({ id: v.string(), discounts: v.array(v.object({ rate: v.number() })) })),
  final: v.boolean(),
});
const plan = (id: unknown, ...discounts: unknown[]) => ({ id, discounts });

it.each([
  ['an entry', { plans: [plan('1'), plan(7), plan('3')], final: true }, ['1', '3']],
  ['two entries', { plans: [plan(7), plan('2'), null], final: true }, ['2']],
  ['an entry of a list inside', { plans: [plan('1', { rate: 1 }, { rate: 'x' }), plan('2')], final: true }, ['1', '2']],
])('%s that does not fit is left out', (_what, payload, ids) => {
  expect(readablePart(schema, payload)?.plans.map(({ id }) => id)).toEqual(ids);
});

it.each([
  ['something beside the list', { plans: [plan('1')], final: 'yes' }],
  ['something beside the list and an entry', { plans: [plan('1'), plan(2)], final: 'yes' }],
  ['every entry', { plans: [plan(1), plan(2)], final: true }],
  ['the list itself', { plans: 'none', final: true }],
  ['everything', null],
])('nothing is readable if %s does not fit', (_what, payload) => {
  expect(readablePart(schema, payload)).toBeUndefined();
});

it('leaves the payload as it came', () => {
  const payload = { plans: [plan('1'), plan(7)], final: true };
  readablePart(schema, payload);
  expect(payload.plans).toHaveLength(2);
});

import * as fc from 'fast-check';
import { faults } from './gateway-faults.ts';
import { kinds, stages } from './notices.ts';
import { renewingCards } from './renewals.ts';
import type { Step } from './steps.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const anyIndex = fc.nat({ max: 30 });
const fault = fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 3 });
const coupon = fc.constantFrom('none', 'none', 'half', 'free');
const is = <const Do extends Step['do']>(name: Do) => fc.constant(name);

/** The generator of each kind of step. */
export const anyStep: Record<Step['do'], fc.Arbitrary<Step>> = {
  pay: fc.record({
    do: is('pay'),
    way: anyIndex,
    several: fc.nat({ max: 5 }).map((chance) => chance === 0),
    coupon,
    fault,
  }),
  repay: fc.record({ do: is('repay'), order: anyIndex, way: anyIndex, coupon, fault }),
  again: fc.record({ do: is('again'), call: anyIndex }),
  act: fc.record({ do: is('act'), order: anyIndex, action: fc.constantFrom('pay', 'pay', 'refuse'), fault }),
  press: fc.record({
    do: is('press'),
    page: anyIndex,
    action: fc.constantFrom('pay', 'pay-late', 'approve', 'refuse', 'all', 'half', 'late'),
  }),
  unbind: fc.record({ do: is('unbind'), order: anyIndex, fault }),
  notice: fc.record({
    do: is('notice'),
    attempt: anyIndex,
    kind: fc.constantFrom(...kinds),
    stage: fc.constantFrom(...stages),
    delivered: fc.constantFrom('now', 'twice', 'later'),
  }),
  oldNotice: fc.record({ do: is('oldNotice'), notice: anyIndex }),
  review: fc.record({ do: is('review'), transfer: anyIndex, accepts: fc.boolean() }),
  deliver: fc.record({ do: is('deliver'), afterMs: fc.constantFrom(300, 2 * second) }),
  jobs: fc.record({
    do: is('jobs'),
    afterMs: fc.constantFrom(0, 31 * second, 16 * minute, 31 * minute, 25 * hour, 50 * hour),
    fault,
  }),
  subscribe: fc.record({ do: is('subscribe'), plan: anyIndex, card: fc.constantFrom(...renewingCards), fault }),
  rule: fc.record({
    do: is('rule'),
    what: fc.constantFrom('on', 'off', 'newCard', 'savedCard'),
    card: fc.constantFrom(...renewingCards),
    fault,
  }),
  live: fc.record({
    do: is('live'),
    days: fc.constantFrom(1, 2, 7, 23, 31, 31),
    backHours: fc.constantFrom(0, 0, 3, 30),
    fault,
  }),
  leave: fc.record({ do: is('leave'), what: fc.constantFrom('ask', 'ask', 'keep'), fault }),
  sendRefund: fc.record({
    do: is('sendRefund'),
    order: anyIndex,
    // the last two digits determine the response of the bank for anyIndex amounts
    amount: fc.constantFrom(100, 150, 291, 292, 293, 399, 1990),
    ends: fc.nat({ max: 3 }).map((chance) => chance === 0),
    again: fc.boolean(),
    fault,
  }),
  restart: fc.record({ do: is('restart') }),
};

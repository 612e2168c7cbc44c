import { expect, test } from 'vitest';
import type { Order } from '../../../../contract/order.ts';
import { anOrder } from '../../../../../tests/builders/an-order-seen.ts';
import { orderOfLookup } from './look-up-payment.ts';

const sentAt = 1_790_000_000_000;
const order = (some: Partial<Order>) => anOrder({ date: sentAt, methodCode: 'card', ...some });
const lookup = { planId: '101', sentAt, orderId: undefined };

test('the order of a lost request is found, even when the clocks differ by seconds', () => {
  const made = order({ date: sentAt - 4000 });
  expect(orderOfLookup([made], lookup)).toBe(made);
});

test('an order of yesterday or of another plan is not taken for it', () => {
  expect(orderOfLookup([order({ date: sentAt - 86_400_000 }), order({ planId: '102' })], lookup)).toBeUndefined();
});

test('the newest counts', () => {
  const newer = order({ orderId: 'LUMEN0000000000000002', date: sentAt + 9000 });
  expect(orderOfLookup([order({}), newer], lookup)).toBe(newer);
});

test('a repaid order is looked for by its id, however old it is', () => {
  const old = order({ date: sentAt - 86_400_000 });
  expect(orderOfLookup([old], { ...lookup, orderId: old.orderId })).toBe(old);
});

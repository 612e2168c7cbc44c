import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOpen,
  isUnpaid,
  nextStatus,
  orderStatusSchema,
  shownStatus,
  statusTable,
  type OrderEvent,
  type OrderStatus,
} from './order-status.ts';

const statuses = orderStatusSchema.options;
const events = [...new Set(Object.values(statusTable).flatMap((moves) => Object.keys(moves)))] as OrderEvent[];
const histories = fc.array(fc.constantFrom(...events), { maxLength: 30 });

/** Every status that an order passes through during these events; impossible events have no effect. */
function live(history: readonly OrderEvent[]) {
  const passed: OrderStatus[] = ['SUBMITTED'];
  for (const event of history) {
    const next = nextStatus(passed.at(-1)!, event);
    if (next) passed.push(next);
  }
  return passed;
}

describe('the life of an order', () => {
  it('never leaves the table, whatever happens in whatever order', () => {
    fc.assert(fc.property(histories, (history) => live(history).every((status) => statuses.includes(status))));
  });

  it('has no refund and no chargeback of money that never came', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const passed = live(history);
        const back = passed.findIndex((status) => /^(REFUND|CHARGEBACK)/.test(status));
        return back < 0 || passed.slice(0, back).includes('PAYMENT_SUCCEEDED');
      }),
    );
  });

  it('is never paid twice: once succeeded, no event leads there again', () => {
    fc.assert(
      fc.property(histories, (history) => live(history).filter((status) => status === 'PAYMENT_SUCCEEDED').length <= 1),
    );
  });

  it('comes back from failure only by a new try, and from cancellation only by late money', () => {
    expect(statusTable.PAYMENT_FAILED).toEqual({ retried: 'PAYMENT_PENDING' });
    expect(statusTable.PAYMENT_CANCELLED).toEqual({ paidLate: 'PAYMENT_SUCCEEDED' });
  });

  it('ends when the bank has decided a chargeback', () => {
    for (const end of ['CHARGEBACK_SUCCEEDED', 'CHARGEBACK_REJECTED', 'CHARGEBACK_CANCELLED'] as const) {
      expect(statusTable[end]).toEqual({});
    }
  });

  it('can reach every status', () => {
    const reached = new Set<string>(['SUBMITTED']);
    for (const _ of statuses) {
      for (const from of statuses.filter((status) => reached.has(status))) {
        for (const to of Object.values(statusTable[from])) reached.add(to);
      }
    }
    expect(reached).toEqual(new Set(statuses));
  });
});

describe('what the customer is shown', () => {
  it('is a pending payment while the order is only submitted', () => {
    expect(shownStatus('SUBMITTED')).toBe('PAYMENT_PENDING');
    expect(shownStatus('PAYMENT_FAILED')).toBe('PAYMENT_FAILED');
    expect(shownStatus('NETWORK_ERROR')).toBe('NETWORK_ERROR');
  });

  it('is a wait for as long as the payment has not ended', () => {
    expect(statuses.filter(isOpen)).toEqual(statuses.filter((status) => statusTable[status].succeeded));
  });

  it('is unpaid only where another try, or late money, may still pay it', () => {
    const unpaid = statuses.filter((status) => statusTable[status].retried ?? statusTable[status].paidLate);
    expect(statuses.filter(isUnpaid)).toEqual(unpaid);
  });
});

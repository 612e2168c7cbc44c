import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOpen,
  isUnpaid,
  nextStatus,
  orderStatusSchema,
  toDisplayStatus,
  statusTable,
  type OrderEvent,
  type OrderStatus,
} from './order-status.ts';

const statuses = orderStatusSchema.options;
const events = [...new Set(Object.values(statusTable).flatMap((moves) => Object.keys(moves)))] as OrderEvent[];
const histories = fc.array(fc.constantFrom(...events), { maxLength: 30 });

/** Every status that an order passes through during these events; impossible events have no effect. */
function statusesAfter(history: readonly OrderEvent[]) {
  const passed: OrderStatus[] = ['SUBMITTED'];
  for (const event of history) {
    const next = nextStatus(passed.at(-1)!, event);
    if (next) passed.push(next);
  }
  return passed;
}

describe('the life of an order', () => {
  it('never leaves the table, whatever happens in whatever order', () => {
    fc.assert(fc.property(histories, (history) => statusesAfter(history).every((status) => statuses.includes(status))));
  });

  it('has a refund or chargeback only after a payment', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const passed = statusesAfter(history);
        const back = passed.findIndex((status) => /^(REFUND|CHARGEBACK)/.test(status));
        return back < 0 || passed.slice(0, back).includes('PAYMENT_SUCCEEDED');
      }),
    );
  });

  it('succeeds at most once', () => {
    fc.assert(
      fc.property(
        histories,
        (history) => statusesAfter(history).filter((status) => status === 'PAYMENT_SUCCEEDED').length <= 1,
      ),
    );
  });

  it('leaves failure only by a new attempt, and cancellation only by a late payment', () => {
    expect(statusTable.PAYMENT_FAILED).toEqual({ retried: 'PAYMENT_PENDING' });
    expect(statusTable.PAYMENT_CANCELLED).toEqual({ paidLate: 'PAYMENT_SUCCEEDED' });
  });

  it('is final after the bank decides a chargeback', () => {
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

describe('the status that the customer sees', () => {
  it('is a pending payment for a submitted order', () => {
    expect(toDisplayStatus('SUBMITTED')).toBe('PAYMENT_PENDING');
    expect(toDisplayStatus('PAYMENT_FAILED')).toBe('PAYMENT_FAILED');
    expect(toDisplayStatus('NETWORK_ERROR')).toBe('NETWORK_ERROR');
  });

  it('is open until the payment ends', () => {
    expect(statuses.filter(isOpen)).toEqual(statuses.filter((status) => statusTable[status].succeeded));
  });

  it('is unpaid only if a new attempt or a late payment can still pay it', () => {
    const unpaid = statuses.filter((status) => statusTable[status].retried ?? statusTable[status].paidLate);
    expect(statuses.filter(isUnpaid)).toEqual(unpaid);
  });
});

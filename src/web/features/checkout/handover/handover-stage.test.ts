import { describe, expect, it } from 'vitest';
import { orderStatusSchema } from '#contract/order-status.ts';
import { handoverStage, type Progress } from './use-handover.ts';

const with_ = (change: Partial<Progress>): Progress => ({ state: 'waiting', expiresAt: 0, order: null, ...change });
const orderId = 'ABCDEFGH1234';
const at = (status: NonNullable<Progress['order']>['status']) =>
  handoverStage(with_({ state: 'opened', order: { orderId, status } })).kind;

describe('a TV that has handed a checkout over', () => {
  it('waits for its code, then for the phone, then for the payment', () => {
    expect(handoverStage(undefined)).toEqual({ kind: 'opening' });
    expect(handoverStage(with_({}))).toEqual({ kind: 'scan' });
    expect(handoverStage(with_({ state: 'opened' }))).toEqual({ kind: 'opened' });
    expect([at('SUBMITTED'), at('PAYMENT_PENDING')]).toEqual(['paying', 'paying']);
  });

  it('leads to the result of a paid or cancelled order, and stays after a failure', () => {
    expect(handoverStage(with_({ state: 'refused' }))).toEqual({ kind: 'refused' });
    expect(at('PAYMENT_FAILED')).toBe('failed');
    const others = orderStatusSchema.options.filter(
      (status) => !['SUBMITTED', 'PAYMENT_PENDING', 'PAYMENT_FAILED'].includes(status),
    );
    expect(new Set(others.map(at))).toEqual(new Set(['ended']));
  });
});

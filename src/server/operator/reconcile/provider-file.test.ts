import { describe, expect, it } from 'vitest';
import { readerFor } from './provider-file.ts';

const head = 'Created date (UTC),Amount,Amount Refunded,Currency,Status,PaymentIntent ID';
const row = '2026-11-30 12:00:00,19.90,0.00,brl,Paid,pi_1';
const record = (line: number, text: string) => ({ line, cells: text.split(',') });

describe("Stripe's export of the page Payments", () => {
  it('says nothing about disputes without their columns', () => {
    const reader = readerFor('stripe', {}, record(1, head));
    expect([...reader.omits]).toEqual(['dispute', 'return']);
    expect(reader.read(record(2, row)).map(({ kind }) => kind)).toEqual(['payment']);
  });

  it.each([
    ['', ['payment']],
    ['lost', ['payment', 'dispute']],
    ['needs_response', ['payment', 'dispute']],
    ['won', ['payment', 'dispute', 'return']],
    ['warning_needs_response', ['payment']],
  ])('has the disputes of its columns: %s', (status, kinds) => {
    const reader = readerFor('stripe', {}, record(1, `${head},Disputed Amount,Dispute Status`));
    expect(reader.omits.size).toBe(0);
    const entries = reader.read(record(2, `${row},${status === '' ? '' : '19.90'},${status}`));
    expect(entries.map(({ kind }) => kind)).toEqual(kinds);
    expect(entries.every(({ money }) => money.amount === 1990 && money.currency === 'BRL')).toBe(true);
  });
});

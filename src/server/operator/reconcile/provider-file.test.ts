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

describe("PayPal's activity download", () => {
  const columns = 'Type,Status,Currency,Gross,Transaction ID,Reference Txn ID,Custom Number';
  const read = (type: string, gross: string, { status = 'Completed', custom = '' } = {}) =>
    readerFor('paypal', {}, record(1, columns))
      .read({ line: 2, cells: [type, status, gross === '' ? '' : 'EUR', gross, 'T1', 'R1', custom] })
      .map(({ kind, reference, money }) => `${kind} ${reference} ${money.amount}`);

  it.each([
    ['Express Checkout Payment', '19,90', 'payment T1 1990'],
    ['Payment Refund', '-19,90', 'refund R1 1990'],
    ['Payment Reversal', '-19,90', 'dispute R1 1990'],
    ['Chargeback', '-19,90', 'dispute R1 1990'],
    ['Chargeback Reversal', '19,90', 'return R1 1990'],
  ])('has the money of customers: %s', (type, gross, entry) => {
    expect(read(type, gross)).toEqual([entry]);
  });

  it.each([
    ['Hold on Balance for Dispute Investigation', '-19,90'],
    ['Cancellation of Hold for Dispute Resolution', '19,90'],
    ['Payment Release', '19,90'],
    ['Payment Review Release', '19,90'],
    ['Reserve Release', '5,00'],
    ['General Currency Conversion', '21,00'],
    ['Interest or Dividend', '1,00'],
    ['Account Correction', '1,00'],
    ['Refund of Chargeback Fee', '15,00'],
    ['Reversal of Payment Refund', '19,90'],
  ])('has lines that are no payment of a customer: %s', (type, gross) => {
    expect(read(type, gross)).toEqual([]);
  });

  it('has lines without an amount, and payments that only their key names as such', () => {
    expect(read('Shopping Cart Item', '', { status: '' })).toEqual([]);
    expect(read('Shopping Cart Item', '...')).toEqual([]);
    expect(read('Order', '...', { status: 'Pending' })).toEqual([]);
    expect(read('Sale', '19,90', { custom: 'key' })).toEqual(['payment T1 1990']);
  });
});

describe('a file whose columns the operator names', () => {
  const named = {
    'reference-column': 'Ref',
    'amount-column': 'Amount',
    'currency-column': 'Cur',
    'date-column': 'Day',
  };
  const dateOf = (text: string) =>
    readerFor('other', named, record(1, 'Ref,Amount,Cur,Day')).read(record(2, `R1,19.90,EUR,${text}`))[0]?.at;

  it.each([
    ['2026-11-30', '2026-11-30T00:00:00Z'],
    ['30.11.2026', '2026-11-30T00:00:00Z'],
    ['1.2.2026 13:45', '2026-02-01T13:45:00Z'],
    ['2026-11-30 13:45:00', '2026-11-30T13:45:00Z'],
  ])('has the date %s', (text, instant) => {
    expect(dateOf(text)).toBe(Date.parse(instant));
  });

  it.each(['11/30/2026', '31.02.2026', '30.11.26', ''])('names the line of a date that it cannot read: %s', (text) => {
    expect(() => dateOf(text)).toThrow(`Line 2: ${JSON.stringify(text)} is no date as 2026-11-30 or 30.11.2026`);
  });
});

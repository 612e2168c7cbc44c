import { expect, it } from 'vitest';
import { compare, type FilePayment } from './compare.ts';
import type { BookedEntry, Span } from './shop-payments.ts';

const hourMs = 3_600_000;
const span: Span = { from: 0, until: 240 * hourMs };
const due: Span = { from: 24 * hourMs, until: 216 * hourMs };
const brl = (amount: number) => ({ amount, currency: 'BRL' });

const booked = (kind: BookedEntry['kind'], amount: number, hour: number): BookedEntry => ({
  kind,
  amount,
  at: hour * hourMs,
});

function differences(sums: FilePayment['sums'], entries: readonly BookedEntry[], isOwnAccount = false) {
  const coverage = { span, due, omits: new Set<never>(), isOwnAccount };
  const found = compare({ sums }, { state: 'SUCCEEDED', currency: 'BRL' }, entries, coverage);
  return found.map(({ difference, what }) => `${what} ${difference}`);
}

const paid = booked('payment', 1990, 100);

it.each<[string, FilePayment['sums'], BookedEntry[], string[]]>([
  ['a refund that the bank has returned on the last day', { refund: brl(0) }, [booked('refund', 1990, 230)], ['near']],
  ['a refund that the bank has returned', { refund: brl(0) }, [booked('refund', 1990, 120)], ['only in shop']],
  ['a refund that is booked on the last day', { refund: brl(1990) }, [booked('refund', 1990, 230)], []],
  ['a refund of the days after', {}, [booked('refund', 1990, 250)], []],
  [
    'a second part on the last day',
    { refund: brl(500) },
    [booked('refund', 500, 120), booked('refund', 100, 230)],
    ['near'],
  ],
  [
    'a part that is missing',
    { refund: brl(500) },
    [booked('refund', 500, 120), booked('refund', 100, 130)],
    ['amount'],
  ],
  ['another amount on the last day', { refund: brl(700) }, [booked('refund', 500, 230)], ['amount']],
])('%s is compared by its day', (_case, sums, entries, expected) => {
  const found = differences({ payment: brl(1990), ...sums }, [paid, ...entries]);
  expect(found).toEqual(expected.map((start) => expect.stringContaining(`refund ${start}`) as string)); // as: any otherwise
});

it.each<[string, FilePayment['sums'], BookedEntry[], string[]]>([
  ['twice, of which one was sent back', { payment: brl(3980), refund: brl(1990) }, [paid], []],
  ['twice', { payment: brl(3980) }, [paid], ['payment amount differs']],
  [
    'twice, and all of it was sent back',
    { payment: brl(3980), refund: brl(3980) },
    [paid, booked('refund', 1990, 120)],
    [],
  ],
  [
    'twice, and too much was sent back',
    { payment: brl(3980), refund: brl(2490) },
    [paid],
    ['payment amount differs', 'refund only at provider'],
  ],
  ['too late, and was sent back', { payment: brl(1990), refund: brl(1990) }, [], []],
  [
    'once, and was sent back without a refund in the shop',
    { refund: brl(1990) },
    [paid],
    ['payment only in shop', 'refund only at provider'],
  ],
])('what came %s to the own account is compared by what was kept', (_case, sums, entries, expected) => {
  expect(differences(sums, entries, true)).toEqual(expected);
});

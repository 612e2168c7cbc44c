import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { exponent } from '../../contract/currencies.ts';
import type { Database } from '../db/connect.ts';
import { attempts } from '../db/schema/attempts.ts';
import { ledger } from '../db/schema/ledger.ts';
import type { Facts } from './answers.ts';
import { isOn, need, OperatorError, type Given, type ShopCommand } from './command.ts';
import { brandGiven } from './open-shop.ts';

const dayMs = 86_400_000;
const longestDays = 3660;

interface Line {
  readonly brand: string;
  readonly currency: string;
  /** `sale`, `refund`, `chargeback`, `return`, or `failure` */
  readonly what: string;
  readonly method: string;
  /** of a failure: its code of the catalogue */
  readonly code: number | null;
  readonly payments: number;
  /** minor units; what has left is negative, and of a failure it is what was asked for */
  readonly amount: number;
}

interface Days {
  /** epoch milliseconds */
  readonly from: number;
  readonly until: number;
  readonly brand: string | undefined;
}

/** What moved, and what failed, in the days from one to another, by brand, currency and method. */
export const reportCommand: ShopCommand = {
  name: 'report',
  summary: 'sums up sales, refunds, disputes and failures by brand, currency and method',
  options: {
    from: { required: true, value: 'date', summary: 'the first day in UTC, as 2026-11-01' },
    to: { required: true, value: 'date', summary: 'the last day in UTC' },
    brand: { value: 'code', summary: 'of this brand only' },
    csv: { summary: 'for a spreadsheet, with a line of names first' },
  },
  inShop: async (given, { deps, row, print, explain }) => {
    const days = daysGiven(given, brandGiven(deps, given['brand']));
    const lines = await sumUp(deps.db, days);
    if (isOn(given, 'csv')) for (const line of [csvNames, ...lines.map(csvOf)]) print(line);
    else for (const line of lines) row(factsOf(line));
    if (lines.length === 0) explain('Nothing moved in these days.');
  },
};

function daysGiven(given: Given, brand: string | undefined): Days {
  const from = dayGiven(given, 'from');
  const until = dayGiven(given, 'to') + dayMs;
  const fits = from < until && until - from <= longestDays * dayMs;
  if (!fits) throw new OperatorError('--to is not before --from, and ten years later at most.', { badUsage: true });
  return { from, until, brand };
}

function dayGiven(given: Given, name: string): number {
  const text = need(given, name);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day)) throw new OperatorError(`--${name} is a day, as 2026-11-01.`, { badUsage: true });
  return day;
}

/** Day by day, so that no statement reads more than one of them by its index, and everybody else has their turn in between. */
export async function sumUp(db: Database, { from, until, brand }: Days): Promise<Line[]> {
  const sums = new Map<string, Line>();
  for (let day = from; day < until; day += dayMs) {
    for (const line of [...(await movedOn(db, day, brand)), ...(await failedOn(db, day, brand))]) {
      const key = keyOf(line);
      const { payments = 0, amount = 0 } = sums.get(key) ?? {};
      sums.set(key, { ...line, payments: payments + line.payments, amount: amount + line.amount });
    }
  }
  return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

const keyOf = ({ brand, currency, what, method, code }: Line) => [brand, currency, what, method, code ?? ''].join('\t');

async function movedOn(db: Database, day: number, brand: string | undefined): Promise<Line[]> {
  const rows = await db
    .select({
      brand: ledger.brand,
      currency: ledger.currency,
      kind: ledger.kind,
      method: attempts.methodCode,
      payments: sql<number>`count(*)::int`,
      amount: sql<string>`sum(${ledger.amount})`,
    })
    .from(ledger)
    .innerJoin(attempts, eq(attempts.id, ledger.attemptId))
    .where(
      and(gte(ledger.at, day), lt(ledger.at, day + dayMs), brand === undefined ? undefined : eq(ledger.brand, brand)),
    )
    .groupBy(ledger.brand, ledger.currency, ledger.kind, attempts.methodCode);
  return rows.map(({ kind, amount, ...rest }) => ({
    ...rest,
    what: kind === 'capture' ? 'sale' : kind.startsWith('part ') ? 'refund' : kind,
    code: null,
    amount: Number(amount),
  }));
}

async function failedOn(db: Database, day: number, brand: string | undefined): Promise<Line[]> {
  const rows = await db
    .select({
      brand: attempts.brand,
      currency: attempts.currency,
      method: attempts.methodCode,
      code: attempts.failureCode,
      payments: sql<number>`count(*)::int`,
      amount: sql<string>`sum(${attempts.amount})`,
    })
    .from(attempts)
    .where(
      and(
        sql`${attempts.state} = 'FAILED'`,
        gte(attempts.updatedAt, day),
        lt(attempts.updatedAt, day + dayMs),
        brand === undefined ? undefined : eq(attempts.brand, brand),
      ),
    )
    .groupBy(attempts.brand, attempts.currency, attempts.methodCode, attempts.failureCode);
  return rows.map(({ amount, ...rest }) => ({ ...rest, what: 'failure', amount: Number(amount) }));
}

const factsOf = ({ amount, currency, code, payments, brand, what, method }: Line): Facts => ({
  brand,
  currency,
  what,
  method,
  code,
  payments,
  amount: { amount, currency },
});

const csvNames = 'brand,currency,what,method,code,payments,amount';

function csvOf({ brand, currency, what, method, code, payments, amount }: Line): string {
  const digits = exponent(currency);
  const major = (amount / 10 ** digits).toFixed(digits);
  return [brand, currency, what, method, code ?? '', payments, major].map(csvCell).join(',');
}

const csvCell = (cell: string | number) =>
  /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);

import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { addDays, dayAfter, startOfDay, timeZoneOf } from '#server/brand/time-zone.ts';
import {
  type OutputFields,
  failureText,
  requireOption,
  OperatorError,
  type OptionValues,
  type ShopCommand,
} from './command.ts';
import { brandCodeOption } from './open-shop.ts';

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
  /** minor units; outgoing money is negative, and of a failure it is the requested amount */
  readonly amount: number;
}

interface Days {
  /** days in the time zone of each brand, as 2026-11-26 */
  readonly from: string;
  readonly to: string;
  readonly brand: string | undefined;
}

/** Sums up money and failures between two days, by brand, currency and method. */
export const reportCommand: ShopCommand = {
  name: 'report',
  summary: 'sums up sales, refunds, disputes and failures by brand, currency and method',
  options: {
    from: { required: true, value: 'date', summary: 'the first day by the time zone of each brand, as 2026-11-01' },
    to: { required: true, value: 'date', summary: 'the last day' },
    brand: { value: 'code', summary: 'of this brand only' },
  },
  inShop: async (given, { deps, row, explain }) => {
    const days = daysGiven(given, brandCodeOption(deps, given['brand']));
    const lines = await sumByDay(deps.db, days);
    for (const line of lines) row(factsOf(line));
    if (lines.length === 0) explain('No payments in this period.');
  },
};

function daysGiven(given: OptionValues, brand: string | undefined): Days {
  const from = dayGiven(given, 'from');
  const to = dayGiven(given, 'to');
  if (from > to || to > addDays(from, longestDays))
    throw new OperatorError('--to is not before --from, and ten years later at most.', { badUsage: true });
  return { from, to, brand };
}

/** The day of a required option, as 2026-11-01. */
export function dayGiven(given: OptionValues, name: string): string {
  const text = requireOption(given, name);
  if (dayAfter(text, 'UTC') === undefined)
    throw new OperatorError(`--${name} is a day, as 2026-11-01.`, { badUsage: true });
  return text;
}

/** Queries day by day, so that each statement reads one day by its index, and other queries run in between. */
export async function sumByDay(db: Database, { from, to, brand }: Days): Promise<Line[]> {
  const sums = new Map<string, Line>();
  for (const [timeZone, ofZone] of await brandsByZone(db, brand)) {
    for (let day = from; day <= to; day = addDays(day, 1)) {
      const span = { from: startOfDay(day, timeZone), until: startOfDay(addDays(day, 1), timeZone) };
      const lines = [...(await movedOn(db, span)), ...(await failedOn(db, span))];
      for (const line of lines.filter((one) => ofZone.has(one.brand))) {
        const key = keyOf(line);
        const { payments = 0, amount = 0 } = sums.get(key) ?? {};
        sums.set(key, { ...line, payments: payments + line.payments, amount: amount + line.amount });
      }
    }
  }
  return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

const keyOf = ({ brand, currency, what, method, code }: Line) => [brand, currency, what, method, code ?? ''].join('\t');

/** The codes of all brands, or of one, by time zone: brands with the same days are summed up together. */
async function brandsByZone(db: Database, brand: string | undefined): Promise<Map<string, Set<string>>> {
  const zones = new Map<string, Set<string>>();
  const rows = await db.select({ code: brands.code, config: brands.config }).from(brands);
  for (const { code, config } of rows.filter((one) => brand === undefined || one.code === brand)) {
    const timeZone = timeZoneOf(config);
    zones.set(timeZone, (zones.get(timeZone) ?? new Set()).add(code));
  }
  return zones;
}

/** A day of a time zone, in epoch milliseconds. Each query reads all brands, so that the index by time is used. */
interface Span {
  readonly from: number;
  readonly until: number;
}

async function movedOn(db: Database, { from, until }: Span): Promise<Line[]> {
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
    .where(and(gte(ledger.at, from), lt(ledger.at, until)))
    .groupBy(ledger.brand, ledger.currency, ledger.kind, attempts.methodCode);
  return rows.map(({ kind, amount, ...rest }) => ({
    ...rest,
    what: kind === 'capture' ? 'sale' : kind.startsWith('part ') ? 'refund' : kind,
    code: null,
    amount: Number(amount),
  }));
}

async function failedOn(db: Database, { from, until }: Span): Promise<Line[]> {
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
    .where(and(sql`${attempts.state} = 'FAILED'`, gte(attempts.updatedAt, from), lt(attempts.updatedAt, until)))
    .groupBy(attempts.brand, attempts.currency, attempts.methodCode, attempts.failureCode);
  return rows.map(({ amount, ...rest }) => ({ ...rest, what: 'failure', amount: Number(amount) }));
}

const factsOf = ({ amount, currency, code, payments, brand, what, method }: Line): OutputFields => ({
  brand,
  currency,
  what,
  method,
  code,
  payments,
  amount: { amount, currency },
  failure: failureText(code),
});

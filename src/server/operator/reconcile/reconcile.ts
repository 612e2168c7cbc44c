import { createReadStream } from 'node:fs';
import { addDays, startOfDay } from '#server/brand/time-zone.ts';
import type { Database } from '#server/db/connect.ts';
import {
  instantOf,
  numberOption,
  OperatorError,
  requireOption,
  type OptionValues,
  type ShopCommand,
} from '../command.ts';
import { dayGiven } from '../report.ts';
import {
  addEntry,
  compare,
  findingsOfStranger,
  type Coverage,
  type Difference,
  type FilePayment,
  type Finding,
} from './compare.ts';
import { columnOptions, readerFor, type EntryKind, type EntryReader } from './provider-file.ts';
import { readCsv } from './read-csv.ts';
import {
  attemptsById,
  bookedEntries,
  movementsWithin,
  unpaidAttempts,
  type ShopAttempt,
  type Span,
} from './shop-payments.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const atOnce = 500;

interface FileContents {
  readonly payments: ReadonlyMap<string, FilePayment>;
  /** the dates of its entries; undefined where it has none */
  readonly span: Span | undefined;
  readonly omits: ReadonlySet<EntryKind>;
}

/** Compares the books with a file of a provider. */
export const reconcileCommand: ShopCommand = {
  name: 'report reconcile',
  withoutTimeout: true,
  summary: "names what a provider's file has and this shop has not, and the reverse",
  options: {
    gateway: { required: true, value: 'name', summary: 'stripe, paypal, or another gateway with the columns below' },
    file: { required: true, value: 'path', summary: 'CSV that was downloaded from the provider' },
    from: { value: 'date', summary: 'the first day of the file, in UTC; default: its first date' },
    to: { value: 'date', summary: 'the last day' },
    'tolerance-hours': {
      value: 'number',
      summary: 'what was booked so near to the first or last day may be missing (24)',
    },
    ...columnOptions,
  },
  inShop: async (given, { deps: { db, gateways }, row, explain }) => {
    const gateway = requireOption(given, 'gateway').trim();
    if (!(gateway in gateways))
      throw new OperatorError(`--gateway is one of ${Object.keys(gateways).sort().join(', ')}.`, { badUsage: true });
    const contents = await readFile(gateway, given);
    const span = spanGiven(given, contents);
    const toleranceMs = numberOption(given, 'tolerance-hours', { usual: 24, most: 24 * 30 }) * hourMs;
    const due = { from: span.from + toleranceMs, until: span.until - toleranceMs };
    const found = { differences: 0, nearEdge: 0, unknown: 0 };
    const coverage = { span, due, omits: contents.omits, isOwnAccount: gateway === 'transfer' };
    for await (const { finding, attempt, payment } of differencesOf(db, gateway, contents.payments, coverage)) {
      found[counters[finding.difference] ?? 'differences'] += 1;
      row(factsOf(finding, attempt, payment));
    }
    const [first, last] = [instantOf(span.from), instantOf(span.until - 1)];
    explain(`Payments of the file that were compared, from ${first} to ${last}: ${contents.payments.size}.`);
    if (contents.omits.has('dispute')) explain('The file has no columns of disputes, so disputes were not compared.');
    if (found.unknown > 0) explain(`Payments whose result the shop still asks for: ${found.unknown}.`);
    if (found.nearEdge > 0)
      explain(`Near the first or last day, so it may be in the file before or after: ${found.nearEdge}. Look there.`);
    if (found.differences > 0) throw new OperatorError(`Differences that need a person: ${found.differences}.`);
    explain(found.unknown + found.nearEdge > 0 ? 'Nothing else differs.' : 'Nothing differs.');
  },
};

/** What needs no person yet; everything else is a difference. */
const counters: Readonly<Partial<Record<Difference, 'nearEdge' | 'unknown'>>> = {
  'near the edge': 'nearEdge',
  unknown: 'unknown',
};

async function readFile(gateway: string, given: OptionValues): Promise<FileContents> {
  const path = requireOption(given, 'file');
  const text = createReadStream(path, 'utf8');
  try {
    return await readContents(text, gateway, given);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function readContents(text: AsyncIterable<string>, gateway: string, given: OptionValues): Promise<FileContents> {
  const payments = new Map<string, FilePayment>();
  let reader: EntryReader | undefined;
  let [from, until] = [Infinity, -Infinity];
  for await (const record of readCsv(text)) {
    // the first record has the names of the columns
    const entries = reader?.read(record) ?? [];
    reader ??= readerFor(gateway, given, record);
    for (const entry of entries) {
      addEntry(payments, entry);
      if (entry.at !== undefined) [from, until] = [Math.min(from, entry.at), Math.max(until, endOf(entry.at))];
    }
  }
  if (!reader) throw new OperatorError('The file is empty.');
  return { payments, span: from < until ? { from, until } : undefined, omits: reader.omits };
}

/** A day without a time, as files of banks have, lasts to its end: the shop may have booked at any hour of it. */
const endOf = (at: number) => at + (at % dayMs === 0 ? dayMs : 1);

/** The days of the file: those that were given, or from its first date to its last one. */
function spanGiven(given: OptionValues, { span }: FileContents): Span {
  if (given['from'] !== undefined || given['to'] !== undefined || !span) {
    const [from, to] = [dayGiven(given, 'from'), dayGiven(given, 'to')];
    if (from > to) throw new OperatorError('--to is not before --from.', { badUsage: true });
    return { from: startOfDay(from, 'UTC'), until: startOfDay(addDays(to, 1), 'UTC') };
  }
  return span;
}

interface FoundDifference {
  readonly finding: Finding;
  readonly attempt: ShopAttempt | undefined;
  readonly payment: FilePayment | undefined;
}

/** First what the file has, in its order, then what only the shop has. */
async function* differencesOf(
  db: Database,
  gateway: string,
  payments: FileContents['payments'],
  coverage: Coverage,
): AsyncGenerator<FoundDifference> {
  const keys = await keysByReference(db, gateway, payments, coverage.span);
  const seen = new Set<string>();
  for (const batch of batchesOf([...payments.values()])) {
    const keyOf = ({ key, reference }: FilePayment) => key ?? keys.get(reference) ?? '';
    const attempts = await attemptsById(db, gateway, batch.map(keyOf));
    const booked = await bookedEntries(db, [...attempts.keys()]);
    for (const payment of batch) {
      const attempt = attempts.get(keyOf(payment));
      if (attempt) seen.add(attempt.id);
      const findings = attempt
        ? compare(payment, attempt, booked.get(attempt.id) ?? [], coverage)
        : findingsOfStranger(payment);
      for (const finding of findings) yield { finding, attempt, payment };
    }
  }
  yield* onlyInShop(db, gateway, seen, coverage);
}

/** The keys of payments of which the file has only the provider's id; searched some days around the file. */
async function keysByReference(
  db: Database,
  gateway: string,
  payments: ReadonlyMap<string, FilePayment>,
  { from, until }: Span,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  if ([...payments.values()].every(({ key }) => key !== undefined)) return keys;
  const around = { from: from - 72 * hourMs, until: until + 72 * hourMs };
  const add = ({ reference, id }: ShopAttempt) => {
    if (reference !== null && payments.has(reference)) keys.set(reference, id);
  };
  for await (const attempt of unpaidAttempts(db, gateway, around)) add(attempt);
  for await (const { attempt } of movementsWithin(db, gateway, around)) add(attempt);
  return keys;
}

async function* onlyInShop(
  db: Database,
  gateway: string,
  seen: ReadonlySet<string>,
  { span, due, omits }: Coverage,
): AsyncGenerator<FoundDifference> {
  for await (const { attempt, entry } of movementsWithin(db, gateway, span)) {
    if (seen.has(attempt.id) || omits.has(entry.kind)) continue;
    const shop = { amount: entry.amount, currency: attempt.currency };
    const difference = entry.at >= due.from && entry.at < due.until ? 'only in shop' : 'near the edge';
    const finding = { difference, what: entry.kind, provider: { ...shop, amount: 0 }, shop } as const;
    yield { finding, attempt, payment: undefined };
  }
  for await (const attempt of unpaidAttempts(db, gateway, due)) {
    const isOpen = attempt.state === 'INTENT' && attempt.createdAt >= due.from && attempt.createdAt < due.until;
    if (!isOpen || seen.has(attempt.id)) continue;
    const nothing = { amount: 0, currency: attempt.currency };
    const finding = { difference: 'unknown', what: 'payment', provider: nothing, shop: nothing } as const;
    yield { finding, attempt, payment: undefined };
  }
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let index = 0; index < all.length; index += atOnce) yield all.slice(index, index + atOnce);
}

const factsOf = (finding: Finding, attempt: ShopAttempt | undefined, payment: FilePayment | undefined) => ({
  difference: finding.difference,
  what: finding.what,
  orderId: attempt?.orderId ?? null,
  brand: attempt?.brand ?? null,
  reference: payment?.reference ?? attempt?.reference ?? null,
  key: attempt?.id ?? payment?.key ?? null,
  provider: finding.provider,
  shop: finding.shop,
  state: attempt?.state.toLowerCase() ?? null,
  line: payment?.lines[finding.what] ?? null,
});

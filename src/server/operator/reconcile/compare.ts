import type { Money } from '#contract/money.ts';
import type { EntryKind, ProviderEntry } from './provider-file.ts';
import type { BookedEntry, ShopAttempt, Span } from './shop-payments.ts';

/** A payment in the provider's file, with everything that moved of it. */
export interface FilePayment {
  readonly reference: string;
  key: string | undefined;
  readonly sums: Partial<Record<EntryKind, Money>>;
  /** the first line of each */
  readonly lines: Partial<Record<EntryKind, number>>;
}

/**
 * The last two need no person yet. `near the edge`: the shop booked it so near to the first or last day that it may be
 * in the file before or after this one. `unknown`: the outcome is still being requested from the provider.
 */
export type Difference =
  | 'only at provider'
  | 'only in shop'
  | 'amount differs'
  | 'status differs'
  | 'near the edge'
  | 'unknown';

/** One difference between the two. An amount is 0 where one side has none. */
export interface Finding {
  readonly difference: Difference;
  readonly what: EntryKind;
  readonly provider: Money;
  readonly shop: Money;
}

const kinds = ['payment', 'refund', 'dispute', 'return'] as const satisfies readonly EntryKind[];

/** Adds an entry of the file to its payment. */
export function addEntry(
  payments: Map<string, FilePayment>,
  { reference, key, kind, money, line }: ProviderEntry,
): void {
  const known = payments.get(reference);
  const payment: FilePayment = known ?? { reference, key, sums: {}, lines: {} };
  if (!known) payments.set(reference, payment);
  payment.key ??= key;
  payment.lines[kind] ??= line;
  const before = payment.sums[kind];
  payment.sums[kind] = before ? { ...before, amount: before.amount + money.amount } : money;
}

/** A payment of which the shop knows nothing: everything is only at the provider. */
export function findingsOfStranger({ sums }: FilePayment): Finding[] {
  return kinds.flatMap((what) => {
    const provider = sums[what];
    return provider ? [{ difference: 'only at provider', what, provider, shop: { ...provider, amount: 0 } }] : [];
  });
}

/** What a file has to contain. */
export interface Coverage {
  /** the days of the file */
  readonly span: Span;
  /** the part of them whose movements have to be in the file */
  readonly due: Span;
  /** kinds of movements that no column of the file has */
  readonly omits: ReadonlySet<EntryKind>;
  /** it is of the seller's own account, which receives any amount, and from which any amount is sent back by hand */
  readonly isOwnAccount: boolean;
}

/**
 * Compares a payment with the books. What was booked within `due` has to be in the file; what was booked before or
 * after may be, because a provider books some payments hours later, and in the days of another time zone. What is
 * missing of the file's own days is named even then: it is in no file if nobody looks for it in the next one.
 */
export function compare(
  { sums }: Pick<FilePayment, 'sums'>,
  { state, currency }: Pick<ShopAttempt, 'state' | 'currency'>,
  booked: readonly BookedEntry[],
  { span, due, omits, isOwnAccount }: Coverage,
): Finding[] {
  const isPaid = booked.some(({ kind }) => kind === 'payment');
  // a surplus was sent back, or a payment that came too late or was too small
  if (isOwnAccount && keptOf(sums, currency) === keptInBooks(booked)) return [];
  return kinds.flatMap((what) => {
    if (omits.has(what)) return [];
    const own = booked.filter(({ kind }) => kind === what);
    const provider = sums[what] ?? { amount: 0, currency };
    const shop = { amount: own.reduce((sum, { amount }) => sum + amount, 0), currency };
    // a dispute is booked in the currency of the account at the provider, whatever the customer paid in
    if (provider.currency !== currency && what !== 'payment' && own.length > 0) return [];
    const isSame = provider.currency === currency;
    const found = (difference: Difference): Finding[] => [{ difference, what, provider, shop }];
    if (isSame && sumsOf(own, span).includes(provider.amount)) return [];
    if (isSame && sumsOf(own, due).includes(provider.amount)) return found('near the edge');
    if (what === 'payment' && !isPaid) return found(state === 'SUCCEEDED' ? 'only at provider' : 'status differs');
    if (shop.amount === 0) return found('only at provider');
    return found(provider.amount === 0 ? 'only in shop' : 'amount differs');
  });
}

/** What the account has kept of a payment in minor units; undefined if nothing of it came within the file. */
function keptOf({ payment, refund }: FilePayment['sums'], currency: string): number | undefined {
  if (payment?.currency !== currency || (refund && refund.currency !== currency)) return undefined;
  return payment.amount - (refund?.amount ?? 0);
}

const keptInBooks = (booked: readonly BookedEntry[]) =>
  booked.reduce((sum, { kind, amount }) => sum + (kind === 'payment' ? amount : kind === 'refund' ? -amount : 0), 0);

/** The sums that are possible if what was booked within `certain` counts, and what was booked outside of it may. */
function sumsOf(own: readonly BookedEntry[], certain: Span): readonly number[] {
  const isCertain = ({ at }: BookedEntry) => at >= certain.from && at < certain.until;
  let sums = [own.filter(isCertain).reduce((sum, { amount }) => sum + amount, 0)];
  for (const { amount } of own.filter((entry) => !isCertain(entry)).slice(0, 10)) {
    sums = sums.flatMap((sum) => [sum, sum + amount]);
  }
  return sums;
}

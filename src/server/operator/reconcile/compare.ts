import type { Money } from '#contract/money.ts';
import type { EntryKind, ProviderEntry } from './provider-file.ts';
import type { BookedEntry, ShopAttempt, Span } from './shop-payments.ts';

/** A payment in the provider's file, with everything that moved of it. */
export interface FilePayment {
  readonly line: number;
  readonly reference: string;
  key: string | undefined;
  readonly sums: Partial<Record<EntryKind, Money>>;
}

/** `unknown`: the outcome is still being requested from the provider, so the operator has nothing to do yet. */
export type Difference = 'only at provider' | 'only in shop' | 'amount differs' | 'status differs' | 'unknown';

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
  const payment: FilePayment = known ?? { line, reference, key, sums: {} };
  if (!known) payments.set(reference, payment);
  payment.key ??= key;
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
  /** movements within it have to be in the file */
  readonly due: Span;
  /** kinds of movements that no column of the file has */
  readonly omits: ReadonlySet<EntryKind>;
}

/**
 * Compares a payment with the books. What was booked within `due` has to be in the file; what was booked before or
 * after may be, because a provider books some payments hours later, and in the days of another time zone.
 */
export function compare(
  { sums }: FilePayment,
  { state, currency }: Pick<ShopAttempt, 'state' | 'currency'>,
  booked: readonly BookedEntry[],
  { due, omits }: Coverage,
): Finding[] {
  const isPaid = booked.some(({ kind }) => kind === 'payment');
  return kinds.flatMap((what) => {
    if (omits.has(what)) return [];
    const own = booked.filter(({ kind }) => kind === what);
    const provider = sums[what] ?? { amount: 0, currency };
    const shop = { amount: own.reduce((sum, { amount }) => sum + amount, 0), currency };
    if (isExpected(provider, what, own, { due, currency })) return [];
    const found = (difference: Difference): Finding[] => [{ difference, what, provider, shop }];
    if (what === 'payment' && !isPaid) return found(state === 'SUCCEEDED' ? 'only at provider' : 'status differs');
    if (shop.amount === 0) return found('only at provider');
    return found(provider.amount === 0 ? 'only in shop' : 'amount differs');
  });
}

function isExpected(
  provider: Money,
  what: EntryKind,
  own: readonly BookedEntry[],
  { due, currency }: { readonly due: Span; readonly currency: string },
): boolean {
  const isDue = ({ at }: BookedEntry) => at >= due.from && at < due.until;
  // a dispute is booked in the currency of the account at the provider, whatever the customer paid in
  if (provider.currency !== currency) return what !== 'payment' && own.length > 0;
  const certain = own.filter(isDue).reduce((sum, { amount }) => sum + amount, 0);
  let sums = [certain];
  for (const { amount } of own.filter((entry) => !isDue(entry)).slice(0, 10)) {
    sums = sums.flatMap((sum) => [sum, sum + amount]);
  }
  return sums.includes(provider.amount);
}

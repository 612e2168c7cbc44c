import { exponent, type Money } from '#contract/money.ts';
import { referenceIn } from '#server/payments/transfer/gateway.ts';
import { fromDecimal } from '#server/payments/terms.ts';
import { OperatorError, type OptionText, type OptionValues } from '../command.ts';
import type { CsvRecord } from './read-csv.ts';

export type EntryKind = 'payment' | 'refund' | 'dispute' | 'return';

/** A movement of money in the file of a provider. */
export interface ProviderEntry {
  readonly line: number;
  /** the key that this server sent with the payment, where the file has it */
  readonly key: string | undefined;
  /** the provider's id of the payment, also for its refunds and disputes */
  readonly reference: string;
  readonly kind: EntryKind;
  /** never negative */
  readonly money: Money;
  /** epoch milliseconds; undefined where the file has no date, or one that can be read in several ways */
  readonly at: number | undefined;
}

/** The options that name the columns of other files. */
export const columnOptions = {
  'reference-column': { value: 'name', summary: "the provider's id of the payment; needed for other files" },
  'amount-column': { value: 'name', summary: 'in major units; a negative amount is a refund' },
  'currency-column': { value: 'name', summary: 'as BRL' },
  'key-column': { value: 'name', summary: 'the key that the shop sent, as `orders show` prints it' },
  'status-column': { value: 'name', summary: 'payments that failed or wait are skipped, refunds and disputes known' },
  'date-column': { value: 'name', summary: 'as 2026-11-26, 26.11.2026, or 2026-11-26 13:45:00 in UTC' },
} as const satisfies Record<string, OptionText>;

/** Reads a file by the names in its first line. */
export interface EntryReader {
  /** the entries of a record, none where it moves no money of a customer */
  read(record: CsvRecord): readonly ProviderEntry[];
  /** the file has no column for these, so that it lacks them proves nothing */
  readonly omits: ReadonlySet<EntryKind>;
}

type Cells = (name: string) => string;
type Layout = (cells: Cells, line: number) => readonly ProviderEntry[];

/** Throws `OperatorError` where the first line has none of the known sets of columns, nor the named ones. */
export function readerFor(gateway: string, given: OptionValues, { cells: names }: CsvRecord): EntryReader {
  const columns = new Map(names.map((name, index) => [name.trim().toLowerCase(), index]));
  const named = given['reference-column'] !== undefined;
  const known = named ? namedLayout(gateway, given) : (layouts[gateway] ?? []);
  const layout = known.find(({ needs }) => needs.every((name) => columns.has(name.toLowerCase())));
  if (!layout) throw new OperatorError(missingColumns(gateway, known), { badUsage: named });
  const hasDisputes = (layout.disputeColumns ?? []).every((name) => columns.has(name.toLowerCase()));
  return {
    read: ({ line, cells }) => layout.read((name) => cells[columns.get(name.toLowerCase()) ?? -1]?.trim() ?? '', line),
    omits: new Set<EntryKind>(hasDisputes ? [] : ['dispute', 'return']),
  };
}

function missingColumns(gateway: string, known: readonly { readonly needs: readonly string[] }[]): string {
  const sets = known.map(({ needs }) => needs.join(', '));
  return sets.length === 0
    ? `The columns of a file of ${gateway} are not known: name them with --reference-column, --amount-column and --currency-column.`
    : `The first line has to name these columns: ${sets.join('; or ')}.`;
}

interface KnownLayout {
  readonly needs: readonly string[];
  /** optional columns; without them the file has no disputes */
  readonly disputeColumns?: readonly string[];
  readonly read: Layout;
}

/**
 * Stripe: the itemized reports about the balance, with or without `customer_facing_amount` (docs.stripe.com/reports/balance,
 * docs.stripe.com/reports/reporting-categories), and the export of the page Payments. PayPal: the activity download
 * (developer.paypal.com/api/nvp-soap/paypal-payments-standard/admin/download-history).
 */
const layouts: Readonly<Record<string, readonly KnownLayout[]>> = {
  stripe: [
    { needs: ['reporting_category', 'payment_intent_id', 'gross', 'currency'], read: stripeBalance },
    {
      needs: ['PaymentIntent ID', 'Amount', 'Amount Refunded', 'Currency', 'Status'],
      disputeColumns: ['Disputed Amount', 'Dispute Status'],
      read: stripePayments,
    },
  ],
  paypal: [
    { needs: ['Transaction ID', 'Reference Txn ID', 'Type', 'Status', 'Currency', 'Gross'], read: paypalActivity },
  ],
};

const stripeKinds: Readonly<Record<string, EntryKind>> = {
  charge: 'payment',
  refund: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'return',
};

function stripeBalance(cells: Cells, line: number): ProviderEntry[] {
  const kind = stripeKinds[cells('reporting_category')];
  const reference = cells('payment_intent_id');
  if (!kind || reference === '') return [];
  // the balance is in the currency of the account, which may not be the one that the customer paid in
  const isTheirs = cells('customer_facing_amount') !== '' && cells('customer_facing_currency') !== '';
  const [amount, currency] = isTheirs ? ['customer_facing_amount', 'customer_facing_currency'] : ['gross', 'currency'];
  const money = absolute(moneyOf(cells(amount), cells(currency), line));
  const key = cells('payment_metadata[attempt]') || undefined;
  return [{ line, key, reference, kind, money, at: instantIn(cells('created_utc')) }];
}

function stripePayments(cells: Cells, line: number): ProviderEntry[] {
  const reference = cells('PaymentIntent ID');
  if (reference === '' || !/^(paid|refunded|partially refunded|disputed|succeeded)/i.test(cells('Status'))) return [];
  const key = cells('attempt (metadata)') || undefined;
  const shared = { line, key, reference, at: instantIn(cells('Created date (UTC)')) };
  const entry = (kind: EntryKind, column: string): ProviderEntry[] => {
    const money = moneyOf(cells(column) || '0', cells('Currency'), line);
    return money.amount === 0 ? [] : [{ ...shared, kind, money }];
  };
  const disputeStatus = cells('Dispute Status');
  // an inquiry of the bank moves no money
  const isDisputed = disputeStatus !== '' && !/^(warning|prevented)/i.test(disputeStatus);
  return [
    ...entry('payment', 'Amount'),
    ...entry('refund', 'Amount Refunded'),
    ...(isDisputed ? entry('dispute', 'Disputed Amount') : []),
    ...(/^won/i.test(disputeStatus) ? entry('return', 'Disputed Amount') : []),
  ];
}

function paypalActivity(cells: Cells, line: number): ProviderEntry[] {
  const type = cells('Type').toLowerCase();
  // what is pending or denied has moved no money, and the items of a cart have no amount
  if (!/^(completed|refunded|partially refunded|reversed)$/i.test(cells('Status'))) return [];
  if (!/\d/.test(cells('Gross'))) return [];
  // these move money between parts of the balance, or between PayPal and the merchant
  if (/hold|release|reserve|withdrawal|conversion|fee|transfer|deposit|authorization/.test(type)) return [];
  const money = moneyOf(cells('Gross'), cells('Currency'), line);
  const custom = cells('Custom Number') || undefined;
  const isRefund = type.includes('refund');
  const isDispute = !isRefund && /chargeback|reversal|dispute/.test(type);
  // a refund that came back stays a refund in the books; interest and corrections are of no customer
  if (isRefund && money.amount > 0) return [];
  const isPayment = money.amount > 0 && (type.includes('payment') || custom !== undefined);
  if (!isRefund && !isDispute && !isPayment) return [];
  const kind = isRefund ? 'refund' : !isDispute ? 'payment' : money.amount < 0 ? 'dispute' : 'return';
  const reference = kind === 'payment' ? cells('Transaction ID') : cells('Reference Txn ID');
  // a refund of the shop has a key of its own, and names its payment
  const key = kind === 'payment' ? custom : undefined;
  // the order of day and month depends on the account
  return [{ line, key, reference, kind, money: absolute(money), at: undefined }];
}

/** A file whose columns the operator names. */
function namedLayout(gateway: string, given: OptionValues): KnownLayout[] {
  const name = (option: keyof typeof columnOptions) => given[option]?.trim() ?? '';
  const [amount, currency] = [name('amount-column'), name('currency-column')];
  if (amount === '' || currency === '') {
    throw new OperatorError('--reference-column needs --amount-column and --currency-column.', { badUsage: true });
  }
  const [key, status, date] = [name('key-column'), name('status-column'), name('date-column')];
  const needs = [name('reference-column'), amount, currency, key, status, date].filter(Boolean);
  return [
    {
      needs,
      read: (cells, line) => {
        const money = moneyOf(cells(amount), cells(currency), line);
        const kind = kindOf(status === '' ? '' : cells(status), money.amount);
        if (!kind) return [];
        const at = date === '' ? undefined : dateOf(cells(date), line);
        const cell = cells(name('reference-column'));
        // the purpose of a transfer in a bank's file has more than the reference
        const ofShop = gateway === 'transfer' ? referenceIn(cell) : cell;
        // fees, wages and what else the seller pays
        if (ofShop === undefined && kind === 'refund') return [];
        const reference = ofShop ?? cell;
        return [{ line, key: (key && cells(key)) || undefined, reference, kind, money: absolute(money), at }];
      },
    },
  ];
}

function kindOf(status: string, amount: number): EntryKind | undefined {
  if (/revers|won|return/i.test(status) && amount > 0) return 'return';
  if (/dispute|chargeback|revers/i.test(status)) return 'dispute';
  if (/refund/i.test(status)) return 'refund';
  if (/fail|declin|den(y|ied)|cancel|expir|pend|wait|process|open|void|error|reject/i.test(status)) return undefined;
  return amount < 0 ? 'refund' : 'payment';
}

const absolute = ({ amount, currency }: Money): Money => ({ amount: Math.abs(amount), currency });

/** An amount in major units, as spreadsheets of any country write it: -1,234.56, 1.234,56 or 1234. */
function moneyOf(text: string, code: string, line: number): Money {
  const currency = code.toUpperCase();
  const money = /^[A-Z]{3}$/.test(currency) ? fromDecimal(plainDecimal(text, currency), currency) : undefined;
  if (!money) throw new OperatorError(`Line ${line}: ${JSON.stringify(`${text} ${code}`)} is no amount.`);
  const isNegative = /^\s*[-−(]/.test(text) || /-\s*$/.test(text);
  return isNegative ? { ...money, amount: -money.amount } : money;
}

/** Digits with a point before the decimals. The last mark is the decimal one, unless three digits follow it. */
function plainDecimal(text: string, currency: string): string {
  const digits = text.replaceAll(/[^\d.,]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last === -1) return digits;
  const decimals = digits.length - last - 1;
  const marks = digits.replaceAll(/\d/g, '');
  const isThousands = decimals === 3 && (new Set(marks).size === 1 || exponent(currency) === 0);
  if (isThousands) return digits.replaceAll(/[.,]/g, '');
  return `${digits.slice(0, last).replaceAll(/[.,]/g, '')}.${digits.slice(last + 1)}`;
}

/** The date in a column that the operator named: days compared with the wrong dates would name false differences. */
function dateOf(text: string, line: number): number {
  // in this order wherever a date has points
  const at = instantIn(
    text.replace(
      /^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/,
      (_, day: string, month: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    ),
  );
  if (at !== undefined) return at;
  throw new OperatorError(
    `Line ${line}: ${JSON.stringify(text)} is no date as 2026-11-30 or 30.11.2026. Without --date-column give --from and --to.`,
  );
}

/** An ISO date, with a time of UTC or without one; undefined for anything else. */
function instantIn(text: string): number | undefined {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`);
  if (Number.isNaN(at)) return undefined;
  // `Date.parse` accepts February 31
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? at : undefined;
}

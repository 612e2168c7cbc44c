import { and, asc, eq, gte, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Seller } from '#contract/brand.ts';
import { countryOf } from '#contract/postal-rules.ts';
import type { Invoice } from '#contract/receipts.ts';
import { taxIdKind } from '#contract/tax-id.ts';
import { dayInZone, startOfDay, timeZoneOf } from '#server/brand/time-zone.ts';
import type { Database } from '#server/db/connect.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { brands, type InvoiceSettings } from '#server/db/schema/brands.ts';
import { invoiceCounters, invoices } from '#server/db/schema/invoices.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { buyerOf } from '../check-payer.ts';
import { creditedAmount, taxedAmount } from './tax.ts';

export type InvoiceRow = typeof invoices.$inferSelect;
type Entry = typeof ledger.$inferSelect;
export type IssueDeps = Pick<Deps, 'db' | 'env'>;

/** Entries per transaction, so that a receipt waits for another process only briefly. */
export const invoiceBatch = 50;

/**
 * Issues the invoices and credit notes of a brand that wait in the ledger, in the order of their dates, and returns the
 * number of entries that no longer wait.
 *
 * The statement that books a movement only marks it (`ledger.invoice_at`), and numbers are assigned here, right after:
 * a number without a gap needs a lock on the counter of the brand, and a payment must neither wait for it nor fail
 * because of it. The counter is locked until all rows of a batch are committed, so a failed transaction returns its
 * numbers, and concurrent processes issue one after the other.
 */
export function issueInvoices({ db, env }: IssueDeps, brand: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { code, config, invoices: settings } = brands;
    const [row] = await tx.select({ config, settings }).from(brands).where(eq(code, brand));
    const [oldest] = await entriesToInvoice(tx, brand, undefined, 1);
    // a brand that has no invoices any more keeps what waits
    if (!row?.settings || !oldest) return 0;
    const timeZone = timeZoneOf(row.config);
    const year = Number(dayInZone(oldest.invoiceAt ?? 0, timeZone).slice(0, 4));
    const first = await lockCounter(tx, brand, year);
    // read again, because another process may have issued the oldest while this one waited
    const entries = await entriesToInvoice(tx, brand, inYear(year, timeZone), invoiceBatch);
    const issue = { tx, env, year, settings: row.settings, seller: row.config.seller ?? null };
    let last = first;
    for (const entry of entries) if (await issueOne(issue, entry, last + 1)) last += 1;
    const ofYear = and(eq(invoiceCounters.brand, brand), eq(invoiceCounters.year, year));
    if (last > first) await tx.update(invoiceCounters).set({ last }).where(ofYear);
    const ids = entries.map(({ id }) => id);
    if (ids.length > 0) await tx.update(ledger).set({ invoiceAt: null }).where(inArray(ledger.id, ids));
    return ids.length;
  });
}

/** Those of `invoices issue` have the same date, so the time of the payment orders them. */
function entriesToInvoice(tx: Database, brand: string, within: SQL | undefined, most: number): Promise<Entry[]> {
  const { invoiceAt, at, id } = ledger;
  return tx
    .select()
    .from(ledger)
    .where(and(eq(ledger.brand, brand), isNotNull(invoiceAt), within))
    .orderBy(asc(invoiceAt), asc(at), asc(id))
    .limit(most);
}

const inYear = (year: number, timeZone: string) =>
  and(
    gte(ledger.invoiceAt, startOfDay(`${year}-01-01`, timeZone)),
    lt(ledger.invoiceAt, startOfDay(`${year + 1}-01-01`, timeZone)),
  );

/** Returns the last number of the year. */
async function lockCounter(tx: Database, brand: string, year: number): Promise<number> {
  await tx.insert(invoiceCounters).values({ brand, year, last: 0 }).onConflictDoNothing();
  const [counter] = await tx
    .select({ last: invoiceCounters.last })
    .from(invoiceCounters)
    .where(and(eq(invoiceCounters.brand, brand), eq(invoiceCounters.year, year)))
    .for('update');
  return counter?.last ?? 0;
}

interface Issue {
  readonly tx: Database;
  readonly env: Deps['env'];
  readonly year: number;
  readonly settings: InvoiceSettings;
  readonly seller: Seller | null;
}

/** Returns whether the entry needed a document and got it with this number. */
async function issueOne(issue: Issue, entry: Entry, sequence: number): Promise<boolean> {
  const { tx, year, settings } = issue;
  const { brand, orderId, currency, id: ledgerId, invoiceAt: issuedAt } = entry;
  const facts = entry.kind === 'capture' ? await invoiceOf(issue, entry) : await creditNoteOf(tx, entry);
  if (!facts || issuedAt === null) return false;
  const number = `${settings.prefix}-${year}-${String(sequence).padStart(6, '0')}`;
  const row = { brand, year, sequence, number, ledgerId, orderId, issuedAt, currency };
  await tx.insert(invoices).values({ ...row, ...facts });
  return true;
}

type Facts = Pick<
  InvoiceRow,
  'kind' | 'uid' | 'country' | 'gross' | 'net' | 'tax' | 'rate' | 'taxName' | 'seller' | 'buyerSealed' | 'corrects'
>;

/** The facts of a payment's invoice by the present settings; they stay the same when the settings change. */
async function invoiceOf({ tx, env, settings, seller }: Issue, { orderId, amount }: Entry): Promise<Facts | undefined> {
  const [order] = await tx.select().from(orders).where(eq(orders.orderId, orderId));
  if (!order) return undefined;
  const country = countryOfSale(settings, order, env);
  const tax = settings.tax[country] ?? settings.tax['default'];
  const rate = tax === undefined ? null : Math.round(tax.rate * 1000);
  return {
    kind: 'invoice',
    uid: order.uid,
    country,
    ...taxedAmount(amount, rate ?? 0),
    rate,
    taxName: tax?.name ?? null,
    seller: order.seller ?? seller,
    buyerSealed: order.buyerSealed,
    corrects: null,
  };
}

/**
 * Where a sale is taxed, by what is known of it: a Brazilian tax number, else the currency where one country alone has
 * it, else the country of the settings. No payment has the country of the payer, because addresses are sent to the
 * provider without one.
 */
function countryOfSale({ country }: InvoiceSettings, order: OrderRow, env: Deps['env']): string {
  const document = buyerOf(env, order)?.document ?? '';
  return taxIdKind(document) ? 'BR' : (countryOf(order.currency) ?? country);
}

/**
 * The facts of a credit note, for what is left of the invoice at most: a payment that was refunded can be lost in a
 * dispute, too. Undefined for money of which there is no invoice: paid twice, or before the brand had invoices.
 */
async function creditNoteOf(tx: Database, { attemptId, amount }: Entry): Promise<Facts | undefined> {
  const paid = and(eq(ledger.attemptId, attemptId), eq(ledger.kind, 'capture'));
  const [capture] = await tx.select({ id: ledger.id }).from(ledger).where(paid);
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(eq(invoices.ledgerId, capture?.id ?? ''));
  if (!invoice) return undefined;
  const [credited] = await tx
    .select({ sum: sql<string>`coalesce(sum(${invoices.gross}), 0)` })
    .from(invoices)
    .where(eq(invoices.corrects, invoice.number));
  const left = invoice.gross + Number(credited?.sum ?? 0);
  const gross = Math.min(-amount, left);
  if (gross <= 0) return undefined;
  const { number, uid, country, rate, taxName, seller, buyerSealed } = invoice;
  const same = { uid, country, rate, taxName, seller, buyerSealed };
  return { kind: 'creditNote', ...same, ...creditedAmount(left, gross, rate ?? 0), corrects: number };
}

/** The invoice of an order, then its credit notes. */
export function invoicesOf(db: Database, { orderId }: Pick<OrderRow, 'orderId'>): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(eq(invoices.orderId, orderId))
    .orderBy(asc(invoices.issuedAt), asc(invoices.year), asc(invoices.sequence));
}

/**
 * Removes a customer's name and tax number, after their removal from the orders. Locking the counters excludes an
 * invoice that another process is issuing with the data of before.
 */
export async function removeBuyerOfInvoices(tx: Database, { brand, uid }: Pick<OrderRow, 'brand' | 'uid'>) {
  await tx
    .select()
    .from(invoiceCounters)
    .where(eq(invoiceCounters.brand, brand))
    .orderBy(asc(invoiceCounters.year))
    .for('update');
  const mine = and(eq(invoices.brand, brand), eq(invoices.uid, uid));
  await tx.update(invoices).set({ buyerSealed: null }).where(mine);
}

/** An invoice as its customer sees it. */
export function invoiceView({ kind, number, issuedAt, currency, taxName, rate, ...row }: InvoiceRow): Invoice {
  const money = (amount: number) => ({ amount, currency });
  const amounts = { gross: money(row.gross), net: money(row.net), tax: money(row.tax) };
  return { kind, number, issuedAt, ...amounts, taxName, rate: rate === null ? null : rate / 1000 };
}

/** A receipt is opened within seconds of the payment, so a few batches are more than what waits. */
const batchesForReceipt = 5;

/**
 * The invoice of an order, then its credit notes; those that wait are issued now, so that the receipt contains them. A
 * failure is logged, and the receipt is shown without them: the job `issueInvoices` tries again.
 */
export async function currentInvoicesOf(
  deps: IssueDeps & Pick<Deps, 'log'>,
  { brand, orderId }: Pick<OrderRow, 'brand' | 'orderId'>,
): Promise<InvoiceRow[]> {
  try {
    for (let batch = 0; batch < batchesForReceipt && (await isWaiting(deps.db, orderId)); batch += 1)
      await issueInvoices(deps, brand);
  } catch (error) {
    deps.log.error({ err: error, brand, orderId }, 'an invoice could not be issued yet');
  }
  return invoicesOf(deps.db, { orderId });
}

async function isWaiting(db: Database, orderId: string): Promise<boolean> {
  const [entry] = await db
    .select({ id: ledger.id })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), isNotNull(ledger.invoiceAt)))
    .limit(1);
  return entry !== undefined;
}

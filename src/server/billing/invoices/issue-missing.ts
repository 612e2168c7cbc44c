import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { statementRows, type Database } from '#server/db/connect.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { invoiceBatch, issueInvoices, type IssueDeps } from './issue-invoices.ts';

interface Period {
  readonly brand: string;
  /** epoch milliseconds */
  readonly from: number;
  /** epoch milliseconds, exclusive */
  readonly until: number;
}

/** How much of a period is issued at once, in milliseconds: payments wait for a day of documents at most. */
const partMs = 86_400_000;

/**
 * Issues what was booked in a period without an invoice: by a version that has none, or before the brand had them.
 * Invoices and credit notes get today's date, because numbers and dates of a year have one order; a credit note follows
 * its invoice. Money that never gets a document stays without one (`issueOne`), such as a coupon, a second payment and
 * an open dispute. Returns the number of documents; a call that was interrupted can be repeated.
 */
export async function issueMissingInvoices(
  deps: IssueDeps & Pick<Deps, 'clock'>,
  { brand, from, until }: Period,
): Promise<number> {
  let [issued, date] = [0, 0];
  for (let start = from; start < until; start += partMs) {
    // a part has two dates, its own for invoices and the next millisecond for credit notes
    date = Math.max(deps.clock(), date + 2);
    const part = { brand, from: start, until: Math.min(start + partMs, until) };
    if ((await markMissing(deps.db, part, date)) === 0) continue;
    while ((await issueInvoices(deps, brand)) === invoiceBatch);
    const { issuedAt } = invoices;
    const ofPart = and(eq(invoices.brand, brand), gte(issuedAt, date), lt(issuedAt, date + 2));
    issued += await deps.db.$count(invoices, ofPart);
  }
  return issued;
}

/** Returns the number of marked entries. */
async function markMissing(db: Database, { brand, from, until }: Period, now: number): Promise<number> {
  const isPayment = sql`${ledger.kind} = 'capture' and ${ledger.amount} > 0 and ${orders.paidAt} is not null
    and not exists (select from ${ledger} earlier where earlier.order_id = ${ledger.orderId}
      and earlier.kind = 'capture' and earlier.at < ${ledger.at})`;
  const isReversal = sql`${ledger.kind} = 'refund' or ${ledger.kind} like 'part %'
    or (${ledger.kind} = 'chargeback' and ${orders.status} = 'CHARGEBACK_SUCCEEDED')`;
  const marked = await statementRows(
    db,
    sql`update ${ledger}
      set invoice_at = case when ${ledger.kind} = 'capture' then ${now}::bigint else ${now + 1}::bigint end
      from ${orders}
      where ${orders.orderId} = ${ledger.orderId} and ${ledger.brand} = ${brand}
        and ${ledger.at} >= ${from} and ${ledger.at} < ${until} and ${ledger.invoiceAt} is null
        and not exists (select from ${invoices} where ${invoices.ledgerId} = ${ledger.id})
        and ((${isPayment}) or ${isReversal})
      returning ${ledger.id}`,
  );
  return marked.length;
}

import { sql } from 'drizzle-orm';
import { invoiceBatch, issueInvoices } from '#server/billing/invoices/issue-invoices.ts';
import { statementRows } from '#server/db/connect.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import type { Deps } from '#server/deps.ts';
import { runInBatches, waitingBrands } from './run-concurrently.ts';

/**
 * Issues the invoices and credit notes that wait for their numbers. A brand that fails does not hold up the others.
 * Returns the number of entries that no longer wait.
 */
export async function issueWaitingInvoices(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  stopping?: AbortSignal,
): Promise<number> {
  const waits = sql`${ledger.invoiceAt} is not null`;
  const rows = await statementRows(
    deps.db,
    sql`with recursive ${waitingBrands(ledger.brand, waits)} select brand from waiting_brands where brand is not null`,
  );
  let issued = 0;
  for (const { brand } of rows) {
    try {
      issued += await runInBatches({ full: invoiceBatch, stopping }, () => issueInvoices(deps, String(brand)));
    } catch (error) {
      deps.log.error({ err: error, brand }, 'invoices could not be issued yet');
    }
  }
  return issued;
}

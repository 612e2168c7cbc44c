import * as v from 'valibot';
import { fromDecimal, toDecimal } from '../decimal-money.ts';
import type { KnownAttempt } from '../find-attempt.ts';
import type { BtcpayDeps } from './invoices.ts';
import { payoutsSchema, pullPaymentSchema, type PullPayment } from './schemas.ts';

/**
 * Requests a refund in coins. Coins cannot be returned to their origin, which may be an exchange. So the server
 * creates a claim: a page on which the holder of its link names an address; a person approves it there, and it is paid
 * out. Only then is the result true. Until then it is "not yet", and the job finds the claim by its name, which
 * contains our key, and creates no second one. A second one after a lost response pays nothing, because its link is
 * never given out.
 *
 * The link is worth the money, so the server does not send it: an operator takes it from the invoice in BTCPay Server
 * and gives it to the customer. A partial refund has its own claim, with its number in the name.
 */
export async function refundInvoice(
  deps: BtcpayDeps,
  attempt: KnownAttempt,
  { number, amount }: { readonly number?: number; readonly amount?: number | undefined } = {},
): Promise<boolean> {
  const { client, store, log } = deps;
  const { id: attemptId, providerRef: invoice, currency } = attempt;
  if (invoice === null) return false;
  const name = number === undefined ? `Refund ${attemptId}` : `Refund ${attemptId} part ${number}`;
  const listed = await client.call(
    { method: 'GET', path: `/stores/${store.storeId}/pull-payments?includeArchived=true` },
    v.array(pullPaymentSchema),
  );
  if (listed?.kind !== 'done') return false;
  const claims = listed.body.filter((one) => one.name === name);
  for (const claim of claims) if (await isPaidOut(deps, claim)) return true;
  if (claims.some(({ archived }) => !archived)) return false;
  // the agreed price, at the rate of the day of the payout
  const some = amount === undefined ? undefined : toDecimal({ amount, currency });
  const body =
    some === undefined
      ? { name, refundVariant: 'Fiat' }
      : { name, refundVariant: 'Custom', customAmount: some, customCurrency: currency };
  const made = await client.call({ method: 'POST', path: `/invoices/${invoice}/refund`, body }, pullPaymentSchema);
  const note = { attemptId, invoice };
  if (made?.kind === 'done')
    log.warn(note, 'a refund in coins waits: give its customer the link that BTCPay Server shows');
  else log.warn(note, 'BTCPay Server has not made a refund');
  return false;
}

async function isPaidOut({ client }: BtcpayDeps, { id, amount, currency }: PullPayment): Promise<boolean> {
  const answer = await client.call({ method: 'GET', path: `/pull-payments/${id}/payouts` }, payoutsSchema);
  if (answer?.kind !== 'done') return false;
  const due = fromDecimal(amount, currency)?.amount ?? Infinity;
  const paid = answer.body
    .filter(({ state, originalCurrency }) => state === 'Completed' && originalCurrency === currency)
    .map(({ originalAmount }) => fromDecimal(originalAmount, currency)?.amount ?? 0);
  return paid.reduce((sum, one) => sum + one, 0) >= due;
}

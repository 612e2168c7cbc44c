import { errorCode } from '#contract/error-codes.ts';
import type { InstallmentOption, Quote } from '#contract/billing.ts';
import { paymentTip } from '#contract/orders.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { chargedTotal } from '../price/installments.ts';
import { hasInstallments, installmentsQuery, quoteQuery } from '../price/use-purchase.ts';
import type { Tip } from './pay-machine.ts';
import type { PayHooks, PayPlan } from './pay-plan.ts';
import { unlessStopped } from './pay-wait.ts';

/** First phase of a tap: reads price, installments and tip again; undefined after the error was sent to the machine. */
export async function valuePurchase(plan: PayPlan, hooks: PayHooks) {
  try {
    const answers = await readPrices(plan, hooks);
    return answers && priceOf(plan, answers, hooks);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    hooks.send({ type: 'valueFailed', code: error.code, ...error.params });
    return undefined;
  }
}

type Answers = readonly [quote: Quote, options: readonly InstallmentOption[], tip: Tip];

/** Undefined if the customer stops waiting. */
async function readPrices({ input, method }: PayPlan, { client, stop }: PayHooks): Promise<Answers | undefined> {
  const fresh = { staleTime: 0 } as const;
  const tipQuery = q(paymentTip, { query: { planId: input.planId } }, { quiet: true });
  const asked = Promise.all([
    client.fetchQuery({ ...quoteQuery(input), ...fresh }),
    hasInstallments(method) ? client.fetchQuery({ ...installmentsQuery(input), ...fresh }) : [],
    client.fetchQuery({ ...tipQuery, ...fresh }),
  ]);
  const answers = await unlessStopped(asked, stop);
  if (answers) return answers;
  // or the next tap would wait for the same hanging requests
  for (const { queryKey } of [quoteQuery(input), installmentsQuery(input), tipQuery]) {
    void client.cancelQueries({ queryKey });
  }
  return undefined;
}

function priceOf({ installments: count, renews }: PayPlan, [quote, options, tip]: Answers, { send }: PayHooks) {
  if (options.length > 0 && !options.some((option) => option.count === count)) {
    send({ type: 'valueFailed', code: errorCode('invalidRequest'), field: 'installments' });
    return undefined;
  }
  const total = chargedTotal(quote.total, options, count);
  return { tip, installments: count, quoteId: quote.quoteId, total, ...renewalOf(renews, quote) };
}

/**
 * The customer's answer about renewal, and its current price beside the one on the screen: nobody agrees to an unseen
 * price.
 */
function renewalOf(seen: PayPlan['renews'], { renewal }: Quote) {
  if (!seen?.offer) return {};
  if (!seen.chosen || !renewal) return { renew: false };
  return { renew: true, later: { shown: seen.offer.price, total: renewal.price } };
}

import type { PaymentFailure } from '#contract/error-codes.ts';
import { findAttempt, withAttempt, type GatewayAttempt } from '../send-provider-request.ts';
import {
  type AuthoriseRequest,
  type GatewayAnswer,
  type ReturningGateway,
  type GatewayNotice,
  NoticeRefused,
} from '../gateway.ts';
import { type RefundAnswer, toDecimal, type ProviderCheck } from '../terms.ts';
import {
  findTransaction,
  orderIdOf,
  payssionClient,
  answerOf,
  notFound,
  pageOf,
  isSignedBy,
  keyOf,
  type PayssionAccount,
  type PayssionDeps,
} from './client.ts';
import { isKnownCurrency, type Money } from '#contract/money.ts';
import * as v from 'valibot';

/**
 * Wallets, banks and cash by Payssion (payssion.com/en/docs; github.com/payssion/payssion-php): the payer is
 * redirected to its page, and the method is selected by `pmId`. Payssion accepts an order ID once ("Repeated order"),
 * and the attempt's ID is the order ID. A page can be paid only by a payer who was redirected to it, so a payment
 * whose response was lost is closed by that. Payssion has no saved cards and no charges without the payer, so nothing
 * renews.
 */
export function payssionGateway(
  account: PayssionAccount,
  base: Omit<PayssionDeps, 'account' | 'client'>,
): ReturningGateway {
  const deps: PayssionDeps = { ...base, account, client: payssionClient(account, base) };
  const inquire = (key: string) => withAttempt(base.db, key, (attempt) => inquireOf(deps, attempt));
  return {
    takes: (_method, currency, pmId) => pmId !== undefined && isAcceptedByPayssion(currency),
    terms: () => ({ flow: 'redirect', maxInstallments: 1 }),
    authorise: (request) => authorise(deps, request),
    inquire,
    confirm: inquire,
    reopen: (key) => withAttempt(base.db, key, (attempt) => reopen(deps, attempt)),
    cancel: (key) => withAttempt(base.db, key, (attempt) => cancel(deps, attempt)),
    // No `refundPart`: a refund has no ID, so one whose response was lost could not be distinguished from the next one.
    refund: async (key, left) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? refund(deps, attempt, left) : false;
    },
    check: () => check(deps),
    verifyNotice: (headers, rawBody, now) => readNotice(deps, { headers, rawBody, now }),
  };
}

/**
 * How long the storefront links to a page, in milliseconds. How long it is open, Payssion reports only when it ends.
 */
const shownMs = 3 * 60 * 60_000;
const unknown: GatewayAnswer = { state: 'unknown' };

async function authorise(deps: PayssionDeps, request: AuthoriseRequest): Promise<GatewayAnswer> {
  const { client, clock, db, log } = deps;
  const { key, pmId } = request;
  if (pmId === undefined) return { state: 'failed', failure: 'methodUnsupported' };
  const before = await findAttempt(db, key);
  // requested before: the page that was shown stays the only one
  if (before && pageOf(before)) return inquireOf(deps, before);
  const amount = toPayssion(request);
  if (amount === undefined) return { state: 'failed', failure: 'currencyUnsupported' };
  const answer = await client.send('create', { ...paymentFields(deps, request), pm_id: pmId, amount });
  if (answer?.kind === 'done') {
    const { redirect_url: url, transaction } = answer.body;
    const providerRef = transaction?.transaction_id;
    if (!url || !URL.canParse(url)) {
      log.error({ attemptId: key, pmId }, 'Payssion has no page for this method; only methods with one can be offered');
      return unknown;
    }
    const expiresAt = clock() + shownMs;
    return { state: 'pending', providerRef, next: { type: 'redirect', url, expiresAt, finish: 'payssion' }, expiresAt };
  }
  if (!answer) return unknown;
  log.warn({ attemptId: key, pmId, code: answer.code }, 'Payssion has opened no page');
  // "Repeated order": requested at the same time by another process, whose page is shown
  if (answer.code === 413) return unknown;
  return { state: 'failed', failure: refusals[answer.code] ?? 'paymentFailed' };
}

/** "Invalid payment method", "Invalid currency", "Invalid amount". */
const refusals: Readonly<Record<number, PaymentFailure>> = {
  405: 'methodUnsupported',
  406: 'currencyUnsupported',
  407: 'currencyUnsupported',
};

function paymentFields({ catalog }: PayssionDeps, request: AuthoriseRequest): Record<string, string> {
  const { key, brand, currency, merchantName, orderLabel, payer, email, returnUrl } = request;
  const name = `${payer.firstName ?? ''} ${payer.lastName ?? ''}`.trim();
  return {
    currency,
    order_id: orderIdOf(key),
    description: `${merchantName} ${orderLabel}`,
    return_url: returnUrl,
    notify_url: `${catalog.byCode(brand)?.origin ?? ''}/webhooks/payssion`,
    ...(email !== undefined && { payer_email: email }),
    ...(name !== '' && { payer_name: name }),
    // a tax ID, if the country requires one
    ...(payer.document !== undefined && { payer_ref: payer.document }),
  };
}

async function inquireOf(deps: PayssionDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  return standing(await findTransaction(deps, attempt.id), attempt, deps.clock());
}

function standing(
  found: Awaited<ReturnType<typeof findTransaction>>,
  attempt: GatewayAttempt,
  now: number,
): GatewayAnswer {
  if (found === 'unasked') return unknown;
  const answer = found === 'gone' ? notFound(attempt, now) : answerOf(found, attempt, now);
  const page = pageOf(attempt);
  return answer.state === 'pending' && page ? { next: page, expiresAt: page.expiresAt, ...answer } : answer;
}

async function reopen(deps: PayssionDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const answer = await inquireOf(deps, attempt);
  const isOver = (answer.expiresAt ?? attempt.expiresAt ?? Infinity) <= deps.clock();
  return answer.state === 'pending' && isOver ? { state: 'expired' } : answer;
}

/**
 * Payssion's API cannot close a page. An unpaid page is no longer shown; if it is paid nevertheless, a notice reports
 * the money, and it is credited, or refunded as a second payment.
 */
async function cancel(deps: PayssionDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const found = await findTransaction(deps, attempt.id);
  if (typeof found === 'object' && found.state === 'pending')
    return { state: 'expired', providerRef: found.transaction_id };
  if (found === 'gone' && pageOf(attempt)) return { state: 'expired' };
  return standing(found, attempt, deps.clock());
}

/**
 * Refunds have no ID at Payssion, so the payment's state is checked first: once a refund is requested, it is no longer
 * `completed`. Two processes never request at once, because the job claims what it refunds.
 */
async function refund(
  deps: PayssionDeps,
  { id: key, currency, ...attempt }: GatewayAttempt,
  amount = attempt.amount,
): Promise<RefundAnswer> {
  const { client, log } = deps;
  const found = await findTransaction(deps, key);
  if (typeof found !== 'object') return false;
  const { transaction_id: transactionId, state } = found;
  if (state === 'refunded') return true;
  if (state === 'refund_failed')
    return { permanentFailure: 'Payssion could not give it back: do it in its portal, or by hand' };
  if (state !== 'completed' && state !== 'paid_more') return false;
  const written = toPayssion({ amount, currency });
  if (written === undefined) return { permanentFailure: 'Payssion cannot write this amount: do it by hand' };
  const asked = { transaction_id: transactionId, amount: written, currency };
  const answer = await client.send('refund', asked);
  if (answer?.kind !== 'refused') return false;
  log.warn({ attemptId: key, code: answer.code }, 'Payssion did not accept a refund');
  // "Invalid payment method": this method never refunds
  return answer.code === 405
    ? { permanentFailure: `Payssion gives nothing back by ${found.pm_id ?? 'this method'}: do it by hand` }
    : false;
}

/** Inquires about an order that does not exist: such an answer proves the keys, and has no effect. */
async function check({ client, account }: PayssionDeps): Promise<ProviderCheck> {
  const answer = await client.send('details', { order_id: orderIdOf('00000000-0000-0000-0000-000000000000') });
  if (!answer) return { isReachable: false, says: `no Payssion API answers at ${account.base}` };
  if (answer.kind === 'refused' && answer.isOurFault)
    return {
      isReachable: false,
      says: `${account.base} does not know PAYSSION_API_KEY and PAYSSION_SECRET_KEY (${answer.code})`,
    };
  return { isReachable: true, says: `${account.base} knows the app` };
}

/**
 * Payssion names currencies by ISO 4217 (payssion.com/en/docs, `currency`). The currencies and limits of a method are
 * set by the bank or wallet behind it and shown only in the merchant's account: a brand lists the currencies of its
 * method, and Payssion refuses an amount at the payment.
 */
export const isAcceptedByPayssion = isKnownCurrency;

/**
 * An amount in Payssion's format, in major units: `980` of JPY, `9.80` of USD. Undefined for a currency with an
 * unknown number of digits.
 */
export function toPayssion(money: Money): string | undefined {
  return isAcceptedByPayssion(money.currency) && money.amount > 0 ? toDecimal(money) : undefined;
}

const text = v.nullish(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.maxLength(200)), '');

/** The signed fields of a notice, and the signature (payssion-php, samples/sample_postback.php); all else is dropped. */
const noticeSchema = v.object({
  pm_id: text,
  amount: text,
  currency: text,
  order_id: text,
  state: text,
  notify_sig: text,
});

/** What a state says besides the payment itself. Payssion has one state for a dispute, and reports nothing after it. */
const reversals: Readonly<Record<string, Pick<GatewayNotice, 'kind' | 'stage'>>> = {
  refunded: { kind: 'refund', stage: 'succeeded' },
  chargeback: { kind: 'chargeback', stage: 'succeeded' },
};

/**
 * Reads a notice, as form data or JSON. It has no timestamp, and neither the transaction nor the paid amount is
 * signed. So it only names the payment to inquire about, and the notice contains its current state, in whatever order
 * notices come. If Payssion cannot be reached the answer is `unknown`, and the next notice is inquired about again.
 */
async function readNotice(
  deps: PayssionDeps,
  { headers, rawBody, now }: { headers: Headers; rawBody: string; now: number },
): Promise<GatewayNotice> {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  const parsed = isJson
    ? v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), rawBody)
    : v.safeParse(noticeSchema, Object.fromEntries(new URLSearchParams(rawBody)));
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { pm_id: pmId, amount, currency, order_id: orderId, state, notify_sig: signature } = parsed.output;
  if (!isSignedBy(deps.account, [pmId, amount, currency, orderId, state], signature))
    throw new NoticeRefused('it is not signed by Payssion');
  const key = keyOf(orderId);
  const attempt = key === undefined ? undefined : await findAttempt(deps.db, key);
  if (!key || !attempt) return { eventId: `${orderId} ${state}`, key: key ?? orderId, kind: 'charge', answer: unknown };
  const found = await findTransaction(deps, key);
  if (typeof found !== 'object') return { eventId: `${orderId} unasked ${now}`, key, kind: 'charge', answer: unknown };
  const eventId = `${found.transaction_id} ${found.state}`;
  if (found.state === 'paid_partial' || found.state === 'paid_more')
    deps.log.error({ attemptId: key, state: found.state }, 'another amount was paid at Payssion: settle it there');
  if (found.state === 'refund_failed') deps.log.error({ attemptId: key }, 'Payssion could not refund a payment');
  const reversal = Object.hasOwn(reversals, found.state) ? reversals[found.state] : undefined;
  return { eventId, key, kind: 'charge', ...reversal, answer: answerOf(found, attempt, now) };
}

import type { Deps } from '#server/deps.ts';
import { outcomeOfEndedAttempt, findAttempt, isLive, type GatewayAttempt } from '../send-provider-request.ts';
import {
  type AuthoriseRequest,
  type GatewayAnswer,
  type PaymentGateway,
  type GatewayNotice,
  NoticeRefused,
} from '../gateway.ts';
import {
  btcpayClient,
  apiKeySchema,
  payoutsSchema,
  pullPaymentSchema,
  eventSchema,
  type BtcpayStore,
  type Invoice,
  type PullPayment,
} from './client.ts';
import { coinOfFirstPayment, paymentsOf, coinMethodsOf, answerOf, isPaid } from './coin-step.ts';
import { createInvoice, findInvoice, markInvalid, readInvoice, readNamedInvoice, type BtcpayDeps } from './invoices.ts';
import * as v from 'valibot';
import { fromDecimal, toDecimal, type ProviderCheck } from '../terms.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

const unknown: GatewayAnswer = { state: 'unknown' };

/** Coins by a store at a BTCPay Server (Greenfield API v1): an invoice with an address for each coin (`findInvoice`). */
export function btcpayGateway(store: BtcpayStore, base: Pick<Deps, 'db' | 'clock' | 'log'>): PaymentGateway {
  const deps: BtcpayDeps = { ...base, store, client: btcpayClient(store, base) };
  const ofKey = async (key: string, then: (attempt: GatewayAttempt) => Promise<GatewayAnswer>) => {
    const attempt = await findAttempt(base.db, key);
    return attempt ? then(attempt) : unknown;
  };
  const refund = async (key: string, part: Parameters<typeof refundInvoice>[2]) => {
    const attempt = await findAttempt(base.db, key);
    return attempt ? refundInvoice(deps, attempt, part) : false;
  };
  return {
    takes: (_method, currency) => store.currencies.includes(currency),
    // No `minimum`: BTCPay Server omits coins in which the invoice would be dust at the current rate
    // (github.com/btcpayserver/btcpayserver/pull/3082), so small amounts can be paid by Lightning.
    authorise: (request) => ofKey(request.key, (attempt) => authorise(deps, attempt, request)),
    inquire: async (key) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? inquire(deps, attempt) : { state: 'failed', failure: 'paymentFailed' };
    },
    cancel: (key) => ofKey(key, (attempt) => cancel(deps, attempt)),
    chooseCoin: (key, coin) => ofKey(key, (attempt) => chooseCoin(deps, attempt, coin)),
    refund: (key, left) => refund(key, { amount: left }),
    refundPart: ({ key, number, amount }) => refund(key, { number, amount }),
    check: () => checkStore(deps),
    verifyNotice: (headers, rawBody) => verifyBtcpayNotice(deps, { headers, rawBody }),
  };
}

function told(
  { store, log, clock }: BtcpayDeps,
  invoice: Invoice,
  attempt: GatewayAttempt,
  coin?: string,
): GatewayAnswer {
  const answer = answerOf(invoice, { attempt, confirmations: store.confirmations, now: clock(), coin });
  const note = { attemptId: attempt.id, invoice: invoice.id };
  if (answer.state === 'succeeded' && invoice.additionalStatus === 'PaidOver')
    log.warn(note, 'an invoice was overpaid; refund the difference in BTCPay Server');
  if (answer.state === 'expired' && paymentsOf(invoice).length > 0)
    log.warn(note, 'an invoice expired underpaid; refund the coins in BTCPay Server');
  return answer;
}

async function authorise(deps: BtcpayDeps, attempt: GatewayAttempt, request: AuthoriseRequest): Promise<GatewayAnswer> {
  const found = await findInvoice(deps, attempt);
  if (found === undefined) return unknown;
  if (found !== 'none') return told(deps, found, attempt);
  const made = await createInvoice(deps, attempt, request);
  if (!made) return unknown;
  if (made.kind === 'refused') {
    deps.log.warn({ attemptId: attempt.id, problems: made.problems }, 'BTCPay Server refused to create an invoice');
    const isCurrency = made.problems.some((problem) => problem.toLowerCase() === 'currency');
    return { state: 'failed', failure: isCurrency ? 'currencyUnsupported' : 'paymentFailed' };
  }
  const invoice = await readInvoice(deps, made.body.id);
  if (invoice === undefined || invoice === 'none') return unknown;
  if (coinMethodsOf(invoice).length > 0) return told(deps, invoice, attempt);
  deps.log.error(
    { attemptId: attempt.id, invoice: invoice.id },
    'the BTCPay store has no wallet of a coin that is offered',
  );
  return { state: 'failed', failure: 'noReceivingAccount' };
}

/** After this many milliseconds without a response, a payment whose address was never shown is cancelled. */
const giveUpAfterMs = 10 * 60_000;

async function inquire(deps: BtcpayDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined) {
    const isLost = attempt.providerRef === null && deps.clock() - attempt.createdAt >= giveUpAfterMs;
    return isLost ? { state: 'failed', failure: 'paymentFailed' } : unknown;
  }
  if (invoice !== 'none') return told(deps, invoice, attempt);
  if (!isLive(attempt)) return outcomeOfEndedAttempt(attempt);
  // the server does not know the key, so no address of it was shown
  return attempt.providerRef === null ? { state: 'failed', failure: 'paymentFailed' } : { state: 'expired' };
}

/** Only an invoice without payments is cancelled: coins that arrive cannot be refused. */
async function cancel(deps: BtcpayDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined) return unknown;
  if (invoice === 'none')
    return attempt.state === 'SUCCEEDED'
      ? outcomeOfEndedAttempt(attempt)
      : { state: 'failed', failure: 'paymentCancelled' };
  if (invoice.status !== 'New' || paymentsOf(invoice).length > 0) return told(deps, invoice, attempt);
  // coins in transit still arrive at the invalidated invoice, and count
  if (await markInvalid(deps, invoice.id))
    return { state: 'failed', providerRef: invoice.id, failure: 'paymentCancelled' };
  const asItIs = await readInvoice(deps, invoice.id);
  return asItIs === undefined || asItIs === 'none' ? unknown : told(deps, asItIs, attempt);
}

async function chooseCoin(deps: BtcpayDeps, attempt: GatewayAttempt, coin: string): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined || invoice === 'none') return unknown;
  const begun = coinOfFirstPayment(invoice) ?? coin;
  const isOffered = begun === coin && coinMethodsOf(invoice).some(({ option }) => option.coin === coin);
  if (isOffered) return told(deps, invoice, attempt, coin);
  return { ...told(deps, invoice, attempt), refusal: { error: 'operationUnsupported' } };
}

/** The required permissions, each with the permissions that include it, by their names in the Greenfield API. */
const needed: readonly (readonly string[])[] = [
  ['btcpay.store.canviewinvoices', 'btcpay.store.canmodifyinvoices'],
  ['btcpay.store.cancreateinvoice', 'btcpay.store.canmodifyinvoices'],
  ['btcpay.store.canmodifyinvoices'],
  ['btcpay.store.cancreatepullpayments', 'btcpay.store.canmanagepullpayments'],
  ['btcpay.store.canmanagepullpayments'],
];
const all = ['btcpay.store.canmodifystoresettings', 'unrestricted'];

/** Reads at most one invoice, and the permissions of the key. */
async function checkStore({ client, store }: BtcpayDeps): Promise<ProviderCheck> {
  const path = `/stores/${store.storeId}/invoices?take=1`;
  const read = await client.call({ method: 'GET', path }, v.array(v.unknown()));
  if (!read) return { isReachable: false, says: 'no BTCPay Server answers at BTCPAY_URL' };
  if (read.kind === 'refused') {
    const wrong = read.status === 401 ? 'BTCPAY_API_KEY is not known' : 'BTCPAY_API_KEY does not open BTCPAY_STORE_ID';
    return { isReachable: false, says: `${wrong} at BTCPAY_URL` };
  }
  const key = await client.call({ method: 'GET', path: '/api-keys/current' }, apiKeySchema);
  if (key?.kind !== 'done')
    return { isReachable: false, says: 'BTCPAY_URL does not return the permissions of BTCPAY_API_KEY' };
  const has = (name: string) =>
    key.body.permissions.some((permission) => permission === name || permission === `${name}:${store.storeId}`);
  const lacking = needed.filter((names) => ![...names, ...all].some(has)).map(([name = '']) => name);
  return lacking.length === 0
    ? { isReachable: true, says: `the store ${store.storeId} is reached, and the key may do what it has to` }
    : { isReachable: false, says: `BTCPAY_API_KEY lacks the permission ${lacking.join(', ')}` };
}

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
async function refundInvoice(
  deps: BtcpayDeps,
  attempt: GatewayAttempt,
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
    log.warn(note, 'a crypto refund waits for the customer: send them the claim link that BTCPay Server shows');
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

/**
 * Reads a notice with the HMAC of the webhook ("WebhookDataCreate" of the Greenfield API). A notice only names an
 * invoice, whose state is then fetched. So neither an attacker's replay nor the server's repeats for an hour, which
 * contain the time of the first try, do harm, and the time is not checked. If the server cannot be reached the notice
 * is refused, and the server sends it again.
 */
async function verifyBtcpayNotice(
  deps: BtcpayDeps,
  { headers, rawBody }: { headers: Headers; rawBody: string },
): Promise<GatewayNotice> {
  if (!isSigned(deps.store.webhookSecret, headers.get('btcpay-sig'), rawBody))
    throw new NoticeRefused('the signature does not fit');
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), rawBody);
  if (!event.success) throw new NoticeRefused('the body cannot be read');
  const { deliveryId, originalDeliveryId, invoiceId } = event.output;
  const notice = { eventId: originalDeliveryId ?? deliveryId, kind: 'charge' } as const;
  // an event about a payout, a subscriber or anything else that the webhook is configured for
  const named = typeof invoiceId === 'string' ? await readNamedInvoice(deps, invoiceId) : 'none';
  if (named === undefined) throw new NoticeRefused('BTCPay Server could not be queried about the invoice');
  const { key, invoice } = named === 'none' ? { key: '' } : named;
  const attempt = await findAttempt(deps.db, key);
  if (attempt && !invoice) deps.log.error({ attemptId: key }, 'an invoice of BTCPay Server cannot be read');
  if (!invoice || !attempt) return { ...notice, key, answer: { state: 'unknown' } };
  // another invoice of the same key, which was never shown, may pay the attempt but never ends it
  const isOther = attempt.providerRef !== null && attempt.providerRef !== invoice.id;
  const { confirmations } = deps.store;
  if (isOther && !isPaid(invoice)) return { ...notice, key, answer: { state: 'unknown' } };
  return { ...notice, key, answer: answerOf(invoice, { attempt, confirmations, now: deps.clock() }) };
}

function isSigned(secret: string, header: string | null, body: string): boolean {
  const [, told] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? [];
  const expected = createHmac('sha256', secret).update(body).digest();
  return told !== undefined && timingSafeEqual(expected, Buffer.from(told, 'hex'));
}

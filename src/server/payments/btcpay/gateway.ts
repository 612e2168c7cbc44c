import type { Deps } from '#server/deps.ts';
import { ended, findAttempt, isLive, type KnownAttempt } from '../find-attempt.ts';
import type { AuthoriseRequest, GatewayAnswer, PaymentGateway } from '../gateway.ts';
import { answerOf } from './answers.ts';
import { checkStore } from './check-store.ts';
import { btcpayClient, type BtcpayStore } from './client.ts';
import { begunCoin, paymentsOf, waysOf } from './coin-step.ts';
import { createInvoice, findInvoice, markInvalid, readInvoice, type BtcpayDeps } from './invoices.ts';
import { verifyBtcpayNotice } from './notices.ts';
import { refundInvoice } from './refunds.ts';
import type { Invoice } from './schemas.ts';

const unknown: GatewayAnswer = { state: 'unknown' };

/**
 * Coins by a store at a BTCPay Server (Greenfield API v1): an invoice, with an address for each coin (`findInvoice`).
 */
export function btcpayGateway(store: BtcpayStore, base: Pick<Deps, 'db' | 'clock' | 'log'>): PaymentGateway {
  const deps: BtcpayDeps = { ...base, store, client: btcpayClient(store, base) };
  const ofKey = async (key: string, then: (attempt: KnownAttempt) => Promise<GatewayAnswer>) => {
    const attempt = await findAttempt(base.db, key);
    return attempt ? then(attempt) : unknown;
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
    refund: async (key, left) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? refundInvoice(deps, attempt, { amount: left }) : false;
    },
    refundPart: async ({ key, number, amount }) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? refundInvoice(deps, attempt, { number, amount }) : false;
    },
    check: () => checkStore(deps),
    verifyNotice: (headers, rawBody) => verifyBtcpayNotice(deps, { headers, rawBody }),
  };
}

function told(
  { store, log, clock }: BtcpayDeps,
  invoice: Invoice,
  attempt: KnownAttempt,
  coin?: string,
): GatewayAnswer {
  const answer = answerOf(invoice, { attempt, confirmations: store.confirmations, now: clock(), coin });
  const note = { attemptId: attempt.id, invoice: invoice.id };
  if (answer.state === 'succeeded' && invoice.additionalStatus === 'PaidOver')
    log.warn(note, 'more coins came than were asked for; BTCPay Server can give the rest back');
  if (answer.state === 'expired' && paymentsOf(invoice).length > 0)
    log.warn(note, 'an invoice has ended with a part of its coins; BTCPay Server can give them back');
  return answer;
}

async function authorise(deps: BtcpayDeps, attempt: KnownAttempt, request: AuthoriseRequest): Promise<GatewayAnswer> {
  const found = await findInvoice(deps, attempt);
  if (found === undefined) return unknown;
  if (found !== 'none') return told(deps, found, attempt);
  const made = await createInvoice(deps, attempt, request);
  if (!made) return unknown;
  if (made.kind === 'refused') {
    deps.log.warn({ attemptId: attempt.id, problems: made.problems }, 'BTCPay Server refused to make an invoice');
    const isCurrency = made.problems.some((problem) => problem.toLowerCase() === 'currency');
    return { state: 'failed', failure: isCurrency ? 'currencyUnsupported' : 'paymentFailed' };
  }
  const invoice = await readInvoice(deps, made.body.id);
  if (invoice === undefined || invoice === 'none') return unknown;
  if (waysOf(invoice).length > 0) return told(deps, invoice, attempt);
  deps.log.error(
    { attemptId: attempt.id, invoice: invoice.id },
    'the BTCPay store has no wallet of a coin that is offered',
  );
  return { state: 'failed', failure: 'noReceivingAccount' };
}

/** After this many milliseconds without a response, a payment whose address was never shown is cancelled. */
const giveUpAfterMs = 10 * 60_000;

async function inquire(deps: BtcpayDeps, attempt: KnownAttempt): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined) {
    const isLost = attempt.providerRef === null && deps.clock() - attempt.createdAt >= giveUpAfterMs;
    return isLost ? { state: 'failed', failure: 'paymentFailed' } : unknown;
  }
  if (invoice !== 'none') return told(deps, invoice, attempt);
  if (!isLive(attempt)) return ended(attempt);
  // the server does not know the key, so no address of it was shown
  return attempt.providerRef === null ? { state: 'failed', failure: 'paymentFailed' } : { state: 'expired' };
}

/** Only an invoice without payments is cancelled: coins that arrive cannot be refused. */
async function cancel(deps: BtcpayDeps, attempt: KnownAttempt): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined) return unknown;
  if (invoice === 'none')
    return attempt.state === 'SUCCEEDED' ? ended(attempt) : { state: 'failed', failure: 'paymentCancelled' };
  if (invoice.status !== 'New' || paymentsOf(invoice).length > 0) return told(deps, invoice, attempt);
  // coins in transit still arrive at the invalidated invoice, and count
  if (await markInvalid(deps, invoice.id))
    return { state: 'failed', providerRef: invoice.id, failure: 'paymentCancelled' };
  const asItIs = await readInvoice(deps, invoice.id);
  return asItIs === undefined || asItIs === 'none' ? unknown : told(deps, asItIs, attempt);
}

async function chooseCoin(deps: BtcpayDeps, attempt: KnownAttempt, coin: string): Promise<GatewayAnswer> {
  const invoice = await findInvoice(deps, attempt);
  if (invoice === undefined || invoice === 'none') return unknown;
  const begun = begunCoin(invoice) ?? coin;
  const isOffered = begun === coin && waysOf(invoice).some(({ option }) => option.coin === coin);
  if (isOffered) return told(deps, invoice, attempt, coin);
  return { ...told(deps, invoice, attempt), refusal: { error: 'operationUnsupported' } };
}

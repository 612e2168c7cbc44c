import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import type { Logger } from '#server/runtime/log.ts';
import {
  sendProviderRequest,
  type SendRequest,
  outcomeOfEndedAttempt,
  isLive,
  type GatewayAttempt,
} from '../send-provider-request.ts';
import type { PaymentFailure } from '#contract/error-codes.ts';
import { fromDecimal } from '../terms.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { createHash, timingSafeEqual } from 'node:crypto';

/** An app at Payssion, with its address. */
export interface PayssionAccount extends PayssionKeys {
  /** scheme and host: `https://www.payssion.com` */
  readonly base: string;
  readonly send: SendRequest;
}

/** `refused` is a refusal by Payssion, by its result code. */
type PayssionAnswer =
  | { readonly kind: 'done'; readonly body: Answered }
  | { readonly kind: 'refused'; readonly code: number; readonly isOurFault: boolean };

interface PayssionClient {
  /**
   * Undefined if nothing may be concluded: no response, a broken connection, one that is not from Payssion, or a busy
   * server.
   */
  send(call: keyof typeof calls, fields: Readonly<Record<string, string>>): Promise<PayssionAnswer | undefined>;
}

/** The path of each call and the signed fields, in that order (payssion-php, PayssionClient). */
const calls = {
  create: { path: '/api/v1/payment/create', signed: ['pm_id', 'amount', 'currency', 'order_id'] },
  details: { path: '/api/v1/payment/details', signed: ['transaction_id', 'order_id'] },
  refund: { path: '/api/v1/refunds', signed: ['transaction_id', 'amount', 'currency'] },
} as const;

/** Amounts are text or numbers. */
const written = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d{1,13}(\.\d{1,8})?$/));

/** The fields of a transaction that the server reads; names, email addresses and bank accounts are dropped unread. */
const transactionSchema = v.object({
  transaction_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\w{1,40}$/)),
  order_id: v.optional(v.string()),
  pm_id: v.optional(v.string()),
  state: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)),
  amount: v.optional(written),
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))),
  paid: v.optional(written),
});
export type Transaction = v.InferOutput<typeof transactionSchema>;

const answerSchema = v.object({
  result_code: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer()),
  transaction: v.optional(transactionSchema),
  redirect_url: v.optional(v.nullish(v.string())),
});
type Answered = v.InferOutput<typeof answerSchema>;

/**
 * Result codes about the app, its keys or its address, never about a payment (github.com/paragasu/lua-payssion, after
 * payssion.com/en/docs).
 */
const ourFaults = new Set([401, 402, 403, 411, 441]);

/** Calls Payssion with form data. The secret does not leave this folder. */
export function payssionClient(account: PayssionAccount, { log }: { log: Logger }): PayssionClient {
  return {
    send: async (call, fields) => {
      const { path, signed } = calls[call];
      const signature = signatureOf(
        account,
        signed.map((name) => fields[name] ?? ''),
      );
      const body = new URLSearchParams({ ...fields, api_key: account.apiKey, api_sig: signature });
      const request = new Request(account.base + path, { method: 'POST', body });
      const answer = await sendProviderRequest(account.send, request, answerSchema);
      if (!answer || answer.status === 429) return undefined;
      const { result_code: code } = answer.body;
      if (code === 200) return { kind: 'done', body: answer.body };
      const isOurFault = ourFaults.has(code);
      if (isOurFault) log.error({ call, code }, 'Payssion rejects PAYSSION_API_KEY and PAYSSION_SECRET_KEY');
      // 500 and above: an error of its server, overload, or the bank behind it
      return code >= 500 || code < 400 ? undefined : { kind: 'refused', code, isOurFault };
    },
  };
}

export interface PayssionDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog'> {
  readonly account: PayssionAccount;
  readonly client: PayssionClient;
}

/**
 * The order ID at Payssion: a UUID without its dashes, because IDs have at most 32 characters
 * (github.com/payssion/payssion-android).
 */
export const orderIdOf = (key: string): string => key.replaceAll('-', '');

/** The key of such an order ID. */
export function keyOf(orderId: string): string | undefined {
  const parts = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/.exec(orderId);
  return parts?.slice(1).join('-');
}

/** The transaction of a payment at Payssion, by its order ID. */
export async function findTransaction(
  { client }: Pick<PayssionDeps, 'client'>,
  key: string,
): Promise<Transaction | 'unasked' | 'gone'> {
  const answer = await client.send('details', { order_id: orderIdOf(key) });
  if (answer?.kind === 'done') return answer.body.transaction ?? 'unasked';
  return answer && !answer.isOurFault ? 'gone' : 'unasked';
}

/**
 * Payssion's states that end a payment without money (payssion-php, samples/sample_postback.php, and the longer list
 * in lua-payssion after payssion.com/en/docs).
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  error: 'paymentFailed',
  failed: 'paymentFailed',
  // by the shop or by Payssion; a payer's cancellation has its own state
  cancelled: 'paymentFailed',
  cancelled_by_user: 'paymentCancelled',
  rejected_by_bank: 'rejectedByBank',
};

/** States in which the money was received, whatever happened later. */
const paidStates: ReadonlySet<string> = new Set([
  'completed',
  'paid_more',
  'refunded',
  'refund_pending',
  'refund_failed',
  'chargeback',
]);

/** After this time a page that Payssion has not ended counts as expired. */
const forgottenAfterMs = 3 * 24 * 60 * 60_000;
/** The same for money that may be on its way. */
const onItsWayMs = 5 * 24 * 60 * 60_000;

/** The state of a payment by its transaction at Payssion; `now` in epoch milliseconds. */
export function answerOf(transaction: Transaction, attempt: GatewayAttempt, now: number): GatewayAnswer {
  const { transaction_id: providerRef, state, amount, currency } = transaction;
  const asked = amount !== undefined && currency !== undefined ? fromDecimal(amount, currency) : undefined;
  const known = { providerRef, ...asked };
  if (paidStates.has(state)) return { state: 'succeeded', ...known };
  const failure = Object.hasOwn(failures, state) ? failures[state] : undefined;
  if (failure !== undefined) return { state: 'failed', ...known, failure };
  switch (state) {
    case 'expired':
      return { state: 'expired', ...known };
    case 'awaiting_confirm':
      return { state: 'pending', ...known, expiresAt: Math.max(attempt.expiresAt ?? 0, now) + onItsWayMs };
    case 'pending':
      // its page was never shown, so it cannot be paid
      if (pageOf(attempt) === undefined) return neverShown(attempt);
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    case 'paid_partial':
      // nothing of it is recorded; the payer can still complete it
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    default:
      return { state: 'unknown' };
  }
}

/** The state of a key that Payssion does not find. */
export function notFound(attempt: GatewayAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt) || pageOf(attempt) === undefined) return neverShown(attempt);
  return isForgotten(attempt, now) ? { state: 'expired' } : { state: 'unknown' };
}

/** The page to which the payer was redirected. */
export function pageOf({ next }: Pick<GatewayAttempt, 'next'>) {
  return next?.type === 'redirect' ? next : undefined;
}

function neverShown(attempt: GatewayAttempt): GatewayAnswer {
  return isLive(attempt) ? { state: 'failed', failure: 'paymentFailed' } : outcomeOfEndedAttempt(attempt);
}

function isForgotten({ expiresAt, createdAt }: GatewayAttempt, now: number): boolean {
  return now > Math.max(expiresAt ?? 0, createdAt) + forgottenAfterMs;
}

/** The two keys of an app at Payssion. */
interface PayssionKeys {
  readonly apiKey: string;
  readonly secretKey: string;
}

/**
 * Payssion signs with MD5 only (github.com/payssion/payssion-php, PayssionClient `$sig_keys`,
 * samples/sample_postback.php): the app's key, the named fields and the secret, joined by bars. MD5 is no proof
 * against an attacker who can choose both texts, and a notice's signature does not cover its payment. So nothing is
 * trusted for its signature: responses are trusted because of TLS, and a notice only names the payment to inquire
 * about.
 */
function signatureOf({ apiKey, secretKey }: PayssionKeys, fields: readonly string[]): string {
  return createHash('md5')
    .update([apiKey, ...fields, secretKey].join('|'))
    .digest('hex');
}

export function isSignedBy(keys: PayssionKeys, fields: readonly string[], given: string): boolean {
  const expected = Buffer.from(signatureOf(keys, fields));
  const told = Buffer.from(given.toLowerCase());
  return told.length === expected.length && timingSafeEqual(told, expected);
}

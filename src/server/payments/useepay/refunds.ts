import type { Deps } from '#server/deps.ts';
import type { GatewayAttempt } from '../send-provider-request.ts';
import type { PartialRefund, RefundAnswer } from '../terms.ts';
import { queriedTransaction, readTransaction, type UseepayAccount, type UseepayClient } from './answers.ts';
import { isKnownCurrency, type Money } from '#contract/money.ts';

export interface UseepayDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog'> {
  readonly account: UseepayAccount;
  readonly client: UseepayClient;
}

/** A refund that UseePay ended without success may be requested again under another ID. */
const mostTries = 3;

/** `<key>-r1`: the ID of a refund at UseePay, and its parser. */
const refundId = (key: string, tried: number): string => `${key}-r${tried}`;
export const keyOfRefund = (id: string): string | undefined => /^([\w-]{36})-r\d$/.exec(id)?.[1];
/** `<key>-p1`: the ID of a partial refund, and its parser. */
const partId = ({ key, number }: Pick<PartialRefund, 'key' | 'number'>): string => `${key}-p${number}`;
export function readPartId(id: string): { key: string; number: number } | undefined {
  const [, key, number] = /^([\w-]{36})-p([1-9]\d{0,5})$/.exec(id) ?? [];
  return key === undefined ? undefined : { key, number: Number(number) };
}

/**
 * Requests a refund of a payment (useepay.gitbook.io, "refund"). A refund is a transaction with its own ID, which
 * UseePay accepts once. It is queried first, so one whose response was lost is found. It is pending until the bank
 * completes it.
 */
export async function refundPayment(
  deps: UseepayDeps,
  { id: key, amount, currency }: GatewayAttempt,
  left = amount,
): Promise<RefundAnswer> {
  for (let tried = 1; tried <= mostTries; tried += 1) {
    const end = await askOnce(deps, { key, transactionId: refundId(key, tried), amount: left, currency });
    if (end !== 'over') return end;
  }
  return {
    permanentFailure:
      'UseePay has refused it three times: look at the payment in its merchant portal, and give it back there',
  };
}

/** Refunds a part in the same way; one that UseePay ended without success is refunded by hand. */
export async function refundPart(deps: UseepayDeps, part: PartialRefund): Promise<RefundAnswer> {
  const end = await askOnce(deps, { ...part, transactionId: partId(part) });
  return end === 'over'
    ? { permanentFailure: 'UseePay has refused it: look at the payment in its merchant portal' }
    : end;
}

interface Asked {
  /** of the payment */
  readonly key: string;
  /** the refund's own ID */
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
}

/** True if it was refunded, false while that is unknown, `over` if UseePay had ended it before. */
async function askOnce({ client, log, clock }: UseepayDeps, asked: Asked): Promise<boolean | 'over'> {
  const { key, transactionId, amount, currency } = asked;
  const told = await client.ask('/api', { transactionType: 'query', transactionId });
  if (!told) return false;
  const known = queriedTransaction(told);
  if (known?.resultCode === 'succeed') return true;
  if (known) return ['failed', 'cancelled', 'closed'].includes(known.resultCode) ? 'over' : false;
  const counted = toUseepay({ amount, currency });
  if (counted === undefined) return 'over';
  const answer = await client.ask('/api', {
    transactionType: 'refund',
    transactionId,
    originalTransactionId: key,
    amount: counted,
    currency,
  });
  const taken = answer && readTransaction(answer);
  if (taken?.resultCode === 'failed') {
    const { errorCode } = taken;
    log.warn({ attemptId: key, transactionId, errorCode, at: clock() }, 'UseePay did not accept a refund');
  }
  return taken?.resultCode === 'succeed';
}

/**
 * UseePay names currencies by ISO 4217 (useepay.gitbook.io, "checkout", `currency`) and publishes no list of supported
 * ones: they are part of each merchant's contract, so a brand lists them for its method. It publishes no smallest
 * charge either.
 */
export const isAcceptedByUseepay = isKnownCurrency;

/** The maximum number of digits of an amount (`amount`). */
const mostDigits = 12;
/** In minor units. */
export const maxUseepayAmount = 10 ** mostDigits - 1;

/**
 * An amount in the smallest unit of its currency by ISO 4217, which the shop uses too (`amount`, same page). Undefined
 * for a currency with an unknown number of digits, and for more than UseePay accepts.
 */
export function toUseepay({ amount, currency }: Money): string | undefined {
  if (!isAcceptedByUseepay(currency) || !Number.isSafeInteger(amount) || amount <= 0) return undefined;
  const counted = String(amount);
  return counted.length > mostDigits ? undefined : counted;
}

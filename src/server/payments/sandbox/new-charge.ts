import type { Bank, Charge } from '../../sandbox/bank.ts';
import { disputeDelayMs, noticeOf, told } from '../../sandbox/bank.ts';
import { brCode } from '../br-code.ts';
import type { AuthorizeRequest } from '../gateway.ts';
import { cardAnswer } from './card-answers.ts';

/** How long a Pix code can be paid, in milliseconds. */
export const pixLifetimeMs = 30 * 60_000;
/** How long the bank's question waits for its holder, in milliseconds. */
export const challengeLifetimeMs = 15 * 60_000;

/** The Pix key of the sandbox's merchant account: nobody's, so that a real bank refuses the code. */
const sandboxPixKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

interface NewCharge {
  readonly charge: Charge;
  readonly notices: ReturnType<typeof noticeOf>[];
}

/** What the bank writes for a card. The number itself goes no further than this function. */
export function cardCharge(bank: Bank, request: AuthorizeRequest): NewCharge {
  const now = bank.clock();
  const base = emptyCharge(bank, request, 'card');
  const answer = request.card
    ? cardAnswer(request.card, request.currency, now)
    : ({ does: 'decline', code: -2400 } as const);
  switch (answer.does) {
    case 'decline':
      return { charge: { ...base, status: 'declined', declineCode: answer.code }, notices: [] };
    case 'challenge': {
      const waiting = { ...base, status: 'challenge' as const, expiresAt: now + challengeLifetimeMs };
      return { charge: { ...waiting, afterChallenge: { status: 'paid' } }, notices: [] };
    }
    case 'pay':
      return { charge: { ...base, status: 'paid', paidAt: now }, notices: [] };
    case 'payThenChargeBack': {
      const charge: Charge = { ...base, status: 'paid', paidAt: now };
      return { charge, notices: [noticeOf(bank, request.key, 'chargeback', told(charge), disputeDelayMs)] };
    }
  }
}

/** What the bank writes for Pix: a code that waits to be paid. */
export function pixCharge(bank: Bank, request: AuthorizeRequest): NewCharge {
  const base = emptyCharge(bank, request, 'pix');
  const payload = brCode({
    pixKey: sandboxPixKey,
    merchantName: request.merchantName,
    merchantCity: 'SAO PAULO',
    amount: request.amount,
    txid: request.orderLabel.slice(0, 25),
  });
  return { charge: { ...base, status: 'waiting', payload, expiresAt: bank.clock() + pixLifetimeMs }, notices: [] };
}

function emptyCharge(bank: Bank, request: AuthorizeRequest, kind: Charge['kind']): Charge {
  const { key, brand, amount, currency, returnUrl } = request;
  return {
    key,
    kind,
    brand,
    amount,
    currency,
    returnUrl,
    status: 'waiting',
    declineCode: null,
    afterChallenge: null,
    publicId: bank.random.token(16),
    payload: null,
    createdAt: bank.clock(),
    expiresAt: null,
    paidAt: null,
  };
}

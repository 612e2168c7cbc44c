import { errorCode } from '#contract/error-codes.ts';
import type { GatewayCard } from '#server/payments/gateway.ts';
import type { ChargeRequest } from '../gateway/protocol.ts';
import type { BankPage } from '../page-html.ts';
import type { Bank, Charge } from './bank.ts';
import { closeCharge, disputeDelayMs, noticeOf } from './charges.ts';
import {
  blankCharge,
  type Family,
  type Opening,
  amountRow,
  processRedirectStep,
  approve,
  redirectStep,
} from './family.ts';
import { storeCard, openGatewayCard, replaceGatewayCard, cardAnswer, type OffSessionAnswer } from './stored-cards.ts';

/** Lifetime of a confirmation on the bank's page, in milliseconds. */
const challengeLifetimeMs = 15 * 60_000;

/** Cards, new or stored, with a confirmation on the bank's page if required. */
export const card: Family = {
  open: async (bank, request) => {
    const answer = await answerFor(bank, request);
    // simulates a failing server: the caller gets no reliable answer
    if (answer.does === 'outage') throw new Error('this card stands for a bank that is away');
    const savedCard = await cardToStore(bank, request, answer);
    const charge = blankCharge(bank, request);
    const details = {
      ...charge.details,
      ...(savedCard && { savedCard }),
      ...(isOffSession(request) && { away: true }),
    };
    return openingOf(bank, { ...charge, details }, answer);
  },
  // off-session: no cardholder can act
  nextStep: (charge) => (charge.details['away'] === true ? { type: 'none' } : redirectStep(charge, 'challenge')),
  performStep: processRedirectStep,
  page: {
    name: 'challenge',
    show: challengePage,
    leaves: true,
    press: async (bank, charge, action) => {
      if (charge.status !== 'challenge') return;
      if (action === 'approve') await approve(bank, charge, charge.afterChallenge ?? undefined);
      if (action === 'refuse')
        await closeCharge(bank, charge, { status: 'declined', declineCode: errorCode('rejectedByBank') });
    },
  },
};

/** The bank's answer to a card. The card number is not passed beyond this function and `storeCard`. */
async function answerFor(bank: Bank, { card: typed, savedCard, currency }: ChargeRequest): Promise<OffSessionAnswer> {
  if (typed) return cardAnswer(typed, currency, bank.clock());
  if (!savedCard) return { does: 'decline', error: 'cardNotKept' };
  return openGatewayCard(bank, savedCard, currency);
}

/** An off-session charge, without a security code. */
const isOffSession = ({ savedCard }: ChargeRequest) => savedCard !== undefined && savedCard.code === undefined;

/** A new card to be saved, or the card that replaces a stored one. */
function cardToStore(
  bank: Bank,
  request: ChargeRequest,
  { does }: OffSessionAnswer,
): Promise<GatewayCard | undefined> | undefined {
  const { card: typed, savedCard } = request;
  if (does === 'replace' && savedCard) return replaceGatewayCard(bank, savedCard.token);
  return typed?.save === true && does !== 'decline' ? storeCard(bank, request, typed) : undefined;
}

/** Delay of a card that pays later, in milliseconds. */
const delayedPaymentMs = 2 * 60_000;

function openingOf(
  bank: Bank,
  charge: Charge,
  answer: Exclude<OffSessionAnswer, { readonly does: 'outage' }>,
): Opening {
  const now = bank.clock();
  const paid: Charge = { ...charge, status: 'paid', paidAt: now };
  switch (answer.does) {
    case 'decline':
      return { charge: { ...charge, status: 'declined', declineCode: errorCode(answer.error) } };
    case 'challenge':
      return { charge: challenged(charge, now) };
    case 'pay':
    case 'replace':
      return { charge: paid };
    case 'loseAnswer':
      return { charge: { ...paid, details: { ...charge.details, answerLost: true } } };
    case 'later':
      return { charge: { ...charge, scheduledOutcome: { status: 'paid' }, scheduledAt: now + delayedPaymentMs } };
    case 'payThenChargeBack':
      return { charge: paid, notices: [disputeOf(bank, paid)] };
    case 'payThenLose':
    case 'payThenWin': {
      const stage = answer.does === 'payThenLose' ? 'succeeded' : 'rejected';
      const end = noticeOf(bank, paid, 'chargeback', { stage, delayMs: 2 * disputeDelayMs });
      return { charge: paid, notices: [disputeOf(bank, paid), end] };
    }
  }
}

/** Time to answer a dispute, in milliseconds. */
const answerMs = 7 * 24 * 60 * 60_000;

const disputeOf = (bank: Bank, charge: Charge) =>
  noticeOf(bank, charge, 'chargeback', {
    stage: 'opened',
    delayMs: disputeDelayMs,
    respondBy: bank.clock() + disputeDelayMs + answerMs,
  });

/** Off-session the cardholder cannot confirm, so the bank declines. */
function challenged(charge: Charge, now: number): Charge {
  if (charge.details['away'] === true) {
    const details = { ...charge.details, asksHolder: true };
    return { ...charge, status: 'declined', declineCode: errorCode('rejectedByBank'), details };
  }
  return { ...charge, status: 'challenge', expiresAt: now + challengeLifetimeMs, afterChallenge: { status: 'paid' } };
}

/** The confirmation page for the cardholder. */
function challengePage(charge: Charge): BankPage {
  const { status, returnUrl: back } = charge;
  if (status === 'expired') return { title: 'Too late', lines: ['This question was not answered in time.'], back };
  if (status !== 'challenge') return { title: 'Already answered', lines: ['Your bank knows your answer.'], back };
  return {
    title: 'Is this you?',
    lines: ['Your bank wants to be sure that you are making this payment.'],
    rows: [amountRow(charge)],
    buttons: [
      { action: 'approve', label: 'Approve', primary: true },
      { action: 'refuse', label: 'Refuse', primary: false },
    ],
  };
}

import type { ChargeRequest } from '../../payments/sandbox/protocol.ts';
import type { BankPage } from '../page-html.ts';
import { closeCharge, type Bank, type Charge } from './books.ts';
import { cardAnswer, type CardAnswer } from './card-answers.ts';
import { blankCharge, type Family, type Opening } from './family.ts';
import { keepCard, openKeptCard } from './kept-cards.ts';
import { disputeDelayMs, noticeOf } from './notices.ts';
import { amountRow } from './page-parts.ts';
import { actOnRedirect, approve, redirectTodo } from './redirect-family.ts';

/** How long the bank's question waits for its holder, in milliseconds. */
export const challengeLifetimeMs = 15 * 60_000;

/** Cards, new or kept, with the bank's question first where it asks one. */
export const card: Family = {
  open: async (bank, request) => {
    const answer = await answerTo(bank, request);
    const saves = request.card?.save === true && answer.does !== 'decline';
    const savedCard = saves && request.card ? await keepCard(bank, request, request.card) : undefined;
    const charge = blankCharge(bank, request);
    return written(bank, { ...charge, details: { ...charge.details, ...(savedCard && { savedCard }) } }, answer);
  },
  todo: (charge) => redirectTodo(charge, 'challenge'),
  act: actOnRedirect,
  page: {
    name: 'challenge',
    show: challengePage,
    leaves: true,
    press: async (bank, charge, action) => {
      if (charge.status !== 'challenge') return;
      if (action === 'approve') await approve(bank, charge, charge.afterChallenge ?? undefined);
      if (action === 'refuse') await closeCharge(bank, charge, { status: 'declined', declineCode: 5015 });
    },
  },
};

/** What the bank says to a card. The number itself goes no further than this function and `keepCard`. */
function answerTo(bank: Bank, { card: typed, savedCard, currency }: ChargeRequest): Promise<CardAnswer> | CardAnswer {
  if (typed) return cardAnswer(typed, currency, bank.clock());
  return savedCard ? openKeptCard(bank, savedCard, currency) : { does: 'decline', code: -2400 };
}

function written(bank: Bank, charge: Charge, answer: CardAnswer): Opening {
  const now = bank.clock();
  const paid: Charge = { ...charge, status: 'paid', paidAt: now };
  switch (answer.does) {
    case 'decline':
      return { charge: { ...charge, status: 'declined', declineCode: answer.code } };
    case 'challenge':
      return {
        charge: {
          ...charge,
          status: 'challenge',
          expiresAt: now + challengeLifetimeMs,
          afterChallenge: { status: 'paid' },
        },
      };
    case 'pay':
      return { charge: paid };
    case 'payThenChargeBack':
      return {
        charge: paid,
        notices: [noticeOf(bank, paid, 'chargeback', { stage: 'opened', delayMs: disputeDelayMs })],
      };
  }
}

/** What the bank asks the holder of a card. */
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

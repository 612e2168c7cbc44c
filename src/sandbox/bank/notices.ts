import * as v from 'valibot';
import type { sandboxNotices } from '../schema.ts';
import type { NextStep } from '#contract/next-step.ts';
import { chargeViewSchema, type ChargeView, type NoticeBody } from '../gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';

export type Notice = typeof sandboxNotices.$inferInsert;

/** Delay of the first delivery of a notice, in milliseconds. */
export const noticeDelayMs = 300;
/** Time from a charge to its dispute, in milliseconds. */
export const disputeDelayMs = 60_000;

interface NoticeOptions {
  readonly stage?: NoticeBody['stage'];
  /** the remaining step of a charge that stays pending */
  readonly nextStep?: NextStep;
  readonly delayMs?: number;
  /** for a partial refund */
  readonly part?: NoticeBody['part'];
}

/** A notice about a charge, to be delivered twice. */
export function noticeOf(
  bank: Pick<Bank, 'clock' | 'random'>,
  charge: Charge,
  event: NoticeBody['event'],
  { stage, nextStep, part, delayMs = noticeDelayMs }: NoticeOptions = {},
): Notice {
  const id = `evt_${bank.random.token(16)}`;
  const body: NoticeBody = {
    id,
    event,
    ...(stage && { stage }),
    ...(part && { part }),
    ...toChargeView(charge, nextStep),
  };
  const { key, gateway } = charge;
  return { id, key, gateway, body: JSON.stringify(body), dueAt: bank.clock() + delayMs, repeats: 2 };
}

const { savedCard: savedCardSchema, asksHolder } = chargeViewSchema.entries;
const withSavedCard = v.object({ savedCard: savedCardSchema });
const withAsksHolder = v.object({ asksHolder });

/** A charge as the bank's API shows it. Amounts in minor units. */
export function toChargeView(charge: Charge, nextStep?: NextStep): ChargeView {
  const { key, status, amount, currency, publicId, declineCode, expiresAt, details } = charge;
  // a card is passed on only after it has paid
  const card = status === 'paid' ? v.parse(withSavedCard, details) : {};
  const confirmation = v.parse(withAsksHolder, details);
  return {
    key,
    status,
    amount,
    currency,
    publicId,
    declineCode,
    expiresAt,
    ...(nextStep && { nextStep }),
    ...card,
    ...confirmation,
  };
}

import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { couponCodeSchema } from '../../../../contract/fields.ts';
import { ApiError } from '../../../api/api-error.ts';
import { say, type Words } from '../../../form/words.ts';
import { problemOfError, problemOfRefusal, refusedCoupon, type CouponProblem } from './coupon-problem.ts';
import type { PayState } from '../act/pay-machine.ts';
import { freeCoupon } from './free-coupon.ts';
import type { Choices } from '../use-choices.ts';
import { quoteQuery, type Purchase } from '../price/use-purchase.ts';

export interface Coupon {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly error: string | undefined;
  readonly applied: string | undefined;
  readonly busy: boolean;
  readonly apply: () => void;
  readonly remove: () => void;
  /** the order of the customer's that the problem is about */
  readonly otherOrder: Pick<CouponProblem, 'orderId' | 'mayTakeOver'>;
  /** cancels that order and applies the coupon here; answers with why it could not be done, to be tried again */
  readonly takeOver: () => Promise<Words | undefined>;
}

const empty: CouponProblem = { words: say(msg`Enter coupon code to continue`) };

/** A coupon is valued before it is taken, and let go when a new method, currency or the payment itself refuses it. */
export function useCoupon({ input, priceError }: Purchase, { chosen, choose }: Choices, pay: PayState): Coupon {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<CouponProblem>();
  const [busy, setBusy] = useState(false);
  useLetGo(refusedCoupon(priceError, pay), (found) => {
    setText(chosen.coupon ?? '');
    setProblem(found);
    choose({ coupon: undefined });
  });
  const apply = async () => {
    const parsed = v.safeParse(couponCodeSchema, text);
    if (!parsed.success) return setProblem(text ? problemOfRefusal({ code: 9001 }) : empty);
    const priced = { ...quoteQuery({ ...input, discountCode: parsed.output }), staleTime: 0 };
    setBusy(true);
    const refusal = await problemIn(() => client.fetchQuery(priced));
    setBusy(false);
    setProblem(refusal);
    if (refusal) return;
    choose({ coupon: parsed.output });
    setText('');
  };
  return {
    text,
    busy,
    error: problem?.words(i18n),
    applied: chosen.coupon,
    type: (typed) => {
      setText(typed.replaceAll(/\s/g, '').toUpperCase());
      setProblem(undefined);
    },
    apply: () => void (busy || apply()),
    remove: () => choose({ coupon: undefined }),
    otherOrder: problem ?? {},
    takeOver: () => takeOver(problem?.orderId, (orderId) => freeCoupon(orderId, text, client), { apply, setProblem }),
  };
}

interface AfterTaking {
  readonly apply: () => Promise<void>;
  readonly setProblem: (problem: CouponProblem) => void;
}

/** Frees the coupon and applies it; an order that keeps it is told at the field, a lost call where it was made. */
async function takeOver(
  orderId: string | undefined,
  free: (orderId: string) => Promise<void>,
  { apply, setProblem }: AfterTaking,
): Promise<Words | undefined> {
  if (orderId === undefined) return undefined;
  const kept = await problemIn(() => free(orderId));
  if (!kept) await apply();
  else if (kept.code === 1003) setProblem({ ...kept, orderId });
  else return kept.words;
  return undefined;
}

/** What an ask was refused for; a fault is no refusal. */
async function problemIn(ask: () => Promise<unknown>): Promise<CouponProblem | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return problemOfError(error);
  }
}

function useLetGo(refused: ReturnType<typeof refusedCoupon>, letGo: (problem: CouponProblem) => void): void {
  const latest = useRef(letGo);
  useEffect(() => {
    latest.current = letGo;
  });
  useEffect(() => {
    if (refused) latest.current(refused instanceof ApiError ? problemOfError(refused) : problemOfRefusal(refused));
  }, [refused]);
}

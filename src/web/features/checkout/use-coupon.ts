import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { couponCodeSchema } from '../../../contract/fields.ts';
import { ApiError } from '../../api/api-error.ts';
import { say, type Words } from '../../form/words.ts';
import { errorWords, wordsOf } from '../../i18n/error-words.ts';
import type { PayState } from './pay-machine.ts';
import { isCouponRefusal } from './pay-outcome.ts';
import type { Choices } from './use-choices.ts';
import { quoteQuery, type Purchase } from './use-purchase.ts';

export interface Coupon {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly error: string | undefined;
  readonly applied: string | undefined;
  readonly busy: boolean;
  readonly apply: () => void;
  readonly remove: () => void;
}

const empty = say(msg`Enter coupon code to continue`);
const words =
  (code: number): Words =>
  (i18n) =>
    errorWords(i18n, code);

/** A coupon is valued before it is taken, and let go when a new method, currency or the payment itself refuses it. */
export function useCoupon({ input, priceError }: Purchase, { chosen, choose }: Choices, pay: PayState): Coupon {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<Words>();
  const [busy, setBusy] = useState(false);
  useLetGo(refusedBy(priceError, pay), (code) => {
    setText(chosen.coupon ?? '');
    setProblem(() => words(code));
    choose({ coupon: undefined });
  });

  const apply = async () => {
    if (busy) return;
    const parsed = v.safeParse(couponCodeSchema, text);
    if (!parsed.success) return setProblem(() => (text ? words(9001) : empty));
    setBusy(true);
    const refusal = await valued(() =>
      client.fetchQuery({ ...quoteQuery({ ...input, discountCode: parsed.output }), staleTime: 0 }),
    );
    setBusy(false);
    setProblem(() => refusal);
    if (refusal) return;
    choose({ coupon: parsed.output });
    setText('');
  };
  return {
    text,
    busy,
    error: problem?.(i18n),
    applied: chosen.coupon,
    type: (typed) => {
      setText(typed.replaceAll(/\s/g, '').toUpperCase());
      setProblem(undefined);
    },
    apply: () => void apply(),
    remove: () => choose({ coupon: undefined }),
  };
}

async function valued(ask: () => Promise<unknown>): Promise<Words | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (i18n) => wordsOf(i18n, error);
  }
}

function useLetGo(refused: number | undefined, letGo: (code: number) => void): void {
  const latest = useRef(letGo);
  useEffect(() => {
    latest.current = letGo;
  });
  useEffect(() => {
    if (refused !== undefined) latest.current(refused);
  }, [refused]);
}

/** The code by which a price or a payment has just refused the coupon. */
function refusedBy(priceError: Error | null, pay: PayState): number | undefined {
  if (pay.phase === 'idle' && pay.notice?.kind === 'coupon') return pay.notice.code;
  const code = priceError instanceof ApiError ? priceError.code : undefined;
  return isCouponRefusal(code) ? code : undefined;
}

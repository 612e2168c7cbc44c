import { useLingui } from '@lingui/react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorNameOf } from '#contract/error-codes.ts';
import { normalizeCoupon } from '#contract/typed-coupon.ts';
import { queryCart, unbindDiscountCode } from '#contract/orders.ts';
import { couponProblem } from '#web/domain/payments/coupon-words.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { ApiError, isRefused } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { paymentInProgress } from '#web/platform/session/storage/purchase.ts';
import { withoutSpaces } from '#web/platform/form/use-form.ts';
import type { Words } from '#web/platform/form/words.ts';
import type { Refusal } from '../act/refusal-place.ts';
import type { Choices } from '../use-choices.ts';
import { quoteQuery, type Purchase } from '../price/use-purchase.ts';
import { problemOfError, problemOfRefusal, type DiscountCodeProblem } from './discount-code-problem.ts';

export interface DiscountCode {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly error: string | undefined;
  readonly applied: string | undefined;
  readonly busy: boolean;
  readonly apply: () => void;
  readonly remove: () => void;
  readonly use: (code: string) => void;
  /** the order of the customer's that the problem is about */
  readonly otherOrder: Pick<DiscountCodeProblem, 'orderId' | 'mayTakeOver'>;
  /** cancels that order and applies the code here; answers with why it could not be done, to be tried again */
  readonly openHandedCheckout: () => Promise<Words | undefined>;
}

type Refused = Refusal<unknown> | undefined;

/** A discount code is valued before it is taken, and let go when a new method, currency or the payment itself refuses it. */
export function useDiscountCode({ input }: Purchase, { chosen, choose }: Choices, refusal: Refused): DiscountCode {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<DiscountCodeProblem>();
  const [busy, setBusy] = useState(false);
  useLetGo(refusal, (found) => {
    setText(chosen.discountCode ?? '');
    setProblem(found);
    choose({ discountCode: undefined });
  });
  const apply = async (code = text) => {
    setText(code);
    const words = couponProblem(code);
    if (words) return setProblem({ words });
    const discountCode = normalizeCoupon(code);
    setBusy(true);
    const found = await problemIn(() => client.fetchQuery({ ...quoteQuery({ ...input, discountCode }), staleTime: 0 }));
    setBusy(false);
    setProblem(found);
    if (found) return;
    choose({ discountCode });
    setText('');
  };
  return {
    text,
    busy,
    error: busy ? undefined : problem?.words(i18n),
    applied: chosen.discountCode,
    type: (typed) => {
      setText(withoutSpaces(typed).toUpperCase());
      setProblem(undefined);
    },
    apply: () => void (busy || apply()),
    remove: () => choose({ discountCode: undefined }),
    use: (code) => void (busy || apply(code)),
    otherOrder: problem ?? {},
    openHandedCheckout: () => openHandedCheckout({ orderId: problem?.orderId, text, client, apply, setProblem }),
  };
}

interface TakingOver {
  readonly orderId: string | undefined;
  readonly text: string;
  readonly client: QueryClient;
  readonly apply: () => Promise<void>;
  readonly setProblem: (problem: DiscountCodeProblem) => void;
}

/** Frees the discount code and applies it; an order that keeps it is told at the field, a lost call where it was made. */
async function openHandedCheckout({
  orderId,
  text,
  client,
  apply,
  setProblem,
}: TakingOver): Promise<Words | undefined> {
  if (orderId === undefined) return undefined;
  const kept = await problemIn(() => freeDiscountCode(orderId, text, client));
  if (!kept) await apply();
  else if (errorNameOf(kept.code) === 'couponNotRemoved') setProblem({ ...kept, orderId });
  else return kept.words;
  return undefined;
}

/** What an ask was refused for; a fault is no refusal. */
async function problemIn(ask: () => Promise<unknown>): Promise<DiscountCodeProblem | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return problemOfError(error);
  }
}

/** What refuses the code that applies, once for as long as it stands. */
function useLetGo(refusal: Refused, letGo: (problem: DiscountCodeProblem) => void): void {
  const latest = useRef<() => void>(() => undefined);
  useEffect(() => {
    latest.current = () => {
      if (refusal) letGo(problemOfRefusal(refusal));
    };
  });
  const source = refusal?.source;
  useEffect(() => {
    if (source) latest.current();
  }, [source]);
}

/**
 * Takes a discount code from the order that holds it, which cancels that order. Asking twice changes nothing, so a lost answer
 * may be asked for again. Throws the `ApiError` of the call.
 */
async function freeDiscountCode(orderId: string, typed: string, client: QueryClient): Promise<void> {
  const discountCode = normalizeCoupon(typed);
  try {
    await call(unbindDiscountCode, { query: { orderId, discountCode } }, { quiet: true });
  } catch (error) {
    // there is no such order, so nothing holds the code
    if (!isRefused(error, 'orderNotFound')) throw error;
  }
  if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
  invalidatePersonalQueries(client);
  // it may be offered on this very page
  void refreshQueries(client, { queryKey: q(queryCart, { body: {} }).queryKey });
}

import { useLingui } from '@lingui/react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorNameOf } from '#contract/error-codes.ts';
import { normalizeCoupon } from '#contract/coupons.ts';
import { queryCart, unbindDiscountCode } from '#contract/orders.ts';
import { couponProblem, couponTermsMessage, couponWaitMessage } from '#web/domain/payments/coupon-messages.ts';
import { invalidatePersonalQueries } from '#web/domain/payments/invalidate-personal-queries.ts';
import { callErrorOf, type CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { paymentInProgress } from '#web/platform/session/storage/purchase.ts';
import { withoutSpaces } from '#web/platform/form/use-form.ts';
import { type LocalizedMessage, localizedMessage } from '#web/platform/form/localized-message.ts';
import { type Refusal, placeOfRefusal } from '../act/place-refusal.ts';
import type { Choices } from '../use-choices.ts';
import { quoteQuery, type Purchase } from '../price/use-purchase.ts';
import { useAction } from '#web/platform/form/use-api-mutation.ts';
import { msg } from '@lingui/core/macro';
import type { RefusalParams } from '#contract/envelope.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';

export interface CheckoutCoupon {
  readonly text: string;
  readonly type: (text: string) => void;
  readonly error: string | undefined;
  readonly applied: string | undefined;
  readonly isPending: boolean;
  readonly apply: () => void;
  readonly remove: () => void;
  readonly use: (code: string) => void;
  /** the customer's order that the problem concerns */
  readonly otherOrder: Pick<CouponProblem, 'orderId' | 'mayTakeOver'>;
  /** cancels that order and applies the coupon here; resolves to an error message if it failed and can be retried */
  readonly moveCouponHere: () => Promise<LocalizedMessage | undefined>;
}

type Refused = Refusal<unknown> | undefined;

/**
 * A coupon is validated before it is applied, and removed when a new method, currency or the payment itself refuses it.
 */
export function useCoupon({ input }: Purchase, { chosen, choose }: Choices, refusal: Refused): CheckoutCoupon {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<CouponProblem>();
  useRemovalOnRefusal(refusal, (found) => {
    setText(chosen.discountCode ?? '');
    setProblem(found);
    choose({ discountCode: undefined });
  });
  const apply = useApply({ text, input, choose, setText, setProblem });
  const { isPending } = apply;
  return {
    text,
    isPending,
    error: isPending ? undefined : problem?.words(i18n),
    applied: chosen.discountCode,
    type: (typed) => {
      setText(withoutSpaces(typed).toUpperCase());
      setProblem(undefined);
    },
    apply: () => apply.mutate(),
    remove: () => choose({ discountCode: undefined }),
    use: apply.mutate,
    otherOrder: problem ?? {},
    moveCouponHere: () =>
      moveCouponHere({ orderId: problem?.orderId, text, client, apply: () => apply.send(), setProblem }),
  };
}

interface Applying extends Pick<Purchase, 'input'>, Pick<Choices, 'choose'> {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly setProblem: (problem: CouponProblem | undefined) => void;
}

function useApply({ text, input, choose, setText, setProblem }: Applying) {
  const client = useQueryClient();
  return useAction(async (code: string = text) => {
    setText(code);
    const words = couponProblem(code);
    if (words) {
      setProblem({ words });
      return {};
    }
    const discountCode = normalizeCoupon(code);
    const found = await problemIn(() => client.fetchQuery({ ...quoteQuery({ ...input, discountCode }), staleTime: 0 }));
    setProblem(found);
    if (found) return {};
    choose({ discountCode });
    setText('');
    return {};
  });
}

interface TakingOver {
  readonly orderId: string | undefined;
  readonly text: string;
  readonly client: QueryClient;
  readonly apply: () => Promise<unknown>;
  readonly setProblem: (problem: CouponProblem) => void;
}

/** Frees the coupon and applies it. If an order keeps it, the field shows that; a lost call is shown in the dialog. */
async function moveCouponHere({
  orderId,
  text,
  client,
  apply,
  setProblem,
}: TakingOver): Promise<LocalizedMessage | undefined> {
  if (orderId === undefined) return undefined;
  const refused = await freeCoupon(orderId, text, client);
  const kept = refused && problemOfError(refused);
  if (!kept) await apply();
  else if (errorNameOf(kept.code) === 'couponNotRemoved') setProblem({ ...kept, orderId });
  else return kept.words;
  return undefined;
}

/** The problem that a call was refused for; other errors are rethrown. */
async function problemIn(ask: () => Promise<unknown>): Promise<CouponProblem | undefined> {
  try {
    await ask();
    return undefined;
  } catch (thrown) {
    const error = callErrorOf(thrown);
    if (!error) throw thrown;
    return problemOfError(error);
  }
}

/** Reports what refuses the applied code, once per refusal. */
function useRemovalOnRefusal(refusal: Refused, letGo: (problem: CouponProblem) => void): void {
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
 * Takes a coupon from another order, which cancels that order. The call is idempotent, so it may be repeated after a
 * lost response. Resolves to the error of the call.
 */
async function freeCoupon(orderId: string, typed: string, client: QueryClient): Promise<CallError | undefined> {
  const query = { orderId, discountCode: normalizeCoupon(typed) };
  const { error } = await attempt(unbindDiscountCode, { query }, { quiet: true });
  // there is no such order, so no order has the coupon
  if (error && !error.is('orderNotFound')) return error;
  if (paymentInProgress.get()?.orderId === orderId) paymentInProgress.clear();
  invalidatePersonalQueries(client);
  // it may be offered on this page
  void refreshQueries(client, { queryKey: q(queryCart, { body: {} }).queryKey });
  return undefined;
}

/** The error at the coupon field. */
interface CouponProblem {
  readonly words: LocalizedMessage;
  /** error code of the catalogue */
  readonly code?: number | undefined;
  /** another order of the customer that it concerns */
  readonly orderId?: string | undefined;
  /** that order has the coupon and can be cancelled for it */
  readonly mayTakeOver?: true;
}

interface RefusedCoupon {
  readonly code?: number | undefined;
  readonly orderId?: string | undefined;
  readonly onlyFor?: RefusalParams['onlyFor'];
}

const held = localizedMessage(msg`Another one of your orders uses this coupon`);
const stays = localizedMessage(msg`That order is being paid or has been paid, so it keeps the coupon.`);

/** `couponUnavailable` with an order concerns a coupon of the customer's own (contract, "valuationRefusals"). */
export function problemOfRefusal({ code, orderId, onlyFor }: RefusedCoupon): CouponProblem {
  const terms = couponTermsMessage(onlyFor);
  if (terms) return { words: terms, code };
  if (errorNameOf(code) === 'couponUnavailable' && orderId !== undefined)
    return { words: held, code, orderId, mayTakeOver: true };
  if (errorNameOf(code) === 'couponNotRemoved') return { words: stays, code, orderId };
  return { words: (i18n) => messageOfCode(i18n, code ?? 0), code };
}

export function problemOfError(error: CallError): CouponProblem {
  if (error.kind !== 'refused' || error.code === undefined) return { words: (i18n) => messageOfError(i18n, error) };
  const { code } = error;
  const { orderId, waitSeconds, onlyFor } = error.params;
  if (error.is('tooFrequent') && waitSeconds) return { words: couponWaitMessage(waitSeconds), code };
  if (placeOfRefusal({ code }).at === 'discountCode') return problemOfRefusal({ code, orderId, onlyFor });
  return { words: (i18n) => messageOfError(i18n, error), code };
}

import { useRef, useState } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { liQuiDoConfirm } from '#contract/payment-steps.ts';
import { typedToken } from '#contract/typed-text.ts';
import { type CallError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { usePreventReload } from '#web/platform/form/use-form.ts';
import type { StepProps } from './step-props.ts';
import { emptyFilling, fillCode } from '#web/domain/auth/codes/code-completion.ts';
import { useStepOptions } from './use-step-act.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useAction } from '#web/platform/form/use-action.ts';

export interface Otp {
  readonly code: string;
  readonly isPending: boolean;
  /** the error, until something else is typed */
  readonly error: CallError | undefined;
  /** the connection was lost: whether the code arrived is being read */
  readonly checking: boolean;
  readonly triesLeft: number;
  readonly type: (text: string) => void;
  readonly send: () => void;
}

/** The one-time code of mobile money: sent once when it is complete, and not cleared if the connection is lost. */
export function useOtp({ step, order, ask }: Pick<StepProps<NextStepOf<'otp'>>, 'step' | 'order' | 'ask'>): Otp {
  const confirm = useApiMutation(liQuiDoConfirm, useStepOptions(order.orderId, ask));
  const [code, setCode] = useState('');
  const [error, setError] = useState<CallError>();
  const filling = useRef(emptyFilling);
  const { digits } = step;
  usePreventReload(code !== '');
  const sending = useAction(async (otp: string) => {
    if (otp.length !== digits) return {};
    setError(undefined);
    setError((await confirm.send({ body: { orderId: order.orderId, otp } })).error);
    return {};
  });
  const { isPending } = sending;
  const type = (text: string) => {
    if (isPending) return;
    const typed = otpDigits(text, digits);
    if (typed !== code) setError(undefined);
    setCode(typed);
    const filled = fillCode(filling.current, typed, digits);
    filling.current = filled.now;
    if (filled.send) sending.mutate(typed);
  };
  const lost = error !== undefined && isOutcomeUnknown(error);
  return {
    code,
    isPending,
    error: lost ? undefined : error,
    checking: lost,
    triesLeft: error?.params.triesLeft ?? step.triesLeft,
    type,
    send: () => sending.mutate(code),
  };
}

/** The digits of a typed or pasted code, limited to its length. */
export const otpDigits = (text: string, digits: number): string =>
  typedToken(text).replaceAll(/\D/g, '').slice(0, digits);

/** Characters that a phone's dialler accepts: digits, `*`, `#` and a leading `+`. */
const dialled = /^\+?[\d*#]{2,24}$/;

/**
 * The URI that opens the dialler with a service code such as `#144*391#`, undefined for anything else. The `#` is
 * escaped, or it would start the fragment (RFC 3966).
 */
export function dialLink(code: string): string | undefined {
  return dialled.test(code) ? `tel:${code.replaceAll('#', '%23')}` : undefined;
}

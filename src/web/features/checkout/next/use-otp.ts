import { useRef, useState } from 'react';
import type { NextStepOf } from '../../../../contract/next-step.ts';
import { liQuiDoConfirm } from '../../../../contract/payment-steps.ts';
import { type ApiError, isOutcomeUnknown } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useKeepOpen } from '../../../form/use-keep-open.ts';
import { otpDigits, sendsItself } from './otp-typing.ts';
import type { StepProps } from './step-props.ts';
import { useStepAct } from './use-step-act.ts';

export interface Otp {
  readonly code: string;
  readonly busy: boolean;
  /** what was refused, until something else is typed */
  readonly error: ApiError | undefined;
  /** the wire was lost: whether the code arrived is being asked for */
  readonly checking: boolean;
  readonly triesLeft: number;
  readonly type: (text: string) => void;
  readonly send: () => void;
}

/** The code that mobile money asks for: sent once when it is whole, and kept where it is when the wire is lost. */
export function useOtp({ step, order, ask }: Pick<StepProps<NextStepOf<'otp'>>, 'step' | 'order' | 'ask'>): Otp {
  const act = useStepAct(order.orderId, ask);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const sent = useRef<string>(undefined);
  const running = useRef(false);
  const { digits } = step;
  useKeepOpen(code !== '');
  const send = async (otp: string) => {
    if (running.current || otp.length !== digits) return;
    running.current = true;
    sent.current = otp;
    setBusy(true);
    setError(undefined);
    setError(await act(() => call(liQuiDoConfirm, { body: { orderId: order.orderId, otp } }, { quiet: true })));
    running.current = false;
    setBusy(false);
  };
  const type = (text: string) => {
    if (running.current) return;
    const typed = otpDigits(text, digits);
    if (typed !== code) setError(undefined);
    setCode(typed);
    if (sendsItself(sent.current, typed, digits)) void send(typed);
  };
  const lost = error !== undefined && isOutcomeUnknown(error);
  return {
    code,
    busy,
    error: lost ? undefined : error,
    checking: lost,
    triesLeft: error?.params.triesLeft ?? step.triesLeft,
    type,
    send: () => void send(code),
  };
}

import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import fieldStyles from '#web/ui/field.module.css';
import { Problem } from '#web/ui/problem.tsx';
import { ExpiredStep } from './expired-step.tsx';
import { StepHead, CountdownLine } from './step-head.tsx';
import type { StepProps } from './stage.ts';
import styles from './step.module.css';
import { liQuiDoConfirm } from '#contract/payment-steps.ts';
import { normalizeToken } from '#contract/normalize-text.ts';
import { type CallError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { usePreventReload } from '#web/platform/form/use-form.ts';
import { emptyFilling, fillCode } from '#web/domain/auth/codes/code-completion.ts';
import { useStepOptions } from './use-step-options.ts';
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';

/** A one-time code that the mobile operator sends to the payer, who types it here. */
export function OtpStep(props: StepProps<NextStepOf<'otp'>>) {
  const { step, order, ask, onEnd } = props;
  const otp = useOtp(props);
  // the code was too late, whatever our clock says
  if (otp.error?.is('requestExpired')) {
    return <ExpiredStep of="otp" order={order} scansAgain={false} checking={false} onRenewed={ask} />;
  }
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <CountdownLine until={step.expiresAt} onEnd={onEnd}>
          <Trans>Code expires in</Trans>
        </CountdownLine>
      </StepHead>
      <CodeInstructions step={step} />
      <OtpForm otp={otp} digits={step.digits} />
    </>
  );
}

function CodeInstructions({ step: { sentTo, dial, digits } }: { step: NextStepOf<'otp'> }) {
  const link = dial === undefined ? undefined : dialLink(dial);
  return (
    <section className={styles.box}>
      {sentTo === null ? (
        <p>
          <Trans>Request a {digits}-digit code from your mobile operator and enter it here.</Trans>
        </p>
      ) : (
        <p>
          <Trans>
            We’ve sent a {digits}-digit code to{' '}
            <strong className="num" translate="no">
              {sentTo}
            </strong>
            . Enter it here.
          </Trans>
        </p>
      )}
      {dial === undefined ? null : (
        <p>
          <Trans>
            Dial{' '}
            <strong className="num" translate="no">
              {dial}
            </strong>{' '}
            to get it.
          </Trans>
        </p>
      )}
      {link === undefined ? null : (
        <a className={buttonClass({ variant: 'secondary' })} href={link}>
          <Trans>Dial {dial}</Trans>
        </a>
      )}
    </section>
  );
}

function OtpForm({ otp, digits }: { otp: Otp; digits: number }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    otp.send();
  };
  return (
    <form className={styles.actions} onSubmit={submit} noValidate>
      <OtpField otp={otp} digits={digits} />
      <OtpProblem otp={otp} />
      <Button type="submit" size="lg" wide busy={otp.isPending}>
        <Trans>Confirm</Trans>
      </Button>
    </form>
  );
}

const isAtField = ({ error }: Otp) => error?.is('wrongPaymentCode', 'codeNotFound');

function OtpField({ otp, digits }: { otp: Otp; digits: number }) {
  const { i18n, t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const { error, triesLeft } = otp;
  useEffect(() => {
    // The next input replaces the refused code.
    if (error && document.activeElement === input.current) input.current?.select();
  }, [error]);
  const tries = t`${plural(triesLeft, { one: '# try left.', other: '# tries left.' })}`;
  return (
    <Field
      ref={input}
      name="otp"
      label={t`Code`}
      className={fieldStyles.codeInput}
      value={otp.code}
      error={error && isAtField(otp) ? [messageOfError(i18n, error), <br key="line" />, tries] : undefined}
      hint={tries}
      type="text"
      inputMode="numeric"
      pattern={`[0-9]{${digits}}`}
      autoComplete="one-time-code"
      enterKeyHint="done"
      onChange={(event) => otp.type(event.target.value)}
    />
  );
}

/** What prevents the payment, if another code would not help. */
function OtpProblem({ otp }: { otp: Otp }) {
  const { i18n, t } = useLingui();
  if (otp.checking) {
    return (
      <Alert tone="warning" live="assertive" title={t`We’re checking whether your code arrived.`}>
        <Trans>The connection was lost. If this page doesn’t change, send the same code again.</Trans>
      </Alert>
    );
  }
  return <Problem>{otp.error && !isAtField(otp) ? messageOfError(i18n, otp.error) : null}</Problem>;
}

interface Otp {
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
function useOtp({ step, order, ask }: Pick<StepProps<NextStepOf<'otp'>>, 'step' | 'order' | 'ask'>): Otp {
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
  normalizeToken(text).replaceAll(/\D/g, '').slice(0, digits);

/** Characters that a phone's dialler accepts: digits, `*`, `#` and a leading `+`. */
const dialled = /^\+?[\d*#]{2,24}$/;

/**
 * The URI that opens the dialler with a service code such as `#144*391#`, undefined for anything else. The `#` is
 * escaped, or it would start the fragment (RFC 3966).
 */
export function dialLink(code: string): string | undefined {
  return dialled.test(code) ? `tel:${code.replaceAll('#', '%23')}` : undefined;
}

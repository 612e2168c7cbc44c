import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { errorEntry, errorNameOf } from '#contract/error-codes.ts';
import { useCancelDeletion } from '#web/domain/account/use-cancel-deletion.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Problem } from '#web/ui/problem.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { messageOfCode } from '#web/platform/api/error-message.ts';
import { isChargeUnknown, UnknownCharge } from '#web/domain/payments/unknown-charge.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Ring } from '#web/ui/spinner.tsx';
import styles from '../checkout.module.css';
import type { PayNotice as Notice, PayState } from './pay-machine.ts';
import type { Refusal } from './place-refusal.ts';

interface PayNoticeProps {
  state: PayState;
  refusal: Refusal<Notice> | undefined;
  /** leads to the methods; undefined if they are on the screen already */
  onOtherMethod?: (() => void) | undefined;
  onStop: () => void;
}

/** The message before the next tap. It scrolls into view. */
export function PayNotice({ state, refusal, onOtherMethod, onStop }: PayNoticeProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isSlow = useIsSlow(state);
  const notice = refusal?.place.at === 'notice' ? refusal.source : undefined;
  const isPhaseShown = isSlow || state.phase === 'checking' || state.phase === 'priceChanged';
  const shown = isPhaseShown ? state : notice;
  useEffect(() => {
    if (shown) ref.current?.scrollIntoView({ block: 'center' });
  }, [shown]);
  return (
    <div ref={ref} className={styles.notice}>
      {isSlow ? <StillWaiting sent={state.phase === 'sending'} onStop={onStop} /> : null}
      {state.phase === 'checking' ? <Checking /> : null}
      {state.phase === 'priceChanged' ? <PriceChanged {...state} /> : null}
      {notice ? <RefusalMessage notice={notice} onOtherMethod={onOtherMethod} /> : null}
    </div>
  );
}

function Checking() {
  return (
    <Alert tone="warning" live="assertive" title={<Trans>We are checking your payment. Do not pay again.</Trans>}>
      <Trans>The connection was lost. We’ll show the result here as soon as we know.</Trans>
      <Ring />
    </Alert>
  );
}

function PriceChanged({ was, total, ofRenewal }: Omit<Extract<PayState, { phase: 'priceChanged' }>, 'phase'>) {
  const language = useLanguage();
  return (
    <Alert
      tone="warning"
      live="assertive"
      title={ofRenewal ? <Trans>The renewal price has changed</Trans> : <Trans>The price has changed</Trans>}
    >
      <Trans>
        It was <MoneyText money={was} language={language} />; now it’s{' '}
        <strong>
          <MoneyText money={total} language={language} />
        </strong>
        . Nothing was charged. To accept, pay again.
      </Trans>
    </Alert>
  );
}

function RefusalMessage({ notice, onOtherMethod }: { notice: Notice; onOtherMethod?: (() => void) | undefined }) {
  const { i18n } = useLingui();
  switch (notice.kind) {
    case 'declined':
      return (
        <Alert tone="danger" live="assertive" action={alternativeFor(notice.code, onOtherMethod)}>
          {isChargeUnknown(notice.code) ? <UnknownCharge /> : messageOfCode(i18n, notice.code)}
        </Alert>
      );
    case 'refused':
      return (
        <Alert tone="danger" live="assertive" action={alternativeFor(notice.code, onOtherMethod)}>
          {refusalMessage(i18n, notice)}
        </Alert>
      );
    case 'notSent':
      return (
        <Alert tone="warning" live="assertive">
          <Trans>We couldn’t reach the shop, so nothing was sent. Please try again.</Trans>
        </Alert>
      );
    case 'notPaid':
      return (
        <Alert tone="info" live="assertive">
          <Trans>We checked: this payment didn’t go through. You can pay again.</Trans>
        </Alert>
      );
  }
}

function refusalMessage(i18n: I18n, { code, field, waitSeconds }: Extract<Notice, { kind: 'refused' }>): ReactNode {
  if (errorNameOf(code) === 'tooFrequent' && waitSeconds !== undefined) return waitMessage(i18n, waitSeconds);
  if (field === 'installments') {
    return <Trans>You can no longer pay in this many installments. Nothing was charged. Please choose again.</Trans>;
  }
  if (code === undefined) return <Trans>The payment was not accepted. Nothing was charged.</Trans>;
  return messageOfCode(i18n, code);
}

/** Too many attempts, declines or open orders. */
function waitMessage(i18n: I18n, waitSeconds: number): string {
  const minutes = Math.ceil(waitSeconds / 60);
  if (minutes > 90) {
    return i18n._(
      msg`Too many payment attempts. Nothing was charged. ${plural(Math.ceil(minutes / 60), { one: 'Try again in # hour.', other: 'Try again in # hours.' })}`,
    );
  }
  return i18n._(
    msg`Too many payment attempts. Nothing was charged. ${plural(minutes, { one: 'Try again in # minute.', other: 'Try again in # minutes.' })}`,
  );
}

/** An alternative if a repetition does not help. */
function alternativeFor(code: number | undefined, onOtherMethod: (() => void) | undefined): ReactNode {
  const helps = errorEntry(errorNameOf(code))?.helps;
  if (helps === 'anotherMethod' && onOtherMethod) {
    return (
      <Button variant="secondary" onClick={onOtherMethod}>
        <Trans>Choose another method</Trans>
      </Button>
    );
  }
  if (helps === 'keepingTheAccount') return <KeepAccount />;
  if (helps !== 'anotherPlan') return undefined;
  return (
    <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
      <Trans>See plans</Trans>
    </Link>
  );
}

/** A customer who requested the deletion of the account wants to buy. */
function KeepAccount() {
  const [kept, setKept] = useState(false);
  const buysOnly = useSession()?.buysOnly === true;
  const { mutate, isPending, problem } = useCancelDeletion(() => setKept(true));
  // the account's owner decides that on their own device
  if (buysOnly) return undefined;
  if (kept) {
    return (
      <p role="status">
        <Trans>We’ll keep your account. You can pay now.</Trans>
      </p>
    );
  }
  return (
    <>
      <Problem>{problem}</Problem>
      <Button variant="secondary" busy={isPending} onClick={mutate}>
        <Trans>Keep my account</Trans>
      </Button>
    </>
  );
}

/** After how long a waiting customer is informed, in milliseconds. */
const stillTryingMs = 5000;

/** Whether this tap has been in progress for so long that the customer should be informed. */
function useIsSlow({ phase }: PayState): boolean {
  const waiting = phase === 'revaluing' || phase === 'sending';
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(setSlow, stillTryingMs, true);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [waiting]);
  return waiting && slow;
}

/**
 * Stops waiting. Before the payment is sent, nothing has happened. Afterwards it may have, so only the waiting ends,
 * and the server is asked for the outcome.
 */
function StillWaiting({ sent, onStop }: { sent: boolean; onStop: () => void }) {
  if (sent) {
    return (
      <Alert
        tone="warning"
        live="assertive"
        title={<Trans>Still trying. The shop hasn’t answered yet.</Trans>}
        action={
          <Button variant="secondary" onClick={onStop}>
            <Trans>Stop waiting</Trans>
          </Button>
        }
      >
        <Trans>
          Your payment was sent and may have arrived, so don’t pay again. If you stop waiting, we’ll check it.
        </Trans>
      </Alert>
    );
  }
  return (
    <Alert
      tone="info"
      live="polite"
      title={<Trans>Still trying. The connection is slow.</Trans>}
      action={
        <Button variant="secondary" onClick={onStop}>
          <Trans>Stop</Trans>
        </Button>
      }
    >
      <Trans>Nothing has been sent yet.</Trans>
    </Alert>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';
import type { HandoverPurchase } from '#contract/handover.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { RedirectTo } from '#web/domain/payments/redirect-to.tsx';
import { resultPath } from '#web/domain/payments/resume-path.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { ScanPanel } from '#web/ui/scan-panel.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { type HandoverStage, useHandover, type Handover } from './use-handover.ts';
import styles from './phone-handover.module.css';

export interface PhoneHandoverProps {
  makePurchase: () => HandoverPurchase;
  /** the customer prefers to stay at the TV */
  onBack: () => void;
}

/** Hands the checkout to a phone and follows it to its result ([Note: Hand-over]). */
export function PhoneHandover({ makePurchase, onBack }: PhoneHandoverProps) {
  const handover = useHandover(makePurchase);
  const { stage, lost } = handover;
  if (stage.kind === 'ended') return <RedirectTo path={resultPath(stage.orderId)} />;
  const isScanned = stage.kind === 'opened' || stage.kind === 'paying' || stage.kind === 'failed';
  return (
    <div className={styles.page}>
      {isScanned ? (
        <PhoneProgress stage={stage} lost={lost} onBack={onBack} />
      ) : (
        <Scan handover={handover} onBack={onBack} />
      )}
    </div>
  );
}

function Scan({ handover, onBack }: { handover: Handover; onBack: () => void }) {
  const { t, i18n } = useLingui();
  const { stage, link, userCode, lost, error, again } = handover;
  const isRefused = stage.kind === 'refused';
  return (
    <ScanPanel text={isRefused ? undefined : link} label={t`Scan to pay on your phone`}>
      <h1 className={styles.title}>
        <Trans>Pay on your phone</Trans>
      </h1>
      <ol className={styles.steps}>
        <li>
          <Trans>Point your phone’s camera at the code.</Trans>
        </li>
        <li>
          <Trans>Check that it shows the same code and confirm.</Trans>
        </li>
        <li>
          <Trans>Pay there any way you like. This TV will show when it’s paid.</Trans>
        </li>
      </ol>
      {link !== undefined && !isRefused ? <TypedCode link={link} userCode={userCode} /> : null}
      <HandoverProblem>
        {lost ? <Trans>You’re offline. This continues as soon as you’re back online.</Trans> : null}
        {isRefused ? <Trans>The login was declined on the phone.</Trans> : null}
        {error ? <span>{messageOfError(i18n, error)}</span> : null}
      </HandoverProblem>
      {isRefused ? (
        <Button onClick={again}>
          <Trans>Show a new code</Trans>
        </Button>
      ) : null}
      <StayButton onBack={onBack} />
    </ScanPanel>
  );
}

function TypedCode({ link, userCode }: { link: string; userCode: string | undefined }) {
  const { host } = new URL(link);
  return (
    <p className={styles.typed}>
      <Trans>
        Or go to {host}/device and enter{' '}
        <strong className={`num ${styles.letters}`} translate="no">
          {userCode}
        </strong>
      </Trans>
    </p>
  );
}

function PhoneProgress({ stage, lost, onBack }: { stage: HandoverStage; lost: boolean; onBack: () => void }) {
  const hasFailed = stage.kind === 'failed';
  return (
    <StatePage
      art={<StateArt kind={hasFailed ? 'failed' : 'pending'} />}
      title={<StageTitle stage={stage} />}
      action={<StayButton onBack={onBack} />}
    >
      <p role="status">
        {hasFailed ? (
          <Trans>Try again on your phone or pay here. This TV will show when it’s paid.</Trans>
        ) : (
          <Trans>Continue there. This TV will show automatically when it’s paid.</Trans>
        )}
      </p>
      <HandoverProblem>
        {lost ? <Trans>You’re offline. This continues as soon as you’re back online.</Trans> : null}
      </HandoverProblem>
    </StatePage>
  );
}

function StageTitle({ stage }: { stage: HandoverStage }) {
  switch (stage.kind) {
    case 'paying':
      return <Trans>You’re paying on your phone</Trans>;
    case 'failed':
      return <Trans>The payment on your phone didn’t work</Trans>;
    default:
      return <Trans>The payment is now on your phone</Trans>;
  }
}

function HandoverProblem({ children }: { children: ReactNode }) {
  return (
    <p className={styles.hindrance} role="status">
      {children}
    </p>
  );
}

/** The only control on this screen, so it has the focus: OK and the arrow keys start from it. */
function StayButton({ onBack }: { onBack: () => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Button ref={ref} variant="secondary" onClick={onBack}>
      <Trans>Stay on the TV</Trans>
    </Button>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { serverNow } from '#web/platform/session/server-clock.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { accountText } from '#contract/mask.ts';
import { formatTvDeviceName } from '#web/domain/account/names.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import TvArt from '#web/ui/art/tv.svg?react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { PageTitle } from '#web/ui/state-page.tsx';
import styles from './device.module.css';
import type { QueriedDevice } from './device-calls.ts';

interface DeviceCardProps {
  code: string;
  box: QueriedDevice;
  compare: boolean;
  busy: boolean;
  problem: LocalizedMessage | undefined;
  onApprove: () => void;
  onReject: () => void;
  onExpired: () => void;
}

/**
 * Confirms the TV (RFC 8628, 5.4): a typed code was read from the TV; a code in a link must be compared with the TV's
 * screen (3.3.1), because an attacker may have sent it.
 */
export function DeviceCard({ code, box, compare, busy, problem, onApprove, onReject, onExpired }: DeviceCardProps) {
  const { i18n } = useLingui();
  return (
    <section className={styles.page}>
      <div className={styles.art}>
        <TvArt />
      </div>
      <PageTitle className={styles.title}>
        {compare ? <Trans>Does your TV show this code?</Trans> : <Trans>Is this TV in front of you?</Trans>}
      </PageTitle>
      <Card>
        <ShownCode code={code} />
        <BoxFacts box={box} onExpired={onExpired} />
      </Card>
      <Consequence box={box} />
      {compare ? (
        <Alert tone="warning">
          <Trans>Did someone send you this link or code? Then choose “No”: it’s not your TV.</Trans>
        </Alert>
      ) : null}
      {problem ? (
        <Alert tone="danger" live="assertive">
          {problem(i18n)}
        </Alert>
      ) : null}
      <div className={styles.choices}>
        <Button size="lg" wide busy={busy} onClick={onApprove}>
          {compare ? <Trans>Yes, same code</Trans> : <Trans>Yes, this is my TV</Trans>}
        </Button>
        <Button variant="secondary" size="lg" wide disabled={busy} onClick={onReject}>
          <Trans>No</Trans>
        </Button>
      </div>
    </section>
  );
}

function ShownCode({ code }: { code: string }) {
  return (
    <p className={styles.shown}>
      <span className="sr-only">
        <Trans>Code</Trans>
        <span> </span>
      </span>
      <span className="num" translate="no">
        {code}
      </span>
    </p>
  );
}

function BoxFacts({ box, onExpired }: Pick<DeviceCardProps, 'box' | 'onExpired'>) {
  const { i18n } = useLingui();
  return (
    <dl className={styles.facts} data-facts>
      <Fact label={<Trans>Device</Trans>}>{formatTvDeviceName(i18n, { maker: box.device, model: box.model })}</Fact>
      {box.account === null ? null : <Fact label={<Trans>Account</Trans>}>{accountText(box.account)}</Fact>}
      <Fact label={<Trans>Valid for</Trans>}>
        <Countdown until={box.expiresAt} now={serverNow} onEnd={onExpired} />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Explains which device gets access to which account before anything happens. */
function Consequence({ box }: { box: QueriedDevice }) {
  const session = useSession();
  const { isOwn, plan } = box;
  const account = box.account === null ? null : accountText(box.account);
  if (plan !== undefined && !(session && !isOwn))
    return (
      <p className={styles.soft}>
        <Trans>
          Next, you’ll pay for {plan} here, and {account}, the account on the TV, gets it.
        </Trans>
      </p>
    );
  if (account === null && session)
    return (
      <p className={styles.soft}>
        <Trans>The TV will be logged in as {accountText(session.account)}.</Trans>
      </p>
    );
  if (account === null)
    return (
      <p className={styles.soft}>
        <Trans>Next, log in here, and the TV will be logged in to your account.</Trans>
      </p>
    );
  if (session && !isOwn)
    return (
      <Alert tone="warning">
        <Trans>
          You’re logged in here as {accountText(session.account)}. If you confirm, this device switches to {account},
          the account on the TV.
        </Trans>
      </Alert>
    );
  return (
    <p className={styles.soft}>
      <Trans>This device will be logged in as {account}, the account on the TV.</Trans>
    </p>
  );
}

import { Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { AccountInfo } from '#contract/account.ts';
import { periodsAt, type Period } from '#contract/periods.ts';
import {
  accessOf,
  DaysLeft,
  AccessEndText,
  ConfirmedAccess,
  type RetryableRead,
} from '#web/domain/payments/access-text.tsx';
import { DeviceCount, PeriodName, DateRange, DateText } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './stb-orders.module.css';
import { dot } from '#web/ui/money-text.tsx';
import { useEffect } from 'react';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import TvArt from '#web/ui/art/tv.svg?react';
import { useRenewal } from '#web/domain/payments/use-renewal.ts';

interface StbPlanProps {
  info: AccountInfo;
  read: RetryableRead;
  /** choosing a plan is the next step, because no payment is open */
  showsActions: boolean;
}

/** The remaining time of the plan, and a link to buy more. */
export function StbPlan({ info, read, showsActions }: StbPlanProps) {
  const { planName } = info;
  const now = serverNow();
  const { running, following } = periodsAt(info.periods, now);
  const access = accessOf(info, now);
  const { data: renewal } = useRenewal({ enabled: info.planId !== null });
  return (
    <>
      <h2 className={styles.heading} id="stb-plan">
        <Trans>Your access</Trans>
      </h2>
      <ConfirmedAccess access={access} read={read} asking={<Skeleton lines={3} height={32} />}>
        <p className={styles.days}>
          <DaysLeft access={access} />
        </p>
        {planName !== null && access.state !== 'none' && following.length === 0 ? <p>{planName}</p> : null}
        {following.length > 0 && running ? (
          <ConsecutivePlans running={running} following={following} />
        ) : (
          <p className={styles.soft}>
            <AccessEndText access={access} renewal={renewal} />
          </p>
        )}
      </ConfirmedAccess>
      <Link
        to="/pricing-table"
        className={buttonClass({ variant: showsActions ? 'primary' : 'secondary', size: 'lg', wide: true })}
      >
        <Trans>Choose a plan</Trans>
      </Link>
    </>
  );
}

/** Consecutive plans: until when the current one runs, and the dates of the others. */
function ConsecutivePlans({ running, following }: { running: Period; following: readonly Period[] }) {
  return (
    <ul className={styles.turns}>
      <li>
        <NameAndDevices period={running} />
        <span className={styles.soft}>
          <Trans>
            now, until <DateText at={running.until} short />
          </Trans>
        </span>
      </li>
      {following.map((period) => (
        <li key={period.until}>
          <NameAndDevices period={period} />
          <span className={styles.soft}>
            <DateRange from={period.from ?? running.until} until={period.until} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function NameAndDevices({ period }: { period: Period }) {
  return (
    <span>
      <PeriodName period={period} />
      <span>{dot}</span>
      <DeviceCount count={period.devices} />
    </span>
  );
}

async function loadPhoneSignIn() {
  const [{ PhoneSignInPanel }] = await Promise.all([
    import('#web/domain/auth/sign-on/phone-sign-in.tsx'),
    loadMessages('private'),
  ]);
  return PhoneSignInPanel;
}

/** Orders need a login: on a TV a phone logs in; on a phone the customer uses the TV's code or types. */
export function StbSignIn() {
  const [PhoneSignIn, want] = useLazyModule(loadPhoneSignIn);
  useEffect(() => {
    if (document.documentElement.dataset.screen) void want();
  }, [want]);
  if (!PhoneSignIn) return <DeviceCodeHint />;
  const title = (
    <h1 className={styles.title}>
      <Trans>Log in to see your orders</Trans>
    </h1>
  );
  return (
    <PhoneSignIn title={title}>
      <Link
        to="/login"
        search={{ return: '/stb-orders' }}
        className={buttonClass({ variant: 'secondary', size: 'lg' })}
      >
        <Trans>Log in</Trans>
      </Link>
    </PhoneSignIn>
  );
}

function DeviceCodeHint() {
  return (
    <section className={styles.signIn}>
      <div className={styles.art}>
        <TvArt />
      </div>
      <div className={styles.ways}>
        <h1 className={styles.title}>
          <Trans>Log in to see your orders</Trans>
        </h1>
        <p className={styles.soft}>
          <Trans>
            Scan the QR code the app shows on your TV to open your orders on your phone. Or enter the code here.
          </Trans>
        </p>
        <Link to="/device" search={{ return: '/stb-orders' }} className={buttonClass({ size: 'lg', wide: true })}>
          <Trans>Enter the TV code</Trans>
        </Link>
        <Link
          to="/login"
          search={{ return: '/stb-orders' }}
          className={buttonClass({ variant: 'secondary', size: 'lg', wide: true })}
        >
          <Trans>Log in</Trans>
        </Link>
      </div>
    </section>
  );
}

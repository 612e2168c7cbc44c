import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { daysRemaining, remaining, type AccountInfo } from '../../../contract/account.ts';
import { listPlans } from '../../../contract/site.ts';
import { q } from '../../api/query.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useLanguage } from '../../i18n/active.ts';
import { buttonClass } from '../../ui/button.tsx';
import styles from './account.module.css';
import { RemainingRing } from './remaining-ring.tsx';

/** Until when the access runs: as days left, with a ring, and as a date. */
export function RemainingTime({ info }: { info: AccountInfo }) {
  const now = serverNow();
  const { expiredTime } = info;
  const state = remaining(expiredTime, now);
  const days = daysRemaining(expiredTime, now);
  const length = usePlanDays(info.planId);
  const runs = state === 'days' || state === 'lessThanADay';
  return (
    <div className={styles.remaining}>
      <h2 className={styles.heading} id="remaining-time">
        <Trans>Your access</Trans>
      </h2>
      <div className={styles.ringRow}>
        {runs ? <RemainingRing share={Math.min(1, days / (length ?? Math.max(days, 30)))} /> : null}
        <div className={styles.remainingWords}>
          <p className={styles.days}>{daysText(state, days)}</p>
          <Until state={state} expiredTime={expiredTime} />
          {info.planName !== null && runs ? <p className={styles.soft}>{info.planName}</p> : null}
        </div>
      </div>
      <Link to="/pricing-table" className={buttonClass({ variant: runs ? 'secondary' : 'primary', wide: true })}>
        {runs ? <Trans>Add more days</Trans> : <Trans>See the plans</Trans>}
      </Link>
    </div>
  );
}

type State = ReturnType<typeof remaining>;

function daysText(state: State, days: number): ReactNode {
  switch (state) {
    case 'none':
      return <Trans>You have no plan yet</Trans>;
    case 'expired':
      return <Trans>Your access has ended</Trans>;
    case 'lessThanADay':
      return <Trans>Less than a day left</Trans>;
    case 'days':
      return <Plural value={days} one="# day left" other="# days left" />;
  }
}

function Until({ state, expiredTime }: { state: State; expiredTime: number | null }) {
  const { i18n } = useLingui();
  if (expiredTime === null) return null;
  const date = i18n.date(new Date(expiredTime), { dateStyle: 'long' });
  return (
    <p className={styles.soft}>
      {state === 'expired' ? <Trans>It ended on {date}</Trans> : <Trans>Expires on {date}</Trans>}
    </p>
  );
}

/** How long the plan is that runs; undefined when the brand no longer sells it or it could not be asked. */
function usePlanDays(planId: string | null): number | undefined {
  const language = useLanguage();
  const { data } = useQuery({ ...q(listPlans, { query: { language } }, { quiet: true }), enabled: planId !== null });
  return data?.plans.find((plan) => plan.id === planId)?.days;
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { daysRemaining, remaining, type AccountInfo } from '../../../contract/account.ts';
import { serverNow } from '../../api/server-clock.ts';
import { buttonClass } from '../../ui/button.tsx';
import styles from './stb-orders.module.css';

interface StbPlanProps {
  info: AccountInfo;
  /** choosing a plan is the next step, because no payment waits */
  asks: boolean;
}

/** What is left of the plan, and the way to more. */
export function StbPlan({ info, asks }: StbPlanProps) {
  const { expiredTime, planName } = info;
  const now = serverNow();
  const state = remaining(expiredTime, now);
  return (
    <>
      <h2 className={styles.heading} id="stb-plan">
        <Trans>Your access</Trans>
      </h2>
      <p className={styles.days}>{daysText(state, daysRemaining(expiredTime, now))}</p>
      {planName !== null && state !== 'none' ? <p>{planName}</p> : null}
      {expiredTime === null ? null : <Until ended={state === 'expired'} at={expiredTime} />}
      <Link
        to="/pricing-table"
        className={buttonClass({ variant: asks ? 'primary' : 'secondary', size: 'lg', wide: true })}
      >
        <Trans>Choose a plan</Trans>
      </Link>
    </>
  );
}

function daysText(state: ReturnType<typeof remaining>, days: number): ReactNode {
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

function Until({ ended, at }: { ended: boolean; at: number }) {
  const { i18n } = useLingui();
  const date = i18n.date(new Date(at), { dateStyle: 'long' });
  return <p className={styles.soft}>{ended ? <Trans>It ended on {date}</Trans> : <Trans>Expires on {date}</Trans>}</p>;
}

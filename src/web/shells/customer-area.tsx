import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UnderTitle } from '#web/ui/state-page.tsx';
import styles from './customer-area.module.css';
import type { Elements } from '#web/ui/elements.ts';

interface CustomerAreaProps {
  title: ReactNode;
  /** what can be done whatever the page is about to show: beside the title, where nothing that comes later moves it */
  action?: Elements;
  /** of a page below one of the places: which one */
  below?: '/account' | '/settings';
  /** what the page is for, in a sentence or two */
  intro?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of every page of the account: its title, and the three places as links with the one that
 * is open, or that the page is below, which is then the way back.
 */
export function CustomerArea({ title, action, below, intro, children }: CustomerAreaProps) {
  const { t } = useLingui();
  const place = (to: '/orders' | '/account' | '/settings') => ({
    to,
    className: styles.tab,
    // where somebody with a remote control finds themselves
    activeProps: { 'data-first': '' },
    'data-first': below === to ? '' : undefined,
    'aria-current': below === to ? ('true' as const) : undefined,
  });
  return (
    <div className={styles.area}>
      <div className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {action}
      </div>
      <nav className={styles.tabs} aria-label={t`Your orders and account`}>
        <Link {...place('/orders')}>
          <Trans>Orders</Trans>
        </Link>
        <Link {...place('/account')}>
          <Trans>Account</Trans>
        </Link>
        <Link {...place('/settings')}>
          <Trans>Settings</Trans>
        </Link>
      </nav>
      {intro === undefined ? null : <p className={styles.intro}>{intro}</p>}
      <UnderTitle value>{children}</UnderTitle>
    </div>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UnderTitle } from '../ui/state-page.tsx';
import styles from './customer-area.module.css';

interface CustomerAreaProps {
  title: ReactNode;
  children: ReactNode;
}

/** The screen that orders and account share (spec 2): the two places as links, and the one that is open. */
export function CustomerArea({ title, children }: CustomerAreaProps) {
  const { t } = useLingui();
  return (
    <div className={styles.area}>
      <h1 className={styles.title}>{title}</h1>
      <nav className={styles.tabs} aria-label={t`Your orders and account`}>
        <Link to="/orders" className={styles.tab}>
          <Trans>Orders</Trans>
        </Link>
        <Link to="/account" className={styles.tab}>
          <Trans>Account</Trans>
        </Link>
      </nav>
      <UnderTitle value>{children}</UnderTitle>
    </div>
  );
}

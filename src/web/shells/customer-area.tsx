import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { UnderTitle } from '#web/ui/state-page.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import styles from './customer-area.module.css';
import type { Elements } from '#web/ui/elements.ts';

interface CustomerAreaProps {
  title: ReactNode;
  /** beside the title, where later content does not move it */
  action?: Elements;
  /** for a subpage: the tab that it belongs to */
  below?: '/account' | '/settings';
  /** the purpose of the page, in a sentence or two */
  intro?: ReactNode;
  /** replaces the content in the server's HTML, which does not know the customer */
  meanwhile?: Elements;
  children: ReactNode;
}

/**
 * The frame of every account page: its title, and three tabs with the current one, or the parent of a subpage, which is
 * its back link.
 */
export function CustomerArea({ title, action, below, intro, meanwhile, children }: CustomerAreaProps) {
  const { t } = useLingui();
  const hydrated = useHydrated();
  const tabProps = (to: '/orders' | '/account' | '/settings') => ({
    to,
    className: styles.tab,
    // start position of a remote control
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
        <Link {...tabProps('/orders')}>
          <Trans>Orders</Trans>
        </Link>
        <Link {...tabProps('/account')}>
          <Trans>Account</Trans>
        </Link>
        <Link {...tabProps('/settings')}>
          <Trans>Settings</Trans>
        </Link>
      </nav>
      {intro === undefined ? null : <p className={styles.intro}>{intro}</p>}
      <UnderTitle value>{hydrated ? children : (meanwhile ?? <AreaSkeleton />)}</UnderTitle>
    </div>
  );
}

function AreaSkeleton() {
  return (
    <Card aria-busy>
      <Skeleton lines={5} height={28} />
    </Card>
  );
}

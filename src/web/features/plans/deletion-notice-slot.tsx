import { useEffect, useState } from 'react';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { getSession } from '#web/platform/session/session.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import styles from './deletion-notice-slot.module.css';

const LeavingNotice = lazyPart(
  async () => (await withMessages('private', import('#web/domain/payments/deletion-notice.tsx'))).DeletionNotice,
);

/**
 * The notice that the account is to be deleted, above the plans. An attribute set by the first inline script reserves
 * its space before the first paint; a later change is shown on the next page.
 */
export function DeletionNoticeSlot() {
  return useHydrated() ? <DueNotice /> : <div className={styles.slot} />;
}

function DueNotice() {
  const [at] = useState(() => getSession()?.leavesAt);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (at === undefined && dataset['customer'] === 'leaves') dataset['customer'] = '';
  }, [at]);
  return (
    <div className={styles.slot} data-due={at === undefined ? undefined : ''}>
      {at === undefined ? null : <LeavingNotice at={at} />}
    </div>
  );
}

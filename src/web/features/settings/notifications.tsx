import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, type ReactNode } from 'react';
import { campaignSubscription } from '#contract/settings.ts';
import { accountErrorMessage } from '#web/domain/auth/account-rules.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SavedLabel } from './setting-row.tsx';
import { useSettingsSaved, type Settings } from './settings-query.ts';
import styles from './settings.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** Which emails the shop sends, which of them can be stopped, and why the others cannot. */
export function Notifications({ settings }: { settings: Settings }) {
  const { subscribeEmail } = useBrand().siteConfig;
  return (
    <>
      {subscribeEmail && settings.email ? <Offers out={settings.unsubscribeEmail} /> : null}
      <FixedNotification label={<Trans>Receipts</Trans>}>
        <Trans>Always on: your receipt is your proof of payment.</Trans>
      </FixedNotification>
      <FixedNotification label={<Trans>Renewals</Trans>}>
        <Trans>Always on: we always tell you before we charge your card.</Trans>
      </FixedNotification>
      <FixedNotification label={<Trans>Notifications on your devices</Trans>}>
        <Link to="/account" hash="messages">
          <Trans>Choose which devices get notifications</Trans>
        </Link>
      </FixedNotification>
    </>
  );
}

function FixedNotification({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <b>{label}</b>
        <span>{children}</span>
      </div>
    </div>
  );
}

/** The checkbox changes at once, and reverts if the change could not be saved. */
function Offers({ out }: { out: boolean }) {
  const { t } = useLingui();
  const saved = useSettingsSaved();
  const [wanted, setWanted] = useState<boolean>();
  const [done, setDone] = useState(false);
  const { send, isPending, problem } = useApiMutation(campaignSubscription, {
    onSuccess: (settings) => {
      saved(settings);
      setDone(true);
    },
    message: accountErrorMessage,
  });
  const change = () => {
    if (isPending) return;
    setWanted(out);
    setDone(false);
    void send({ query: { subscribeStatus: out ? 'true' : 'false' } }).finally(() => setWanted(undefined));
  };
  return (
    <div className={styles.row}>
      <div className={styles.offers}>
        <Checkbox
          label={t`Send me offers by email`}
          checked={wanted ?? !out}
          aria-disabled={isPending}
          onChange={change}
        />
        <p className={styles.soft}>
          <Trans>Now and then. Every email has an unsubscribe link.</Trans>
        </p>
        <span role="status">{done ? <SavedLabel /> : null}</span>
      </div>
      <Problem>{problem}</Problem>
    </div>
  );
}

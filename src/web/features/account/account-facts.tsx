import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AccountInfo } from '../../../contract/account.ts';
import styles from './account.module.css';

/** Who one is here. */
export function AccountFacts({ info }: { info: AccountInfo }) {
  const { i18n } = useLingui();
  return (
    <>
      <h2 className={styles.heading} id="account-facts">
        <Trans>Your details</Trans>
      </h2>
      <dl className={styles.rows}>
        <Row label={<Trans>Account</Trans>}>{info.account}</Row>
        {info.nickname ? <Row label={<Trans>Nickname</Trans>}>{info.nickname}</Row> : null}
        <Row label={<Trans>Plan</Trans>}>{info.planName ?? <Trans>None yet</Trans>}</Row>
        {info.limitCount > 0 ? (
          <Row label={<Trans>Devices</Trans>}>
            <Plural value={info.limitCount} one="# at a time" other="# at the same time" />
          </Row>
        ) : null}
        <Row label={<Trans>Customer since</Trans>}>
          {i18n.date(new Date(info.accountCreationTime), { dateStyle: 'long' })}
        </Row>
      </dl>
    </>
  );
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryUrv } from '../../../contract/account.ts';
import { q } from '../../api/query.ts';
import { Card } from '../../ui/card.tsx';
import styles from './account.module.css';
import { Boxes } from './boxes.tsx';
import { ChangePassword } from './change-password.tsx';
import { ConfirmReminder } from './confirm-reminder.tsx';
import { SetPassword } from './set-password.tsx';

/** What the customer still has to do; the page does without it where it cannot be had. */
const urvQuery = q(queryUrv, {}, { quiet: true });

/** Asks to confirm the e-mail, as long as that is due. */
export function ConfirmDue() {
  const { data } = useQuery(urvQuery);
  return data?.email && !data.emailVerified ? <ConfirmReminder email={data.email} /> : null;
}

/** Which TVs are let in, and by which password everybody is. */
export function Security({ account }: { account: string }) {
  return (
    <>
      <Boxes />
      <PasswordCard account={account} />
    </>
  );
}

/** Changes the password, or sets a first one for whoever has only ever come by another way. */
function PasswordCard({ account }: { account: string }) {
  const { data } = useQuery(urvQuery);
  if (!data || !(data.hasPassword || data.email)) return null;
  return (
    <Card as="section" aria-labelledby="password" className={styles.wide}>
      <h2 className={styles.heading} id="password">
        <Trans>Password</Trans>
      </h2>
      {data.hasPassword ? <ChangePassword account={account} /> : null}
      {!data.hasPassword && data.email ? <SetPassword email={data.email} /> : null}
    </Card>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';
import { AccountName, formatTvDeviceName } from '#web/domain/account/names.tsx';
import { q, personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { urvQuery } from './account-query.ts';
import styles from './account.module.css';
import { Messages } from './messages.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { resendConfirmation } from '#contract/email.ts';
import authStyles from '#web/domain/auth/auth-form.module.css';
import { SendCodeLabel } from '#web/domain/auth/mail-sent.tsx';
import { useResend, useMailRequest } from '#web/domain/auth/use-mail-request.ts';
import { useSecondsLeft } from '#web/domain/auth/codes/use-code.ts';
import { Alert } from '#web/ui/alert.tsx';
import { useState } from 'react';
import { listBoxes, endBox, type SignedInTvDevice } from '#contract/tv-devices.ts';
import { isConfirmedEmpty, useWasEverTrue } from '#web/domain/payments/access-text.tsx';
import { Card } from '#web/ui/card.tsx';
import { Tv } from '#web/ui/icon.tsx';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { timeText } from '#web/platform/i18n/day-text.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** Shows that the account's email is not confirmed, and resends the confirmation. */
function ConfirmReminder({ address }: { address: string }) {
  const email = <AccountName account={address} />;
  const request = useMailRequest(resendConfirmation);
  const { mutate, isPending, problem, captcha } = useResend(request, address);
  const seconds = useSecondsLeft(request.sent);
  const again = (
    <Button variant="secondary" className={authStyles.again} busy={isPending} disabled={seconds > 0} onClick={mutate}>
      {request.sent ? <SendCodeLabel sent seconds={seconds} /> : <Trans>Email me</Trans>}
    </Button>
  );
  return (
    <div className={styles.reminder}>
      <Alert tone="warning" title={<Trans>Confirm your email</Trans>} action={again}>
        <p role="status">
          {request.sent ? (
            <Trans>We’ve emailed {email}. Open the link in the email; check your spam folder, too.</Trans>
          ) : (
            <Trans>This way, receipts and password resets always reach you at {email}.</Trans>
          )}
        </p>
        {problem ? <p role="alert">{problem}</p> : null}
        {captcha}
      </Alert>
    </div>
  );
}

/** Emails to the address bounce, so the shop sends only requested emails to it. */
function BouncingEmail({ email }: { email: string }) {
  const change = (
    <Link to="/settings" className={buttonClass({ variant: 'secondary' })}>
      <Trans>Change email</Trans>
    </Link>
  );
  return (
    <div className={styles.reminder}>
      <Alert tone="warning" title={<Trans>Emails to {email} bounce</Trans>} action={change}>
        <p>
          <Trans>
            We no longer send receipts and reminders there, only codes you request. If the address is correct, contact
            us.
          </Trans>
        </p>
      </Alert>
    </div>
  );
}

/** Requests another email address if emails bounce, and confirmation while it is due. */
export function PendingConfirmation() {
  const { data } = useQuery(urvQuery);
  if (data?.email && data.mailBounces) return <BouncingEmail email={data.email} />;
  return data?.email && !data.emailVerified ? <ConfirmReminder address={data.email} /> : null;
}

interface SecurityProps {
  /** epoch milliseconds; null before the first plan */
  expiredTime: number | null;
}

/** Devices with notifications, and TV devices that are logged in. */
export function Security({ expiredTime }: SecurityProps) {
  const buysOnly = useSession()?.buysOnly === true;
  const [hasTvs, notifies] = [useIsCapable('tv'), useIsCapable('account')];
  if (buysOnly) return <ChangeOnPhoneHint />;
  return (
    <>
      {hasTvs ? <TvDevices /> : null}
      {notifies ? <Messages expiredTime={expiredTime} /> : null}
    </>
  );
}

/** A TV session, or a phone that was handed a checkout, may not change the account. */
function ChangeOnPhoneHint() {
  return (
    <p className={styles.soft}>
      <Trans>
        On this device you can watch and buy. Log in on your phone to change your password or manage your TVs.
      </Trans>
    </p>
  );
}

/** The query of the list; the page works without it. */
const boxesQuery = q(listBoxes, { body: {} }, { quiet: true });

/** The TV devices that are logged in to this account, each with a logout button. */
export function TvDevices() {
  const { data, error, dataUpdatedAt: readAt } = useQuery(boxesQuery);
  const heading = useFocusAfterRemoval(data?.length);
  // Unknown is not empty. The heading, which receives the focus of a removed row, stays if a later read fails.
  const isShown = useWasEverTrue(data !== undefined && (data.length > 0 || isConfirmedEmpty({ error, readAt })));
  if (!data || !isShown) return null;
  return (
    <Card as="section" aria-labelledby="boxes">
      <h2 className={styles.heading} id="boxes" ref={heading} tabIndex={-1}>
        <Trans>Your TVs</Trans>
      </h2>
      {data.length === 0 ? (
        <p className={styles.soft}>
          <Trans>No TV is logged in. Open the app on your TV and scan the code it shows.</Trans>
        </p>
      ) : (
        <ul className={styles.logins}>
          {data.map((box) => (
            <OneBox key={box.boxId} box={box} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function OneBox({ box }: { box: SignedInTvDevice }) {
  const { i18n } = useLingui();
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const name = formatTvDeviceName(i18n, box);
  const since = timeText(i18n, box.signedInAt);
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  return (
    <li className={styles.savedCard}>
      <Tv aria-hidden />
      <span>
        <strong>{name}</strong>
        <span className={styles.soft}>
          <Trans>Since {since}</Trans>
        </span>
        {problem ? (
          <span className={styles.problem} role="alert">
            {problem}
          </span>
        ) : null}
      </span>
      <Button variant="quiet" onClick={ask}>
        <Trans>
          Log out<span className="sr-only"> {name}</span>
        </Trans>
      </Button>
      <LogOutTvDevice box={box} name={name} open={asking} onClose={() => setAsking(false)} onRefused={setProblem} />
    </li>
  );
}

interface EndBoxProps {
  box: SignedInTvDevice;
  name: string;
  open: boolean;
  onClose: () => void;
  /** called with the error message if the device is still logged in */
  onRefused: (words: string) => void;
}

/** Confirms the logout of a TV device. */
function LogOutTvDevice({ box: { boxId }, name, open, onClose, onRefused }: EndBoxProps) {
  const { mutate, isPending } = useEnd({ onClose, onRefused });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Log out {name}?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={() => mutate({ body: { boxId } })}>
            <Trans>Log out this TV</Trans>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Stay logged in</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>No one can watch on it with your account until you log in again.</Trans>
        <span> </span>
        <Trans>Don’t recognize this TV? Change your password, too.</Trans>
      </p>
    </Dialog>
  );
}

function useEnd({ onClose, onRefused }: Pick<EndBoxProps, 'onClose' | 'onRefused'>) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const { queryKey } = q(listBoxes, { body: {} });
  return useApiMutation(endBox, {
    onSuccess: async (_result, { body: { boxId } }) => {
      onClose();
      client.setQueryData(queryKey, (boxes) => boxes?.filter((one) => one.boxId !== boxId));
      // devices in use and recent logins show it, too
      await refreshQueries(client, personalQueries);
    },
    onError: (error) => {
      onClose();
      onRefused(messageOfError(i18n, error));
      void refreshQueries(client, personalQueries);
    },
    shows: 'all',
  });
}

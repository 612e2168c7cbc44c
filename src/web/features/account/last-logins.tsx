import { Trans, useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import { type DeviceSession, endOtherSignIns, endSignIn } from '#contract/account.ts';
import { shownLoginRecords } from '#contract/limits.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Laptop, MonitorSmartphone, Smartphone, Tablet, Tv } from '#web/ui/icon.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './account.module.css';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { dot } from '#web/ui/money-text.tsx';
import { timeText } from '#web/platform/i18n/day-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { CallError } from '#web/platform/api/api-error.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** The latest logins, so that the customer can notice and end an unknown one. */
export function LastLogins({ sessions, isKnown }: { sessions: readonly DeviceSession[]; isKnown: boolean }) {
  // a TV session, or a phone that was handed a checkout, may not change the account
  const mayEnd = useSession()?.buysOnly !== true;
  const open = sessions.filter((session) => session.open && !session.here);
  const heading = useFocusAfterRemoval(open.length);
  return (
    <>
      <div className={styles.headingRow}>
        <h2 className={styles.heading} id="last-logins" ref={heading} tabIndex={-1}>
          <Trans>Recent logins</Trans>
        </h2>
        {mayEnd && open.length > 0 ? <EndOthers /> : null}
      </div>
      {sessions.length > 0 ? (
        <ul className={styles.logins}>
          {sessions.slice(0, shownLoginRecords).map((session) => (
            <Login key={`${session.loginAt} ${session.ip} ${session.signInId}`} session={session} mayEnd={mayEnd} />
          ))}
        </ul>
      ) : isKnown ? (
        <p className={styles.soft}>
          <Trans>No logins yet.</Trans>
        </p>
      ) : null}
    </>
  );
}

function Login({ session, mayEnd }: { session: DeviceSession; mayEnd: boolean }) {
  const { i18n, t } = useLingui();
  const [problem, setProblem] = useState<string>();
  const name = [session.device || t`Unknown device`, session.model].filter(Boolean).join(dot);
  const mayEndThis = session.open && !session.here && mayEnd;
  const time = timeText(i18n, session.loginAt);
  return (
    <li className={styles.savedCard}>
      <DeviceIcon device={`${session.device} ${session.model}`} />
      <span>
        <strong>{name}</strong>
        <span className={styles.soft}>{`${time}${dot}${session.ip}`}</span>
        {session.here ? (
          <span className={styles.here}>
            <Pill tone="success">
              <Trans>This device</Trans>
            </Pill>
          </span>
        ) : null}
        {problem && mayEndThis ? (
          <span className={styles.problem} role="alert">
            {problem}
          </span>
        ) : null}
      </span>
      {mayEndThis ? (
        <EndSessionButton signInId={session.signInId} name={name} time={time} onProblem={setProblem} />
      ) : null}
    </li>
  );
}

interface EndThisProps {
  signInId: string;
  name: string;
  time: string;
  onProblem: (words: string | undefined) => void;
}

function EndSessionButton({ signInId, name, time, onProblem }: EndThisProps) {
  const [asking, setAsking] = useState(false);
  // the time distinguishes two logins of one phone
  const which = `${name}, ${time}`;
  const ask = () => {
    onProblem(undefined);
    setAsking(true);
  };
  return (
    <>
      <Button variant="quiet" onClick={ask}>
        <Trans>
          Log out<span className="sr-only"> {which}</span>
        </Trans>
      </Button>
      <EndSignIn which={{ signInId, name }} open={asking} onClose={() => setAsking(false)} onRefused={onProblem} />
    </>
  );
}

function EndOthers() {
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  return (
    <>
      <Button variant="quiet" onClick={ask}>
        <Trans>Log out other devices</Trans>
      </Button>
      {problem ? (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <EndSignIn which="others" open={asking} onClose={() => setAsking(false)} onRefused={setProblem} />
    </>
  );
}

/** The icon for the server's name of a device. */
export function DeviceIcon({ device }: { device: string }) {
  if (/ipad|tablet/i.test(device)) return <Tablet aria-hidden />;
  if (/iphone|android(?! ?tv)|phone/i.test(device)) return <Smartphone aria-hidden />;
  if (/tv|box/i.test(device)) return <Tv aria-hidden />;
  return /windows|mac|linux|chrome ?os/i.test(device) ? <Laptop aria-hidden /> : <MonitorSmartphone aria-hidden />;
}

type Which = 'others' | { readonly signInId: string; readonly name: string };

interface EndSignInProps {
  which: Which;
  open: boolean;
  onClose: () => void;
  /** called with the error message if the session is still open */
  onRefused: (words: string) => void;
}

/** Confirms the logout of one device, or of all others. */
function EndSignIn({ which, open, onClose, onRefused }: EndSignInProps) {
  const { isPending, end } = useEnd({ which, onClose, onRefused });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={titleOf(which)}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={end}>
            {which === 'others' ? <Trans>Log out all others</Trans> : <Trans>Log out this device</Trans>}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {which === 'others' ? <Trans>Keep them logged in</Trans> : <Trans>Stay logged in</Trans>}
          </Button>
        </>
      }
    >
      <p>
        {which === 'others' ? (
          <Trans>All your other phones, computers and TVs are logged out right away. You stay logged in here.</Trans>
        ) : (
          <Trans>No one can watch or buy on it with your account until you log in again.</Trans>
        )}
        <span> </span>
        <Trans>Don’t recognize a device? Change your password, too.</Trans>
      </p>
    </Dialog>
  );
}

function useEnd({ which, onClose, onRefused }: Omit<EndSignInProps, 'open'>) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  // recent logins, devices in use, TV devices and notifications show it
  const refresh = () => refreshQueries(client, personalQueries);
  const options = {
    onSuccess: async () => {
      onClose();
      await refresh();
    },
    onError: (error: CallError) => {
      onClose();
      onRefused(messageOfError(i18n, error));
      void refresh();
    },
    shows: 'all',
  } as const;
  const one = useApiMutation(endSignIn, options);
  const others = useApiMutation(endOtherSignIns, options);
  return {
    isPending: one.isPending || others.isPending,
    end: () => (which === 'others' ? others.mutate({ body: {} }) : one.mutate({ body: { signInId: which.signInId } })),
  };
}

function titleOf(which: Which): ReactNode {
  if (which === 'others') return <Trans>Log out other devices?</Trans>;
  const { name } = which;
  return <Trans>Log out {name}?</Trans>;
}

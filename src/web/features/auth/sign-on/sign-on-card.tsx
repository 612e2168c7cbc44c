import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import authStyles from '#web/domain/auth/auth-form.module.css';
import { consumeSecret } from '#web/platform/entry/secret-store.ts';
import type { SignOnLink } from '#web/platform/entry/secrets.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { CircleUser } from '#web/ui/icon.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import styles from './external-sign-in.module.css';
import { accountText, maskAccount } from '#contract/mask.ts';
import { type SignOnNotice, useSignOn } from './use-sign-on.ts';
import type { UserInfo } from '#contract/user.ts';
import { Untranslated } from '#web/ui/untranslated.tsx';

const plain = (account: string) => account.replace(/^\+/, '').toLowerCase();

/** Whether a link names the account that is logged in. It only skips a confirmation and authorizes nothing. */
export function isSameAccount(user: Pick<UserInfo, 'uid' | 'account'>, link: Omit<SignOnLink, 'token'>): boolean {
  return link.accountId === user.uid || plain(link.loginId) === plain(user.account);
}

interface SignOnCardProps {
  link: SignOnLink;
  onEntered: () => void;
  onForm: (notice?: SignOnNotice) => void;
  onAnother: () => void;
}

/**
 * Confirms before a link logs in, because an attacker can send a link with their own account and have others pay for
 * it. No confirmation if that account is logged in already.
 */
export function SignOnCard({ link, onEntered, onForm, onAnother }: SignOnCardProps) {
  const session = useSession();
  const [entered, setEntered] = useState(false);
  const enter = () => {
    setEntered(true);
    onEntered();
  };
  const { isPending, problem, go } = useSignOn({ link, onEntered: enter, onForm });
  const known = session !== null && isSameAccount(session, link);
  // A login in progress or just done continues by itself; a second navigation would restart the first one.
  const goOn = known && !isPending && !entered;
  useEffect(() => {
    if (!goOn) return;
    consumeSecret('appToken');
    onEntered();
  }, [goOn, onEntered]);
  if (goOn || entered) return <Spinner label={<Trans>One moment…</Trans>} />;
  const another = () => {
    consumeSecret('appToken');
    onAnother();
  };
  return (
    <Question
      account={maskAccount(link.loginId)}
      replaces={known || !session ? undefined : accountText(session.account)}
      problem={problem}
      busy={isPending}
      onApprove={go}
      onReject={another}
    />
  );
}

function ReplacedAccount({ account: name }: { account: string }) {
  const account = <Untranslated text={name} />;
  return (
    <Alert tone="warning">
      <Trans>You’re logged in here as {account}. If you continue, we’ll log that account out on this device.</Trans>
    </Alert>
  );
}

interface QuestionProps {
  account: string;
  /** the customer who is logged in and would be replaced */
  replaces: string | undefined;
  problem: ReturnType<typeof useSignOn>['problem'];
  busy: boolean;
  onApprove: () => void;
  onReject: () => void;
}

function Question({ account, replaces, problem, busy, onApprove, onReject }: QuestionProps) {
  return (
    <section className={authStyles.page}>
      <header className={styles.who}>
        <span className={styles.avatar}>
          <CircleUser aria-hidden />
        </span>
        <h1 className={authStyles.title}>
          <Trans>
            Continue as{' '}
            <span className={styles.account} translate="no">
              {account}
            </span>
            ?
          </Trans>
        </h1>
        <p>
          <Trans>The link you opened logs you in to this account. Continue only if it’s yours.</Trans>
        </p>
      </header>
      {replaces === undefined ? null : <ReplacedAccount account={replaces} />}
      {problem ? (
        <Alert tone="danger" live="assertive">
          {problem}
        </Alert>
      ) : null}
      <div className={styles.choices}>
        <Button size="lg" wide busy={busy} onClick={onApprove}>
          {problem ? <Trans>Try again</Trans> : <Trans>Continue</Trans>}
        </Button>
        <Button variant="secondary" size="lg" wide disabled={busy} onClick={onReject}>
          {replaces === undefined ? <Trans>Use another account</Trans> : <Trans>Stay in my account</Trans>}
        </Button>
      </div>
    </section>
  );
}

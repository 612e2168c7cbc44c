import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryUrv } from '#contract/account.ts';
import type { UserInfo } from '#contract/user.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { q } from '#web/platform/api/query.ts';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import { maskAccount } from '#contract/mask.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { useOwnLink } from '#web/domain/auth/use-mail-request.ts';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { useNavigate } from '@tanstack/react-router';
import { accountDraft, type Identity } from '#web/domain/auth/account-rules.ts';
import { useCode } from '#web/domain/auth/codes/use-code.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';

interface OwnPasswordProps {
  user: UserInfo;
  returnTo: string | undefined;
}

/** A logged-in customer types nothing: the link or code is sent to the account's own address or number. */
export function OwnPassword({ user, returnTo }: OwnPasswordProps) {
  const { data, isPending } = useQuery(q(queryUrv));
  const sms = useQuery(supportPhoneQuery).data?.sms === true;
  if (isPending) return <Skeleton lines={2} height={52} />;
  return (
    <div className={styles.form}>
      {data?.email ? <OwnLink email={data.email} /> : null}
      {sms || user.type === 'email' ? <OwnCode user={user} returnTo={returnTo} first={!data?.email} /> : null}
    </div>
  );
}

function OwnLink({ email }: { email: string }) {
  const { request, mutate, isPending, problem } = useOwnLink(email);
  const address = <Untranslated text={maskAccount(email)} />;
  if (request.sent) {
    return (
      <MailSent request={request}>
        <Trans>We’ve emailed a link to {address}.</Trans>
      </MailSent>
    );
  }
  return (
    <>
      <Problem>{problem}</Problem>
      <Button size="lg" wide busy={isPending} onClick={mutate}>
        <Trans>Send a link to {address}</Trans>
      </Button>
    </>
  );
}

function OwnCode({ user, returnTo, first }: OwnPasswordProps & { first: boolean }) {
  const { code, send } = useOwnCode(user, returnTo);
  const problem = code.problem ?? code.accountProblem;
  return (
    <>
      <Problem>{problem}</Problem>
      {code.captcha.view}
      <Button variant={first ? 'primary' : 'secondary'} size={first ? 'lg' : 'md'} wide busy={code.busy} onClick={send}>
        {first ? <Trans>Send me a code</Trans> : <Trans>Send a code instead</Trans>}
      </Button>
    </>
  );
}

/** Sends a reset code to the logged-in customer; the page for the code reads the account from the draft. */
function useOwnCode(user: UserInfo, returnTo: string | undefined) {
  const navigate = useNavigate();
  const areaCodes = useQuery(supportPhoneQuery).data?.areaCodes ?? [];
  const identity = ownIdentity(user, areaCodes);
  const code = useCode('reset', identity);
  const send = async () => {
    // A code that was just sent is still valid.
    if (code.waitSeconds === 0 && !(await code.send(identity))) return;
    storeInDraft(identity);
    await navigate({ to: '/reset-password', search: { return: returnTo } });
  };
  return { code, send: () => void send() };
}

function storeInDraft({ type, account, areaCode = '' }: Identity): void {
  const phone = type === 'phone' ? { phone: account, areaCode } : {};
  const before = { account: '', phone: '', areaCode: '', ...accountDraft.get() };
  accountDraft.set({ ...before, ...(type === 'email' ? { account } : phone) });
  loginActiveTabKey.set(type);
}

/**
 * The customer's identity as calls need it: a phone number is split into area code and number. If several codes match,
 * the longest is used.
 */
export function ownIdentity(
  { account, type }: Pick<UserInfo, 'account' | 'type'>,
  areaCodes: readonly string[],
): Identity {
  if (type === 'email') return { account, type };
  const digits = account.replaceAll(/\D/g, '');
  const fitting = areaCodes.filter((code) => code !== '' && digits.startsWith(code));
  const areaCode = fitting.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return { account: digits.slice(areaCode.length), type, areaCode };
}

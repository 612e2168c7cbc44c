import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { UserInfo } from '#contract/user.ts';
import { accountDraft, type Identity } from '#web/domain/auth/account-rules.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { useCode } from '#web/domain/auth/codes/use-code.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';

/** A reset code for the customer who is signed in; the page where it is typed in finds the account in the draft. */
export function useOwnCode(user: UserInfo, returnTo: string | undefined) {
  const navigate = useNavigate();
  const areaCodes = useQuery(supportPhoneQuery).data?.areaCodes ?? [];
  const identity = ownIdentity(user, areaCodes);
  const code = useCode('reset', identity);
  const send = async () => {
    // A code that went out a moment ago still counts.
    if (code.waitSeconds === 0 && !(await code.send(identity))) return;
    keepInDraft(identity);
    await navigate({ to: '/reset-password', search: { return: returnTo } });
  };
  return { code, send: () => void send() };
}

function keepInDraft({ type, account, areaCode = '' }: Identity): void {
  const phone = type === 'phone' ? { phone: account, areaCode } : {};
  const before = { account: '', phone: '', areaCode: '', ...accountDraft.get() };
  accountDraft.set({ ...before, ...(type === 'email' ? { account } : phone) });
  loginActiveTabKey.set(type);
}

/**
 * Who is signed in, as calls want it: a number comes with its area code in one piece, and is taken apart again. Of
 * several codes that fit, the longest.
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

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { UserInfo } from '#contract/user.ts';
import { accountDraft, type Identity } from '#web/domain/auth/account-rules.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { useCode } from '#web/domain/auth/codes/use-code.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';

/** Sends a reset code to the logged-in customer; the page for the code reads the account from the draft. */
export function useOwnCode(user: UserInfo, returnTo: string | undefined) {
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

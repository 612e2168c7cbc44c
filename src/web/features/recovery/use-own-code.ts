import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { UserInfo } from '../../../contract/user.ts';
import { accountDraft } from '../../account-form/account-draft.ts';
import type { Identity } from '../../account-form/account-rules.ts';
import { supportPhoneQuery } from '../../account-form/use-account-tab.ts';
import { useCode } from '../../identity/use-code.ts';
import { loginActiveTabKey } from '../../storage/sign-in-keys.ts';
import { ownIdentity } from './own-identity.ts';

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

import type { QueryClient } from '@tanstack/react-query';
import type { UserInfo } from '../../../contract/user.ts';
import { entered } from '../../account-form/enter.ts';
import { logOut } from '../../session/log-out.ts';
import { getSession } from '../../session/session.ts';

/**
 * Signs in as the one whom a link, a box or a provider named. Whoever was signed in before leaves first, with all that
 * was theirs: answers in memory do not say whose they are.
 */
export async function enterAs(queryClient: QueryClient, user: UserInfo, by: 'sso' | 'google'): Promise<void> {
  const before = getSession();
  if (before && before.uid !== user.uid) await logOut(queryClient);
  entered(user, 'login', by);
}

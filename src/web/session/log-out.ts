import type { QueryClient } from '@tanstack/react-query';
import { loginOut } from '../../contract/auth.ts';
import { call } from '../api/client.ts';
import { activeLanguage } from '../i18n/active.ts';
import { forgetQueries, wipeDisk } from './leave.ts';
import { clearSession, getSession, removePersonal } from './session.ts';

/**
 * [Note: Logout] Leaving wipes what was the customer's before the server is heard: the memory of the tab, its queries,
 * and every `marquee.me.` key and cache. Answers that are still on their way find their token gone and are dropped.
 */
export async function logOut(queryClient: QueryClient): Promise<void> {
  const user = getSession();
  // Sent while the token is still here. It must not hold up the wiping, and a lost call does not undo it.
  if (user) {
    const body = { language: activeLanguage(), uid: user.uid, account: '' as const };
    call(loginOut, { body }, { quiet: true, keepalive: true }).catch(() => undefined);
  }
  clearSession('logout');
  removePersonal();
  forgetQueries(queryClient);
  await wipeDisk();
}

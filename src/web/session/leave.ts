import type { QueryClient } from '@tanstack/react-query';
import { loginOut } from '../../contract/auth.ts';
import { call } from '../api/client.ts';
import { activeLanguage } from '../i18n/active.ts';
import { wipeWorkerCaches } from '../pwa/tell-worker.ts';
import { removePersonalAsync } from '../storage/stored-async.ts';
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

/** The server no longer knows the session: drafts and a payment under way stay for the same person's next login. */
export function expireSession(queryClient: QueryClient): void {
  clearSession('expired');
  forgetQueries(queryClient);
  void wipeDisk();
}

/** Personal answers go; the shop's own are asked again, because a price may depend on who asks. */
function forgetQueries(queryClient: QueryClient): void {
  const personal = {
    predicate: ({ meta }: { meta?: Record<string, unknown> | undefined }) => meta?.['personal'] === true,
  };
  void queryClient.cancelQueries(personal);
  queryClient.removeQueries(personal);
  queryClient.getMutationCache().clear();
  void queryClient.invalidateQueries();
}

async function wipeDisk(): Promise<void> {
  await Promise.all([removePersonalAsync(), wipeWorkerCaches()]);
}

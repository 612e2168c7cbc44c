import type { QueryClient } from '@tanstack/react-query';
import { wipeWorkerCaches } from '#web/platform/pwa/post-to-worker.ts';
import { removePersonalAsync } from '#web/platform/session/storage/stored-async.ts';
import { clearSession, endLocalSession, heldToken, getSession, removePersonal } from '#web/platform/session/session.ts';
import { loginOut } from '#contract/session.ts';
import { attempt } from '#web/platform/api/client.ts';
import { personalQueries } from '#web/platform/api/query.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';

/** The server no longer knows the session: drafts and a payment under way stay for the same person's next login. */
export function expireSession(queryClient: QueryClient): void {
  clearSession('expired');
  clearQueries(queryClient);
  void wipeDisk();
}

/** Another tab has logged out or in: what this one knows of the customer goes, and the store stays as that tab made it. */
export function followOtherTab(queryClient: QueryClient): void {
  if (heldToken() === null) return;
  endLocalSession();
  forgetPersonal(queryClient);
  void wipeDisk();
}

/** Personal answers go; the shop's own are asked again, because a price may depend on who asks. */
export function clearQueries(queryClient: QueryClient): void {
  forgetPersonal(queryClient);
  void queryClient.invalidateQueries();
}

function forgetPersonal(queryClient: QueryClient): void {
  void queryClient.cancelQueries(personalQueries);
  queryClient.removeQueries(personalQueries);
  queryClient.getMutationCache().clear();
}

/** Personal copies on the disk, and what the worker keeps. */
export async function wipeDisk(): Promise<void> {
  await Promise.all([removePersonalAsync(), wipeWorkerCaches()]);
}

/**
 * [Note: Logout] Leaving wipes what was the customer's before the server is heard: the memory of the tab, its queries,
 * and every `marquee.me.` key and cache. Answers that are still on their way find their token gone and are dropped.
 */
export async function logOut(queryClient: QueryClient): Promise<void> {
  const user = getSession();
  // Sent while the token is still here. It must not hold up the wiping, and a lost call does not undo it.
  if (user) {
    const body = { language: activeLanguage(), uid: user.uid, account: '' as const };
    attempt(loginOut, { body }, { quiet: true, keepalive: true }).catch(() => undefined);
  }
  clearSession('logout');
  removePersonal();
  clearQueries(queryClient);
  await wipeDisk();
}

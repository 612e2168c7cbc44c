import type { QueryClient } from '@tanstack/react-query';
import { wipeWorkerCaches } from '#web/platform/pwa/register.ts';
import { removePersonalAsync } from '#web/platform/session/storage/stored-async.ts';
import {
  clearSession,
  endLocalSession,
  currentToken,
  getSession,
  removePersonalData,
} from '#web/platform/session/session.ts';
import { loginOut } from '#contract/session.ts';
import { attempt } from '#web/platform/api/client.ts';
import { personalQueries } from '#web/platform/api/query.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';

/** The session expired: drafts and a payment in progress stay for the next login of the same customer. */
export function expireSession(queryClient: QueryClient): void {
  clearSession('expired');
  clearQueries(queryClient);
  void wipeDisk();
}

/** Another tab logged out or in: clears this tab's personal data, and leaves the storage as that tab wrote it. */
export function followOtherTab(queryClient: QueryClient): void {
  if (currentToken() === null) return;
  endLocalSession();
  clearPersonal(queryClient);
  void wipeDisk();
}

/** Removes personal responses and invalidates the shop's own, because prices may depend on the customer. */
function clearQueries(queryClient: QueryClient): void {
  clearPersonal(queryClient);
  void queryClient.invalidateQueries();
}

function clearPersonal(queryClient: QueryClient): void {
  void queryClient.cancelQueries(personalQueries);
  queryClient.removeQueries(personalQueries);
  queryClient.getMutationCache().clear();
}

/** Removes personal copies on disk and in the worker's caches. */
async function wipeDisk(): Promise<void> {
  await Promise.all([removePersonalAsync(), wipeWorkerCaches()]);
}

/**
 * Logout clears the customer's data before the server responds: memory, queries, and every `marquee.me.` key and cache.
 * Responses that arrive later find no token and are dropped.
 */
export async function logOut(queryClient: QueryClient): Promise<void> {
  const user = getSession();
  // Sent while the token still exists. It must not delay the wiping, and a failed call does not undo it.
  if (user) {
    const body = { language: activeLanguage(), uid: user.uid, account: '' as const };
    attempt(loginOut, { body }, { quiet: true, keepalive: true }).catch(() => undefined);
  }
  clearSession('logout');
  removePersonalData();
  clearQueries(queryClient);
  await wipeDisk();
}

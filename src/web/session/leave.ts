import type { QueryClient } from '@tanstack/react-query';
import { loginOut } from '../../contract/auth.ts';
import { call } from '../api/client.ts';
import { activeLanguage } from '../i18n/active.ts';
import { removeByPrefix } from '../storage/area.ts';
import { personalPrefix } from '../storage/stored.ts';
import { clearSession, getSession } from './session.ts';

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
  await wipePersonal(queryClient);
}

/** The server no longer knows the session: drafts and a payment under way stay for the same person's next login. */
export function expireSession(queryClient: QueryClient): void {
  clearSession('expired');
  forgetQueries(queryClient);
  void wipeDisk();
}

/** Removes everything of the customer from this device. */
export async function wipePersonal(queryClient: QueryClient): Promise<void> {
  forgetQueries(queryClient);
  removeByPrefix('local', personalPrefix);
  removeByPrefix('session', personalPrefix);
  await wipeDisk();
}

/** Personal answers go; the shop's own are asked again, because a price may depend on who asks. */
function forgetQueries(queryClient: QueryClient): void {
  const personal = { predicate: (query: { meta?: Record<string, unknown> | undefined }) => query.meta?.['personal'] === true };
  void queryClient.cancelQueries(personal);
  queryClient.removeQueries(personal);
  queryClient.getMutationCache().clear();
  void queryClient.invalidateQueries();
}

async function wipeDisk(): Promise<void> {
  const { removePersonalAsync } = await import('../storage/stored-async.ts');
  await Promise.all([removePersonalAsync(), removePersonalCaches()]);
}

/** Caches of the worker that hold a person's answers carry the same prefix as the keys. */
async function removePersonalCaches(): Promise<void> {
  if (typeof caches === 'undefined') return;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(personalPrefix)).map((name) => caches.delete(name)));
}

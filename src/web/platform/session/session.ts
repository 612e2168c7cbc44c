import type { PayStatus, UserInfo } from '#contract/user.ts';
import { createListeners, useStore } from '#web/ui/store.ts';
import { serverNow } from './server-clock.ts';
import { removeByPrefix } from './storage/area.ts';
import { ownerKey, sessionKey } from './storage/keys.ts';
import { personalPrefix } from './storage/stored.ts';

/**
 * Why a session ended: by the customer, by the server (then the login page says "Please log in again"), or because
 * another tab has logged out or in ([Note: Other tabs]).
 */
export type EndReason = 'logout' | 'expired' | 'elsewhere';
export type SessionListener = (user: UserInfo | null, reason?: EndReason) => void;

/** undefined until the store has been read; afterwards the copy that this tab goes by. */
let current: UserInfo | null | undefined;
const { subscribe, tell } = createListeners<Parameters<SessionListener>>();

/** Who is signed in, by the server's clock; null for a visitor, and always on the server. */
export function getSession(): UserInfo | null {
  if (typeof window === 'undefined') return null;
  const user = held();
  return user && user.expiration > serverNow() ? user : null;
}

/** Signs in. What somebody else left on this device after an expired session is wiped first. */
export function setSession(user: UserInfo): void {
  const owner = ownerKey.get();
  if (owner !== undefined && owner !== user.uid) {
    ownerKey.remove();
    removePersonal();
  }
  current = user;
  sessionKey.set(user);
  ownerKey.set(user.uid);
  tell(user, undefined);
}

interface News {
  readonly payStatus?: PayStatus | undefined;
  /** null where the account stays */
  readonly leavesAt?: number | null | undefined;
}

/**
 * Keeps what an answer says of the same session; undefined where it does not say. Nobody has logged in, so nobody hears of it,
 * and a page shows it from its next opening on: nothing moves under a finger.
 */
export function updateSessionUser({ payStatus, leavesAt }: News): void {
  const user = getSession();
  if (!user) return;
  const news = {
    ...user,
    payStatus: payStatus ?? user.payStatus,
    leavesAt: (leavesAt === undefined ? user.leavesAt : leavesAt) ?? undefined,
  };
  if (news.payStatus === user.payStatus && news.leavesAt === user.leavesAt) return;
  current = news;
  // the store may hold somebody else's by now
  if (storedToken() === user.token) sessionKey.set(current);
}

/** Forgets who is signed in. What else was theirs is wiped by `leave.ts`. */
export function clearSession(reason: 'logout' | 'expired'): void {
  const had = held();
  current = null;
  // Other tabs see the changes one by one: when the session goes, they know by the owner whether it was left.
  if (reason === 'logout') ownerKey.remove();
  // The store may hold somebody else's by now; that one has not expired.
  if (reason === 'logout' || storedToken() === had?.token) sessionKey.remove();
  if (had) tell(null, reason);
}

/**
 * Forgets who is signed in here, and leaves the store as another tab has made it. Drafts of this tab stay for the same
 * person's next login, and for nobody else's.
 */
export function endLocalSession(): void {
  const had = held();
  current = null;
  if (!had) return;
  if (ownerKey.get() !== had.uid) removeByPrefix('session', personalPrefix);
  tell(null, 'elsewhere');
}

/** Hears of every login and every end. The answer stops it. */
export const onSessionChange = subscribe;

/** For components. Null while hydrating, because the server knows of no one. */
export function useSession(): UserInfo | null {
  return useStore({ subscribe, get: getSession }, null);
}

/** The token this tab goes by, expired or not. */
export function heldToken(): string | null {
  return held()?.token ?? null;
}

/** The token that the store has now, which may be another tab's. */
export function storedToken(): string | null {
  return sessionKey.get()?.token ?? null;
}

/** Read from the store once: what other tabs do to it afterwards is for `other-tabs.ts` to see. */
function held(): UserInfo | null {
  if (current === undefined) current = sessionKey.get() ?? null;
  return current;
}

/** Removes every personal key of the synchronous stores ([Note: Whose data]). */
export function removePersonal(): void {
  removeByPrefix('local', personalPrefix);
  removeByPrefix('session', personalPrefix);
}

import type { PayStatus, UserInfo } from '#contract/user.ts';
import { createListeners, useStore } from '#web/ui/store.ts';
import { serverNow } from './server-clock.ts';
import { removeByPrefix } from './storage/area.ts';
import { ownerKey, sessionKey } from './storage/keys.ts';
import { personalPrefix } from './storage/stored.ts';

/**
 * Why a session ended: by the customer, by the server (then the login page says "Please log in again"), or because
 * another tab has logged out or in.
 */
type EndReason = 'logout' | 'expired' | 'elsewhere';
type SessionListener = (user: UserInfo | null, reason?: EndReason) => void;

/** undefined until the store has been read; afterwards the session that this tab uses */
let current: UserInfo | null | undefined;
const { subscribe, tell } = createListeners<Parameters<SessionListener>>();

/** The signed-in customer, by the server's clock; null for a visitor, and always on the server. */
export function getSession(): UserInfo | null {
  if (typeof window === 'undefined') return null;
  const user = sessionOfTab();
  return user && user.expiration > serverNow() ? user : null;
}

/** Signs in. Data that another customer left on this device after an expired session is removed first. */
export function setSession(user: UserInfo): void {
  const owner = ownerKey.get();
  if (owner !== undefined && owner !== user.uid) {
    ownerKey.remove();
    removePersonalData();
  }
  current = user;
  sessionKey.set(user);
  ownerKey.set(user.uid);
  tell(user, undefined);
}

interface SessionChange {
  readonly payStatus?: PayStatus | undefined;
  /** null where the account is not to be deleted */
  readonly leavesAt?: number | null | undefined;
}

/**
 * Stores changes of the same session; an undefined property stays unchanged. Listeners are not notified, because this
 * is no login; a page shows the change when it is next opened, so that no content moves under a finger.
 */
export function updateSessionUser({ payStatus, leavesAt }: SessionChange): void {
  const user = getSession();
  if (!user) return;
  const changed = {
    ...user,
    payStatus: payStatus ?? user.payStatus,
    leavesAt: (leavesAt === undefined ? user.leavesAt : leavesAt) ?? undefined,
  };
  if (changed.payStatus === user.payStatus && changed.leavesAt === user.leavesAt) return;
  current = changed;
  // the store may contain another customer's session by now
  if (storedToken() === user.token) sessionKey.set(current);
}

/** Ends the session in this tab. `log-out.ts` removes the customer's other data. */
export function clearSession(reason: 'logout' | 'expired'): void {
  const had = sessionOfTab();
  current = null;
  // Other tabs receive the changes one by one: when the session is removed, the owner shows them whether it was a
  // logout.
  if (reason === 'logout') ownerKey.remove();
  // The store may contain another customer's session by now, which has not expired.
  if (reason === 'logout' || storedToken() === had?.token) sessionKey.remove();
  if (had) tell(null, reason);
}

/**
 * Ends the session in this tab only, and leaves the store as another tab has changed it. Drafts of this tab stay for
 * the same customer's next login and are removed for any other.
 */
export function endLocalSession(): void {
  const had = sessionOfTab();
  current = null;
  if (!had) return;
  if (ownerKey.get() !== had.uid) removeByPrefix('session', personalPrefix);
  tell(null, 'elsewhere');
}

/** Calls the listener at every login and every end. The returned function stops it. */
export const onSessionChange = subscribe;

/** For components. Null during hydration, because the server has no session. */
export function useSession(): UserInfo | null {
  return useStore({ subscribe, get: getSession }, null);
}

/** The token that this tab uses, expired or not. */
export function currentToken(): string | null {
  return sessionOfTab()?.token ?? null;
}

/** The brand binds sessions to a key of the browser. */
let binds = false;

/** Whether calls that open a session have a proof (`login.dpop` of the site config). */
export const setBinding = (isOn: boolean): void => void (binds = isOn);
export const bindsSessions = (): boolean => binds;

/** Whether this tab's session is bound to the browser's key, and has this token. */
export function isBoundToken(token: string | null): boolean {
  const user = sessionOfTab();
  return user?.tokenType === 'DPoP' && user.token === token;
}

/** The token in the store, which may be another tab's. */
export function storedToken(): string | null {
  return sessionKey.get()?.token ?? null;
}

/** Read from the store once; `other-tabs.ts` handles later changes by other tabs. */
function sessionOfTab(): UserInfo | null {
  if (current === undefined) current = sessionKey.get() ?? null;
  return current;
}

/** Removes every personal key of the synchronous stores. */
export function removePersonalData(): void {
  removeByPrefix('local', personalPrefix);
  removeByPrefix('session', personalPrefix);
}

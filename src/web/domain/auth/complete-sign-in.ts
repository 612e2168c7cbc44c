import type { UserInfo } from '#contract/user.ts';
import type { EventDetails } from '#web/platform/analytics/events.ts';
import { setSession, useSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';

/** The token that proves an earlier login on this device: `device` of every login call. */
export const storedDeviceToken = (): string | undefined => deviceTokenKey.get();

type LoginType = NonNullable<EventDetails['login_type']>;

/** Stores the session that the server opened, remembers the device token, and counts the login. */
export function completeSignIn(
  { deviceToken, ...user }: UserInfo,
  how: 'login' | 'register',
  loginType: LoginType,
): void {
  if (deviceToken) deviceTokenKey.set(deviceToken);
  setSession(user);
  import('#web/platform/analytics/events.ts').then(
    ({ track }) => track(how, how, { login_type: loginType }),
    (error: unknown) => console.info('The entrance was not counted.', error),
  );
}

/**
 * Redirects a customer who is logged in to where they came from, or to `otherwise`. Returns whether the redirect is
 * under way, which takes a while on a slow line. A phone that was handed a checkout may log in to see more.
 */
export function useContinueWhenSignedIn(returnTo: string | undefined, otherwise: string): boolean {
  const user = useSession();
  const signedIn = user !== null && !user.onlyPlanId;
  const navigate = useNavigate();
  // a customer whose account is to be deleted decides about that first
  const href = user?.leavesAt ? '/my-data' : (safeReturnPath(returnTo) ?? otherwise);
  useEffect(() => {
    if (signedIn) void navigate({ href, replace: true });
  }, [signedIn, navigate, href]);
  return signedIn;
}

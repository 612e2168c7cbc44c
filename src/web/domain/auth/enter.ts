import type { UserInfo } from '#contract/user.ts';
import type { EventDetails } from '#web/platform/analytics/events.ts';
import { setSession, useSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';

/** What shows that somebody has signed in on this device before: `device` of every call that signs in. */
export const storedDeviceToken = (): string | undefined => deviceTokenKey.get();

type LoginType = NonNullable<EventDetails['login_type']>;

/** Signs in whom the server has let in, remembers that this device is known, and counts it. */
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
 * Whoever is signed in has no business here: they go on to where they came from, or to `otherwise`. Answers whether
 * they are on their way, which on a slow line takes a while in which nothing here is to be tapped any more. A phone that
 * was handed a checkout logs in to see more than that.
 */
export function useContinueWhenSignedIn(returnTo: string | undefined, otherwise: string): boolean {
  const user = useSession();
  const signedIn = user !== null && !user.onlyPlanId;
  const navigate = useNavigate();
  // who is about to leave is asked first whether they do
  const href = user?.leavesAt ? '/my-data' : (safeReturnPath(returnTo) ?? otherwise);
  useEffect(() => {
    if (signedIn) void navigate({ href, replace: true });
  }, [signedIn, navigate, href]);
  return signedIn;
}

import type { UserInfo } from '../../contract/user.ts';
import type { EventDetails } from '../analytics/events.ts';
import { setSession } from '../session/session.ts';
import { deviceTokenKey } from '../storage/sign-in-keys.ts';

type LoginType = NonNullable<EventDetails['login_type']>;

/** Signs in whom the server has let in, remembers that this device is known, and counts it. */
export function entered({ deviceToken, ...user }: UserInfo, how: 'login' | 'register', loginType: LoginType): void {
  if (deviceToken) deviceTokenKey.set(deviceToken);
  setSession(user);
  import('../analytics/events.ts').then(
    ({ track }) => track(how, how, { login_type: loginType }),
    (error: unknown) => console.info('The entrance was not counted.', error),
  );
}

import { deviceTokenKey } from '../storage/sign-in-keys.ts';

/** What shows that somebody has signed in on this device before: `device` of every call that signs in. */
export const heldDeviceToken = (): string | undefined => deviceTokenKey.get();

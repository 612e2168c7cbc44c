import type { Identity } from '../account-rules.ts';
import type { CodeWait } from '#web/platform/session/storage/sign-in-keys.ts';

/** Upper limit in seconds, in case the clock of the device was changed. */
const longestWait = 86_400;

/**
 * Records that a code was sent, or may have been. Another can be requested in `seconds`. `now` is the server's time, in
 * ms.
 */
export function startCodeWait(identity: Identity, seconds: number, now: number): CodeWait {
  return { ...identity, until: now + Math.min(Math.max(seconds, 0), longestWait) * 1000 };
}

/** Whole seconds until another code can be requested; 0 if none. `now` is the server's time, in ms. */
export function secondsLeft(wait: Pick<CodeWait, 'until'> | undefined, now: number): number {
  if (!wait) return 0;
  return Math.min(Math.max(0, Math.ceil((wait.until - now) / 1000)), longestWait);
}

/** Whether the code was sent to this account; another account has its own countdown. */
export function isCodeForAccount(wait: CodeWait | undefined, identity: Identity | undefined): boolean {
  return (
    wait !== undefined &&
    identity !== undefined &&
    wait.type === identity.type &&
    wait.account.toLowerCase() === identity.account.toLowerCase() &&
    (wait.areaCode ?? '') === (identity.areaCode ?? '')
  );
}

/** A code is valid for ten minutes; its field is shown as long. */
const codeLifeMs = 10 * 60_000;
export function mayStillArrive(wait: CodeWait | undefined, now: number): boolean {
  return wait !== undefined && now - wait.until < codeLifeMs;
}

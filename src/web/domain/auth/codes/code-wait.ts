import type { Identity } from '../account-rules.ts';
import type { CodeWait } from '#web/platform/session/storage/sign-in-keys.ts';

/** Nobody waits longer than a day, whatever a clock that was changed would say; seconds. */
const longestWait = 86_400;

/** Notes that a code went out, or may have: another can be asked for in `seconds`. `now` is the server's, in ms. */
export function startCodeWait(identity: Identity, seconds: number, now: number): CodeWait {
  return { ...identity, until: now + Math.min(Math.max(seconds, 0), longestWait) * 1000 };
}

/** Whole seconds left until another code can be asked for; 0 when at once. `now` is the server's, in ms. */
export function secondsLeft(wait: Pick<CodeWait, 'until'> | undefined, now: number): number {
  if (!wait) return 0;
  return Math.min(Math.max(0, Math.ceil((wait.until - now) / 1000)), longestWait);
}

/** Whether the code went to this account; another account has its own countdown. */
export function isFor(wait: CodeWait | undefined, identity: Identity | undefined): boolean {
  return (
    wait !== undefined &&
    identity !== undefined &&
    wait.type === identity.type &&
    wait.account.toLowerCase() === identity.account.toLowerCase() &&
    (wait.areaCode ?? '') === (identity.areaCode ?? '')
  );
}

/** A code is good for ten minutes: as long after it was asked for, its field is worth showing. */
const codeLifeMs = 10 * 60_000;
export function mayStillArrive(wait: CodeWait | undefined, now: number): boolean {
  return wait !== undefined && now - wait.until < codeLifeMs;
}

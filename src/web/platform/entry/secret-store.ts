import type { Secrets } from './secrets.ts';

/** In memory only, so that a reload clears them. Always empty on the server. */
let stored: Secrets = {};

/** Stores the secrets of the URL, or restores one that a page still needs after a detour. */
export function storeSecrets(secrets: Secrets): void {
  stored = secrets;
}

/** Reads without removing, because a component may render more than once. */
export function peekSecret<K extends keyof Secrets>(kind: K): Secrets[K] {
  return stored[kind];
}

/** Returns the secret and removes it. */
export function consumeSecret<K extends keyof Secrets>(kind: K): Secrets[K] {
  const { [kind]: taken, ...rest } = stored;
  stored = rest;
  return taken;
}

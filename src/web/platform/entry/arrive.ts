import type { Secrets } from './secrets.ts';

/** In memory and nowhere else: a reload forgets them, as it should. Always empty on the server. */
let held: Secrets = {};

/** Notes secrets of the address, or puts one back that a page still needs after a detour. */
export function storeSecrets(secrets: Secrets): void {
  held = secrets;
}

/** Looks without taking, because a component may be drawn more than once. */
export function peekSecret<K extends keyof Secrets>(kind: K): Secrets[K] {
  return held[kind];
}

/** The secret, once: asking for it forgets it. */
export function consumeSecret<K extends keyof Secrets>(kind: K): Secrets[K] {
  const { [kind]: taken, ...rest } = held;
  held = rest;
  return taken;
}

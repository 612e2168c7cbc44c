import { setTimeout } from 'node:timers/promises';
import { changePassword } from '#contract/index.ts';
import { setUserType } from '#server/auth/users.ts';
import type { TestApp } from './test-app.ts';
import { opens, accessPaths, type CompromisedAccount } from './access-paths.ts';

/** The ways to get a session that an attacker can use at the same time as the owner evicts all sessions. */
export const racingAccessPaths = [
  'the password',
  'a code to log in by',
  'a token of the app',
  'a TV device that was approved and has not fetched its token',
  'a TV device that waits and is approved by the stolen session',
  'a TV device that is signed in and waits for a phone',
] as const;

type Evict = (shop: TestApp, victim: CompromisedAccount) => Promise<{ code: number; errCode?: number | undefined }>;

export const evictions: Readonly<Record<'change' | 'block', Evict>> = {
  change: (shop, { password, token }) => {
    const body = { currentPassword: password, newPassword: 'the password of the owner' };
    return shop.request(changePassword, { body }, { token });
  },
  block: async (shop, { uid }) => {
    await setUserType(shop.db, { brand: 'lumen', uid }, 'BLOCKED', shop.clock.now);
    return { code: 0 };
  },
};

/**
 * Evicts all sessions of a customer while an attacker gets a session, once for each delay of the attacker. Returns the
 * number of sessions that are open afterwards; throws when an eviction fails.
 */
export async function survivingSessions(
  shop: TestApp,
  [way, eviction]: readonly [(typeof racingAccessPaths)[number], keyof typeof evictions],
  delaysMs: readonly number[],
): Promise<number> {
  let open = 0;
  for (const delayMs of delaysMs) {
    shop.clock.advance(10 * 60_000);
    const victim = await shop.customer();
    const getSession = await accessPaths[way]?.(shop, victim);
    const getSessionLater = () => setTimeout(delayMs).then(getSession);
    const [evicted, token] = await Promise.all([evictions[eviction](shop, victim), getSessionLater()]);
    if (evicted.code !== 0) throw new Error(`the ${eviction} was refused`);
    if (await opens(shop, token)) open += 1;
  }
  return open;
}

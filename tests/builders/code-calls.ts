import { like } from 'drizzle-orm';
import { expect } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { someWork } from './a-captcha.ts';
import { testNow, type TestApp } from './test-app.ts';

export const ana = { account: 'ana@example.com', type: 'email' } as const;
export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

interface Origin {
  host?: string;
  ip?: string;
}

/** The calls of a customer who requests codes and logs in with them. */
export function codeCalls(currentShop: () => TestApp) {
  const options = ({ host, ip = '203.0.113.1' }: Origin) => ({ host, headers: { 'X-Forwarded-For': ip } });
  const ask = (change: object = {}, where: Origin = {}) =>
    currentShop().request(
      endpoints.sendVerificationCode,
      { body: { ...ana, scene: 'login', language: 'en', ...change } },
      options(where),
    );
  const enter = (code: string, change: object = {}, where: Origin = {}) =>
    currentShop().request(endpoints.codeLogin, { body: { ...ana, code, ...change } }, options(where));
  const asked = async (change: object = {}, where: Origin = {}) => {
    expect((await ask(change, where)).code).toBe(0);
    return currentShop().lastCode(ana.account);
  };
  const worked = () => someWork(currentShop(), { account: ana.account, ip: '203.0.113.1' });
  const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');
  /** A customer whose sign-up code does not count towards the limits of today. */
  const customer = async (given: { account?: string } = ana) => {
    const user = await currentShop().customer({ account: given.account ?? ana.account });
    await currentShop().db.delete(throttles).where(like(throttles.key, 'code %'));
    return user;
  };
  const spent = (key: string, count: number, forMs: number) =>
    currentShop()
      .db.insert(throttles)
      .values({ key, count, resetsAt: testNow + forMs });
  return { options, ask, enter, asked, worked, otherThan, customer, spent };
}

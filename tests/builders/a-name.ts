import * as endpoints from '#contract/index.ts';
import type { TestApp } from './test-app.ts';

/** A brand whose sign-up requires no code. */
export const host = 'baobab.localhost';
export const minuteMs = 60_000;

export type Name = { readonly account: string; readonly type: 'email' | 'phone'; readonly areaCode?: string };
let created = 0;
export const anAddress = (who: string): Name => ({ account: `${who}${(created += 1)}@example.com`, type: 'email' });
export const aNumber = (): Name => ({ account: `7123456${10 + (created += 1)}`, type: 'phone', areaCode: '254' });
/** The account as the database stores it. */
export const stored = ({ account, areaCode = '' }: Name) => `${areaCode}${account}`;

/** API calls of a customer who signs up with an address or number, and of its owner, who verifies it with a code. */
export function nameCalls(currentShop: () => TestApp) {
  const signUp = async (name: Name, password = 'a password of its creator') => {
    const body = { ...name, password, agreePolicy: true, language: 'en' } as const;
    return { ...(await currentShop().request(endpoints.signup, { body }, { host })).data, password };
  };

  const codeTo = async (name: Name, scene: 'login' | 'reset'): Promise<string> => {
    currentShop().clock.advance(minuteMs);
    await currentShop().request(endpoints.sendVerificationCode, { body: { ...name, scene, language: 'en' } }, { host });
    return currentShop().lastCode(stored(name));
  };

  const logInByCode = async (name: Name, device?: string) =>
    currentShop().request(
      endpoints.codeLogin,
      { body: { ...name, code: await codeTo(name, 'login'), device } },
      { host },
    );
  const logIn = (name: Name, password: string) =>
    currentShop().request(endpoints.login, { body: { ...name, password } }, { host });
  return { signUp, codeTo, logInByCode, logIn };
}

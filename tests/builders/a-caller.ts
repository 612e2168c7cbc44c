import type { Endpoint, Input, Result } from '#contract/endpoint.ts';
import type { CodeScene } from '#contract/codes.ts';
import * as endpoints from '#contract/index.ts';
import { someWork } from './a-captcha.ts';
import { numberFor, type SolvedCaptcha } from '#tests/fixtures/solve-captcha.ts';
import type { Answer, CallOptions, TestApp } from './test-app.ts';

export interface Name {
  readonly account: string;
  readonly type: 'email' | 'phone';
  readonly areaCode?: string;
}

/** Somebody at an address, as a shop behind a proxy sees them. */
export interface Caller {
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Answer<Result<E>>>;
  /** work, done */
  solve(name: Name): Promise<SolvedCaptcha>;
  /** as the storefront does: with work where the shop asks for it */
  logIn(name: Name, password: string, device?: string): Promise<Answer<Result<typeof endpoints.login>>>;
  askCode(
    name: Name,
    scene: CodeScene,
    device?: string,
  ): Promise<Answer<Result<typeof endpoints.sendVerificationCode>>>;
  askReset(email: string, device?: string): Promise<Answer<Result<typeof endpoints.resetPasswordByEmail>>>;
  /** how often work was done for this caller */
  readonly worked: () => number;
}

const asksForWork = -3035;

/**
 * A caller of a shop that trusts 127.0.0.1 as its proxy. The work is small, unless it is to be as `dear` as the shop makes
 * it: some tenths of a second each.
 */
export function aCaller(shop: Pick<TestApp, 'request' | 'deps'>, ip: string, { dear = false } = {}): Caller {
  let worked = 0;
  const call: Caller['call'] = (endpoint, input, options = {}) =>
    shop.request(endpoint, input, { ...options, headers: { ...options.headers, 'X-Forwarded-For': ip } });
  const solve = async (name: Name): Promise<SolvedCaptcha> => {
    worked += 1;
    if (!dear) return someWork(shop, { account: `${name.areaCode ?? ''}${name.account}`, ip });
    const { data } = await call(endpoints.createRandCode, { body: { kind: 'work', ...name } });
    if (data.kind !== 'work') throw new Error('work was asked for');
    return { captchaId: data.captchaId, captcha: numberFor(data) };
  };
  const insist = async <T>(name: Name, ask: (solved: Partial<SolvedCaptcha>) => Promise<Answer<T>>) => {
    const first = await ask({});
    return first.errCode === asksForWork ? ask(await solve(name)) : first;
  };
  return {
    call,
    solve,
    worked: () => worked,
    logIn: (name, password, device) =>
      insist(name, (solved) => call(endpoints.login, { body: { ...name, password, device, ...solved } })),
    askCode: (name, scene, device) =>
      insist(name, (solved) =>
        call(endpoints.sendVerificationCode, { body: { ...name, scene, language: 'en', device, ...solved } }),
      ),
    askReset: (email, device) =>
      insist({ account: email, type: 'email' }, (solved) =>
        call(endpoints.resetPasswordByEmail, { body: { email, language: 'en', device, ...solved } }),
      ),
  };
}

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

/** A client at an IP address, as a shop behind a proxy sees it. */
export interface Caller {
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Answer<Result<E>>>;
  /** a solved proof of work */
  solve(name: Name): Promise<SolvedCaptcha>;
  /** like the storefront: with a proof of work where the shop requires one */
  logIn(name: Name, password: string, device?: string): Promise<Answer<Result<typeof endpoints.login>>>;
  askCode(
    name: Name,
    scene: CodeScene,
    device?: string,
  ): Promise<Answer<Result<typeof endpoints.sendVerificationCode>>>;
  askReset(email: string, device?: string): Promise<Answer<Result<typeof endpoints.resetPasswordByEmail>>>;
  /** the number of proofs of work that this caller solved */
  readonly worked: () => number;
}

const captchaRequired = -3035;

/**
 * A caller of a shop that trusts 127.0.0.1 as its proxy. Its proofs of work are small; with `dear` they have the shop's
 * real size, which takes some tenths of a second each.
 */
export function aCaller(shop: Pick<TestApp, 'request' | 'deps'>, ip: string, { dear = false } = {}): Caller {
  let worked = 0;
  const call: Caller['call'] = (endpoint, input, options = {}) =>
    shop.request(endpoint, input, { ...options, headers: { ...options.headers, 'X-Forwarded-For': ip } });
  const solve = async (name: Name): Promise<SolvedCaptcha> => {
    worked += 1;
    if (!dear) return someWork(shop, { account: `${name.areaCode ?? ''}${name.account}`, ip });
    const { data } = await call(endpoints.createRandCode, { body: { kind: 'work', ...name } });
    if (data.kind !== 'work') throw new Error('a proof of work was requested');
    return { captchaId: data.captchaId, captcha: numberFor(data) };
  };
  const sendWithCaptcha = async <T>(name: Name, send: (solved: Partial<SolvedCaptcha>) => Promise<Answer<T>>) => {
    const first = await send({});
    return first.errCode === captchaRequired ? send(await solve(name)) : first;
  };
  return {
    call,
    solve,
    worked: () => worked,
    logIn: (name, password, device) =>
      sendWithCaptcha(name, (solved) => call(endpoints.login, { body: { ...name, password, device, ...solved } })),
    askCode: (name, scene, device) =>
      sendWithCaptcha(name, (solved) =>
        call(endpoints.sendVerificationCode, { body: { ...name, scene, language: 'en', device, ...solved } }),
      ),
    askReset: (email, device) =>
      sendWithCaptcha({ account: email, type: 'email' }, (solved) =>
        call(endpoints.resetPasswordByEmail, { body: { email, language: 'en', device, ...solved } }),
      ),
  };
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteKeySchema } from '#contract/captcha.ts';
import { siteKey, siteVerify } from '#contract/index.ts';
import { googleRecaptcha, recaptcha } from '#server/auth/captcha/recaptcha.ts';
import { consumeCaptcha } from '#server/auth/captcha/ticket.ts';
import { BadEnvironment, readSettings } from '#server/env.ts';
import * as v from 'valibot';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const on = { SANDBOX_CAPTCHA: 'true' };
let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: on });
});
afterAll(() => shop.close());

const ana = { account: 'ana@example.com', type: 'email' } as const;
const owner = { brand: 'lumen', account: ana.account, ip: '127.0.0.1' };
const verify = (token: string, app = shop) => app.request(siteVerify, { body: { token, language: 'en', ...ana } });
const keyOf = async () => Buffer.from((await shop.request(siteKey, {})).data.key, 'base64').toString();

/** Ticks the checkbox of the sandbox provider. */
async function tick(): Promise<string> {
  const body = new URLSearchParams({ sitekey: await keyOf() });
  const response = await shop.app.request('http://localhost/sandbox/captcha/token', { method: 'POST', body });
  return v.parse(v.object({ token: v.string() }), await response.json()).token;
}

describe('the script captcha of the sandbox', () => {
  it('provides a valid encoded site key and the URL of its frame', async () => {
    const { frame } = (await shop.request(siteKey, {})).data;
    expect(v.is(siteKeySchema, await keyOf())).toBe(true);
    expect(frame).toBe('/captcha/frame');
  });

  it('exchanges a ticked checkbox for a ticket, which passes once and for its account only', async () => {
    const { data: other } = await verify(await tick());
    expect(await consumeCaptcha(shop.deps, { ...owner, account: 'eva@example.com' }, other)).toBe(false);
    const { data } = await verify(await tick());
    expect(await consumeCaptcha(shop.deps, owner, data)).toBe(true);
    expect(await consumeCaptcha(shop.deps, owner, data)).toBe(false);
  });

  it('accepts each token once, within two minutes, and no forged one', async () => {
    const used = await tick();
    expect((await verify(used)).code).toBe(0);
    expect(await verify(used)).toMatchObject({ errCode: -3035, status: 400 });
    const late = await tick();
    shop.clock.advance(120_000);
    expect((await verify(late)).errCode).toBe(-3035);
    const [id, until] = (await tick()).split('.');
    expect((await verify(`${id}.${Number(until) + 1}.${'A'.repeat(43)}`)).errCode).toBe(-3035);
    expect((await verify('made up')).errCode).toBe(-3035);
  });

  it('refuses to verify a token for a caller without the secret', async () => {
    const body = new URLSearchParams({ secret: 'guessed', response: await tick() });
    const response = await shop.app.request('http://localhost/sandbox/captcha/siteverify', { method: 'POST', body });
    expect(await response.json()).toEqual({ success: false, 'error-codes': ['invalid-input-secret'] });
  });

  it('is not available to an unknown site key', async () => {
    const body = new URLSearchParams({ sitekey: 'another-site-key' });
    const response = await shop.app.request('http://localhost/sandbox/captcha/token', { method: 'POST', body });
    expect(response.status).toBe(400);
  });
});

describe('the document in the frame', () => {
  const load = (app: TestApp, host = 'localhost') =>
    app.app.request('http://x/captcha/frame', { headers: { Host: host } });

  it('may load only the provider, and only our own pages may frame it', async () => {
    const response = await load(shop, 'localhost:3000');
    const policy = response.headers.get('content-security-policy') ?? '';
    const directives = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]));
    expect(response.status).toBe(200);
    expect(directives.get('default-src')).toEqual(["'none'"]);
    expect(directives.get('script-src')).toEqual([
      expect.stringMatching(/^'sha256-/),
      'http://localhost:3000/sandbox/captcha/api.js',
    ]);
    expect(directives.get('connect-src')).toEqual(['http://localhost:3000/sandbox/captcha/token']);
    expect(directives.get('frame-ancestors')).toEqual(["'self'"]);
    expect(directives.get('base-uri')).toEqual(["'none'"]);
    expect(response.headers.get('x-frame-options')).toBeNull();
  });

  it('contains no key and no brand', async () => {
    const html = await (await load(shop)).text();
    expect(html).not.toContain(await keyOf());
    expect(html).not.toMatch(/lumen|mego/i);
  });

  it('is served from CAPTCHA_ORIGIN if that is set, for the pages of all brands', async () => {
    const apart = await testApp({ env: { ...on, CAPTCHA_ORIGIN: 'http://captcha.localhost:3000' } });
    try {
      expect((await apart.request(siteKey, {})).data.frame).toBe('http://captcha.localhost:3000/captcha/frame');
      const response = await load(apart, 'captcha.localhost:3000');
      expect(response.headers.get('content-security-policy')).toMatch(
        /frame-ancestors 'self' .*http:\/\/mego\.localhost:3000/,
      );
      expect((await load(apart, 'localhost:3000')).status).toBe(404);
      expect((await load(apart, 'elsewhere.example')).status).toBe(404);
      const home = await apart.app.request('http://x/api/user/site/key', {
        headers: { Host: 'captcha.localhost:3000' },
      });
      expect(home.status).toBe(421);
    } finally {
      await apart.close();
    }
  });

  it('is not served if CAPTCHA_ORIGIN is the origin of a brand', async () => {
    const wrong = await testApp({ env: { ...on, CAPTCHA_ORIGIN: 'http://mego.localhost:3000' } });
    try {
      expect((await load(wrong, 'mego.localhost:3000')).status).toBe(404);
    } finally {
      await wrong.close();
    }
  });

  it('may be framed under our pages’ policy, which contains its origin', async () => {
    const { composeDocument } = await import('#server/http/pages/document.ts');
    const page = {
      status: 200,
      lang: 'en',
      scene: 'WEB',
      head: '',
      body: '',
      style: '',
      state: { messages: {} },
      modules: [],
    };
    const files = { entry: '/e.js', preloads: [], sheets: [], css: '' };
    // The policy depends on no other part of the page.
    const policyOf = (origin?: string) =>
      composeDocument(page as never, files, { address: 'http://localhost', captchaOrigin: origin }).policy.split('; ');
    expect(policyOf()).toContain("frame-src 'self'");
    expect(policyOf('https://captcha.example')).toContain("frame-src 'self' https://captcha.example");
  });
});

describe('a real provider', () => {
  const requests: { url: string; form: URLSearchParams }[] = [];
  const answering = (answer: () => Response | Promise<Response>) =>
    testApp({
      deps: ({ log }) => ({
        scriptCaptcha: recaptcha({
          ...googleRecaptcha,
          siteKey: 'a-real-site-key',
          secret: 'a-real-secret',
          log,
          send: async (request) => {
            requests.push({ url: request.url, form: new URLSearchParams(await request.text()) });
            return answer();
          },
        }),
      }),
    });

  const refusalOf = async (answer: () => Response | Promise<Response>) => {
    const app = await answering(answer);
    try {
      return (await verify('a-token', app)).errCode;
    } finally {
      await app.close();
    }
  };

  it('gets a request at its fixed address with our secret and the customer’s token', async () => {
    expect(await refusalOf(() => Response.json({ success: true }))).toBeUndefined();
    const last = requests.at(-1);
    expect(last?.url).toBe('https://www.google.com/recaptcha/api/siteverify');
    expect(Object.fromEntries(last?.form ?? [])).toEqual({
      secret: 'a-real-secret',
      response: 'a-token',
      remoteip: '127.0.0.1',
    });
  });

  it('that is down, slow or broken is answered as a busy service, not as a wrong captcha', async () => {
    expect(await refusalOf(() => Promise.reject(new TypeError('fetch failed')))).toBe(-24040);
    expect(await refusalOf(() => Promise.reject(new DOMException('late', 'TimeoutError')))).toBe(-24040);
    expect(await refusalOf(() => new Response('<html>', { status: 502 }))).toBe(-24040);
    expect(await refusalOf(() => new Response('<html>sorry'))).toBe(-24040);
    expect(await refusalOf(() => Response.json({ success: 'yes' }))).toBe(-24040);
  });

  it('that rejects our secret is reported as an error of our configuration', async () => {
    const answer = { success: false, 'error-codes': ['invalid-input-secret'] };
    expect(await refusalOf(() => Response.json(answer))).toBe(-3036);
    expect(await refusalOf(() => Response.json({ success: false }))).toBe(-3035);
  });

  it('requires both keys and an origin of its own', () => {
    const keys = { RECAPTCHA_SITE_KEY: 'a-real-site-key', RECAPTCHA_SECRET: 'a-real-secret' };
    const origin = { CAPTCHA_ORIGIN: 'https://captcha.example' };
    expect(() => readSettings({ ...keys, ...origin })).not.toThrow();
    expect(() => readSettings(keys)).toThrow(BadEnvironment);
    expect(() => readSettings(keys)).toThrow('CAPTCHA_ORIGIN');
    expect(() => readSettings({ RECAPTCHA_SECRET: 'a-real-secret', ...origin })).toThrow('RECAPTCHA_SECRET');
  });
});

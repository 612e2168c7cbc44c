import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BadEnvironment, readSettings } from './env.ts';

describe('settings', () => {
  it('need nothing to be set', () => {
    expect(readSettings({})).toMatchObject({ PORT: 3000, DATA_DIR: '.data', EXTRA_HOSTS: [] });
  });

  it('treat an empty variable as missing', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
  });

  it('name every variable that does not fit, at once', () => {
    const wrong = { PORT: '70000', DATABASE_URL: 'mysql://x', SIGNING_SECRET: 'short', PUBLIC_ORIGIN: 'https://a/b' };
    const problems = () => readSettings(wrong);
    expect(problems).toThrow(BadEnvironment);
    for (const name of Object.keys(wrong)) expect(problems).toThrow(name);
  });

  it('say what to write, never their pattern or a value, which can be a secret', () => {
    const problemsOf = (name: string, value: string) => {
      try {
        readSettings({ [name]: value });
        return [];
      } catch (error) {
        return error instanceof BadEnvironment ? error.problems : [String(error)];
      }
    };
    const values = ['sëcret value', '-1', '1.5', '99999999999'];
    const guide = readFileSync(new URL('docs/configuration.md', import.meta.url), 'utf8');
    const names = Array.from(guide.matchAll(/^### `(\w+)`/gm), ([, name = '']) => name);
    const problems = names.flatMap((name) => values.flatMap((one) => problemsOf(name, one)));
    expect(problems.length).toBeGreaterThan(100);
    expect(problems.filter((said) => /Invalid|Expected|received/i.test(said))).toEqual([]);
    expect(problems.filter((said) => said.includes('sëcret') && !said.startsWith('TRUST_PROXY'))).toEqual([]);
    expect(problemsOf('LOG_LEVEL', 'loud')).toEqual([
      'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent',
    ]);
  });

  it('refuse a currency that ISO 4217 does not have, by the name of the setting', () => {
    expect(() => readSettings({ BTCPAY_CURRENCIES: 'USD,EUT' })).toThrow(
      /BTCPAY_CURRENCIES: must be ISO 4217 codes; invalid: EUT/,
    );
    expect(readSettings({ BTCPAY_CURRENCIES: 'USD,KWD' }).BTCPAY_CURRENCIES).toEqual(['USD', 'KWD']);
  });

  it('read lists and booleans in several spellings', () => {
    expect(readSettings({ EXTRA_HOSTS: ' TV.local, 10.0.0.2 ,', SANDBOX: 'false' })).toMatchObject({
      EXTRA_HOSTS: ['tv.local', '10.0.0.2'],
      SANDBOX: false,
    });
  });

  it('trust the proxies that are listed, and nobody where none is', () => {
    const { TRUST_PROXY: listed } = readSettings({ TRUST_PROXY: '10.0.0.0/8, 2001:DB8::/32,127.0.0.1' });
    const trusted = ['10.9.8.7', '::ffff:10.9.8.7', '2001:db8:1::1', '127.0.0.1'];
    expect(trusted.filter((address) => !listed.trusts(address))).toEqual([]);
    expect(['11.0.0.1', '127.0.0.2', '2001:db9::1', 'unknown'].filter((address) => listed.trusts(address))).toEqual([]);
    expect(readSettings({}).TRUST_PROXY.trusts('127.0.0.1')).toBe(false);
  });

  it.each(['true', '1', 'loopback', '10.0.0.0/33', '10.0.0.0/0', '::/0', '10.0.0.0/8/8', '10.0.0', 'fe80::/129'])(
    'are refused with %s in the place of proxies',
    (wrong) => {
      const refused = () => readSettings({ TRUST_PROXY: `10.0.0.1, ${wrong}` });
      expect(refused).toThrow(BadEnvironment);
      expect(refused).toThrow(`TRUST_PROXY: must list the proxies in front of the shop by address or network`);
      expect(refused).toThrow(`neither: ${wrong}`);
    },
  );

  it('say that a key of Stripe is too short, or how it begins', () => {
    const refusal = (settings: Record<string, string>) => () => readSettings(settings);
    expect(refusal({ STRIPE_SECRET_KEY: 'sk_test_51' })).toThrow(/STRIPE_SECRET_KEY: is too short; copy all of it$/m);
    expect(refusal({ STRIPE_SECRET_KEY: 'pk_test_51Hxyz0123' })).toThrow(/STRIPE_SECRET_KEY: must begin with sk_/);
    expect(refusal({ STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toThrow(
      /STRIPE_WEBHOOK_SECRET: is too short; copy all of it$/m,
    );
  });

  it('require both PayPal settings, or neither', () => {
    const half = { PAYPAL_CLIENT_ID: 'a-client-of-paypal' };
    expect(() => readSettings(half)).toThrow('PAYPAL_CLIENT_SECRET');
    expect(readSettings({ ...half, PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' }).PAYPAL_ENVIRONMENT).toBe('sandbox');
    expect(() => readSettings({ PAYPAL_ENVIRONMENT: 'test' })).toThrow('PAYPAL_ENVIRONMENT');
  });

  it.each([
    ['PUBLIC_ORIGIN', 'https://shop.example'],
    ['SMTP_URL', 'smtp://mail.example'],
  ])('with %s require SANDBOX, and say what to do', (name, value) => {
    const start = () => readSettings({ [name]: value });
    expect(start).toThrow(BadEnvironment);
    expect(start).toThrow(new RegExp(`SANDBOX: must be set, because ${name} indicates production: false for a shop`));
    expect(() => readSettings({ [name]: value, SANDBOX: '' })).toThrow('SANDBOX');
    for (const SANDBOX of ['true', 'false']) {
      expect(readSettings({ [name]: value, SANDBOX }).SANDBOX).toBe(SANDBOX === 'true');
    }
  });

  it('turn the sandbox off in production, unless the operator turns it on', () => {
    expect(readSettings({ NODE_ENV: 'production' }).SANDBOX).toBe(false);
    expect(readSettings({ NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://shop.example' }).SANDBOX).toBe(false);
    expect(readSettings({ NODE_ENV: 'production', SANDBOX: 'true' }).SANDBOX).toBe(true);
  });

  it('turn the sandbox on where no setting is for production', () => {
    expect(readSettings({})).toMatchObject({ NODE_ENV: 'production', SANDBOX: true, SANDBOX_PUBLIC: false });
    expect(readSettings({ NODE_ENV: 'development' }).SANDBOX).toBe(true);
    expect(readSettings({ NODE_ENV: 'test' }).SANDBOX).toBe(true);
  });

  it('retain sign-ins for a year and analytics for a month longer, or for the configured months', () => {
    expect(readSettings({})).toMatchObject({ SIGN_INS_KEPT_MONTHS: 12, ANALYTICS_KEPT_MONTHS: 13 });
    expect(readSettings({ SIGN_INS_KEPT_MONTHS: '3' }).SIGN_INS_KEPT_MONTHS).toBe(3);
    for (const wrong of ['0', '-1', '121', '1.5', 'a year', '1e2']) {
      expect(() => readSettings({ ANALYTICS_KEPT_MONTHS: wrong })).toThrow('ANALYTICS_KEPT_MONTHS');
    }
  });
});

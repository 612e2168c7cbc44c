import { describe, expect, it } from 'vitest';
import { BadEnvironment, readSettings } from './env.ts';

describe('settings', () => {
  it('need nothing to be set', () => {
    expect(readSettings({})).toMatchObject({ PORT: 3000, DATA_DIR: '.data', TRUST_PROXY: false, EXTRA_HOSTS: [] });
  });

  it('take an empty variable for an absent one', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
  });

  it('name every variable that does not fit, at once', () => {
    const wrong = { PORT: '70000', DATABASE_URL: 'mysql://x', SIGNING_SECRET: 'short', PUBLIC_ORIGIN: 'https://a/b' };
    const problems = () => readSettings(wrong);
    expect(problems).toThrow(BadEnvironment);
    for (const name of Object.keys(wrong)) expect(problems).toThrow(name);
  });

  it('read lists and switches as people write them', () => {
    expect(readSettings({ EXTRA_HOSTS: ' TV.local, 10.0.0.2 ,', TRUST_PROXY: '1', SANDBOX: 'false' })).toMatchObject({
      EXTRA_HOSTS: ['tv.local', '10.0.0.2'],
      TRUST_PROXY: true,
      SANDBOX: false,
    });
  });

  it('want both halves of an app at PayPal, or none', () => {
    const half = { PAYPAL_CLIENT_ID: 'a-client-of-paypal' };
    expect(() => readSettings(half)).toThrow('PAYPAL_CLIENT_SECRET');
    expect(readSettings({ ...half, PAYPAL_CLIENT_SECRET: 'a-secret-of-paypal' }).PAYPAL_ENVIRONMENT).toBe('sandbox');
    expect(() => readSettings({ PAYPAL_ENVIRONMENT: 'test' })).toThrow('PAYPAL_ENVIRONMENT');
  });
});

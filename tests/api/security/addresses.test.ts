import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { aCaller } from '#tests/builders/a-caller.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { Refused, callShop } from '#tests/fixtures/shop-api.ts';
import { startServer } from '#tests/fixtures/server-process.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48' } });
});
afterEach(() => shop.close());

const guessCode = (ip: string, account = 'ana@example.com') =>
  aCaller(shop, ip).call(endpoints.codeLogin, { body: { account, type: 'email', code: '1234' } });
const keys = async () => (await shop.db.select().from(throttles)).map(({ key, count }) => [key, count]);

describe('guesses from one IPv6 network', () => {
  it('share one limit for all its addresses: of 400 guesses, the last 100 are refused', { tags: 'slow' }, async () => {
    const answers: (number | undefined)[] = [];
    for (let index = 0; index < 400; index += 1) {
      answers.push((await guessCode(`2001:db8:1:2:${index.toString(16)}::1`)).errCode);
    }
    expect(new Set(answers.slice(0, 300))).toEqual(new Set([-3033]));
    expect(new Set(answers.slice(300))).toEqual(new Set([17]));
    expect((await guessCode('2001:db8:1:3::1')).errCode).toBe(-3033);
    expect(await keys()).toEqual(
      expect.arrayContaining([
        ['code guess lumen 2001:db8:1:2::/64', 400],
        ['code guess lumen 2001:db8:1::/48', 401],
      ]),
    );
  });

  it('share a wider limit with the other networks of the provider', async () => {
    const resetsAt = shop.clock.now + 60_000;
    await shop.db.insert(throttles).values({ key: 'code guess lumen 2001:db8:1::/48', count: 3000, resetsAt });
    expect(await guessCode('2001:db8:1:abcd::1')).toMatchObject({ errCode: 17, params: { waitSeconds: 60 } });
    expect((await guessCode('2001:db8:2:abcd::1')).errCode).toBe(-3033);
  });

  it('at one password are counted together, and IPv4 is counted the same in any notation', async () => {
    const guess = (ip: string, account: string) =>
      aCaller(shop, ip).call(endpoints.login, { body: { account, type: 'email', password: 'a guess' } });
    for (let index = 0; index < 10; index += 1) {
      expect((await guess(`2001:db8:1:2::${index}`, 'ana@example.com')).errCode).toBe(3001);
      expect((await guess(index % 2 ? '203.0.113.1' : '::ffff:203.0.113.1', 'eva@example.com')).errCode).toBe(3001);
    }
    expect((await guess('2001:db8:1:2:ffff::9', 'ana@example.com')).errCode).toBe(-3035);
    expect((await guess('2001:db8:1:3::9', 'ana@example.com')).errCode).toBe(3001);
    expect((await guess('::FFFF:cb00:7101', 'eva@example.com')).errCode).toBe(-3035);
  });
});

describe('a forwarding header', () => {
  const addressesSeen = async (headers: Record<string, string>) => {
    await shop.db.delete(throttles);
    await shop.request(
      endpoints.codeLogin,
      { body: { account: 'ana@example.com', type: 'email', code: '1234' } },
      { headers },
    );
    return (await keys()).map(([key]) => key);
  };

  it('is trusted up to the last listed proxy, and not before it', async () => {
    const forwarded = '6.6.6.6, 203.0.113.9, 10.1.1.1, 2001:db8:ffff::7';
    expect(await addressesSeen({ 'X-Forwarded-For': forwarded })).toEqual(['code guess lumen 203.0.113.9']);
  });

  it('is ignored without a listed proxy: for the address, the host, the scheme and the country', async () => {
    const plain = await testApp();
    try {
      const headers = {
        'X-Forwarded-For': '203.0.113.9',
        'X-Forwarded-Host': 'mego.localhost',
        'X-Forwarded-Proto': 'https',
        'CF-IPCountry': 'KZ',
      };
      const body = { account: 'ana@example.com', type: 'email', code: '1234' } as const;
      await plain.request(endpoints.codeLogin, { body }, { headers });
      expect((await plain.db.select().from(throttles)).map(({ key }) => key)).toEqual(['code guess lumen 127.0.0.1']);
      const theme = await plain.request(endpoints.theme, {}, { headers });
      expect(theme.data.name).toBe('Lumen');
      const country = await plain.request(endpoints.getCountryCode, {}, { headers });
      expect(country.data.countryCode).not.toBe('KZ');
    } finally {
      await plain.close();
    }
  });
});

it('a caller who reaches the port directly is not trusted, while the listed proxy is', { tags: 'slow' }, async () => {
  const server = await startServer({ env: { TRUST_PROXY: '10.0.0.0/8' } });
  try {
    const wait = { body: { account: 'ana@example.com', type: 'email', password: 'a guess' } } as const;
    const codes: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      // each request claims another address; the socket shows a single one
      const answer = await callShop(server.origin, endpoints.login, wait, { ip: `203.0.113.${index}` }).catch(
        (error: unknown) => error,
      );
      if (answer instanceof Refused) codes.push(answer.code);
    }
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 3001), -3035]);
  } finally {
    await server.dispose();
  }
});

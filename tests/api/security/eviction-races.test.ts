import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { evictions, racingAccessPaths, survivingSessions } from '#tests/builders/eviction-race.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { resetLink } from '#tests/builders/access-paths.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

/** Delays of the second request in milliseconds: a password hash takes about thirty. */
const delays = [0, 5, 15, 25, 30, 35, 40, 60];

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db, env: { SSO_APP_SECONDS: '9000', SSO_QR_SECONDS: '9000' } });
}, 120_000);
afterAll(() => opened?.close());

describe('during a password change on a real PostgreSQL', { timeout: 120_000, tags: 'slow' }, () => {
  it.each(racingAccessPaths)('%s leaves no session', async (way) => {
    expect(await survivingSessions(shop, [way, 'change'], delays)).toBe(0);
  });

  it('a reset link does not revert it, and there is no deadlock', async () => {
    for (let round = 0; round < delays.length; round += 1) {
      shop.clock.advance(10 * 60_000);
      const victim = await shop.customer();
      const token = await resetLink(shop, victim);
      const body = { token, password: 'the password of a thief' };
      const [change, reset] = await Promise.all([
        evictions.change(shop, victim),
        shop.request(endpoints.emailResetPassword, { body }),
      ]);
      expect([change.code, reset.code].filter((code) => code === 0)).toHaveLength(1);
      expect([0, 3, 21]).toContain(change.errCode ?? 0);
      expect([0, 10302]).toContain(reset.errCode ?? 0);
    }
  });
});

describe('while the account is being blocked, on a real PostgreSQL', { timeout: 120_000, tags: 'slow' }, () => {
  it.each(racingAccessPaths)('%s leaves no session', async (way) => {
    expect(await survivingSessions(shop, [way, 'block'], delays)).toBe(0);
  });
});

describe('a set-top box on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('is approved once, for one account, by ten simultaneous answers of two accounts', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        shop.request(
          endpoints.deviceConfirm,
          { body: { userCode, approve: true } },
          { token: (index % 2 ? ana : eva).token },
        ),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    await aTvDevice(shop).poll(deviceCode);
    const lists = await Promise.all(
      [ana, eva].map(({ token }) => shop.request(endpoints.listBoxes, { body: {} }, { token })),
    );
    expect(lists.flatMap(({ data }) => data)).toHaveLength(1);
  });
});

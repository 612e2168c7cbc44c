import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '../../../src/contract/index.ts';
import { block } from '../../../src/server/auth/block.ts';
import { aBox } from '../../builders/a-box.ts';
import { testApp, type TestApp } from '../../builders/test-app.ts';
import { opens, resetLink, waysIn, type Victim } from '../../builders/ways-in.ts';
import { openOnPostgres } from '../../fixtures/postgres.ts';

const rounds = 8;
/** How much later the other one comes, in milliseconds: a hash takes about thirty. */
const delays = [0, 5, 15, 25, 30, 35, 40, 60];
const wait = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db, env: { SSO_APP_SECONDS: '9000', SSO_QR_SECONDS: '9000' } });
}, 120_000);
afterAll(() => opened?.close());

const changePassword = ({ password, token }: Victim) =>
  shop.request(
    endpoints.changePassword,
    { body: { currentPassword: password, newPassword: 'the password of the owner' } },
    { token },
  );
const blockAccount = async ({ uid }: Victim) => {
  await block(shop.db, { brand: 'lumen', uid }, shop.clock.now);
  return { code: 0 };
};

/** At one moment the owner evicts everybody and somebody goes in; answers the sessions that are open afterwards. */
async function survivors(name: string, evict: (victim: Victim) => Promise<{ code: number }>): Promise<number> {
  let open = 0;
  for (let round = 0; round < rounds; round += 1) {
    shop.clock.advance(10 * 60_000);
    const victim = await shop.customer();
    const goIn = await waysIn[name]?.(shop, victim);
    const goInLater = async () => {
      await wait(delays[round % delays.length] ?? 0);
      return goIn?.();
    };
    const [evicted, token] = await Promise.all([evict(victim), goInLater()]);
    expect(evicted.code).toBe(0);
    if (await opens(shop, token)) open += 1;
  }
  return open;
}

describe('on a real PostgreSQL, while the password is being changed', { timeout: 120_000 }, () => {
  it.each([
    'the password',
    'a code to log in by',
    'a token of the app',
    'a box that was approved and has not fetched its token',
    'a box that waits and is approved by the stolen session',
    'a box that is signed in and waits for a phone',
  ])('%s leaves nobody signed in', async (name) => {
    expect(await survivors(name, changePassword)).toBe(0);
  });

  it('the link of a mail does not undo it, and neither waits for the other for ever', async () => {
    for (let round = 0; round < rounds; round += 1) {
      shop.clock.advance(10 * 60_000);
      const victim = await shop.customer();
      const token = await resetLink(shop, victim);
      const body = { token, password: 'the password of a thief' };
      const [change, reset] = await Promise.all([
        changePassword(victim),
        shop.request(endpoints.emailResetPassword, { body }),
      ]);
      expect([change.code, reset.code].filter((code) => code === 0)).toHaveLength(1);
      expect([0, 3, 21]).toContain(change.errCode ?? 0);
      expect([0, 10302]).toContain(reset.errCode ?? 0);
    }
  });
});

describe('on a real PostgreSQL, while the account is being blocked', { timeout: 120_000 }, () => {
  it.each(['the password', 'a code to log in by', 'a box that was approved and has not fetched its token'])(
    '%s leaves nobody signed in',
    async (name) => {
      expect(await survivors(name, blockAccount)).toBe(0);
    },
  );
});

describe('on a real PostgreSQL, a box', { timeout: 60_000 }, () => {
  it('that ten phones of two accounts answer at once is one box of one account', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const { deviceCode, userCode } = await aBox(shop).codes();
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
    await aBox(shop).poll(deviceCode);
    const lists = await Promise.all(
      [ana, eva].map(({ token }) => shop.request(endpoints.listBoxes, { body: {} }, { token })),
    );
    expect(lists.flatMap(({ data }) => data)).toHaveLength(1);
  });
});

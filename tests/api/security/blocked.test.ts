import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import type { UserInfo } from '#contract/user.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { users } from '#server/db/schema/users.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { runAtDatabase } from '#tests/builders/an-operator-demo.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { anInput, opens } from '#tests/builders/access-paths.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

let postgres: RunningPostgres;
let opened: OpenedDatabase;
let shop: TestApp;
let ana: UserInfo & { password: string };
beforeAll(async () => {
  postgres = await startPostgres({ filled: true });
  opened = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
});
beforeEach(async () => {
  ana = await shop.customer();
});

/** Runs the operator CLI beside the server. Returns the exit code and the output. */
async function asOperator(command: 'block' | 'unblock', account = ana.account) {
  let told = '';
  const out = { clock: () => shop.clock.now, print: () => {}, explain: (line: string) => void (told += line) };
  const code = await runAtDatabase(
    ['customers', command, '--brand=lumen', '--why=abuse', `--account=${account}`],
    { DATABASE_URL: postgres.url },
    out,
  );
  return { code, told };
}
const logIn = (user: Pick<typeof ana, 'account' | 'password'>) =>
  shop.request(endpoints.login, { body: { account: user.account, password: user.password, type: 'email' } });
const changeTypeTo = (userType: string) => shop.db.update(users).set({ userType }).where(eq(users.uid, ana.uid));

describe('a customer who is blocked by an operator', () => {
  it('is logged out everywhere at once, and other customers are not', async () => {
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    const box = String((await aTvDevice(shop).poll(deviceCode)).body['access_token']);
    const eva = await shop.customer();
    expect(await opens(shop, box)).toBe(true);

    expect((await asOperator('block')).told).toContain('is blocked');
    expect(await opens(shop, box)).toBe(false);
    const customerEndpoints = (Object.values(endpoints) as Endpoint[]).filter(({ access }) => access === 'customer');
    for (const endpoint of customerEndpoints) {
      const { errCode } = await shop.request(endpoint, anInput(endpoint), { token: ana.token });
      expect([endpoint.name, errCode]).toEqual([endpoint.name, 21]);
    }
    expect((await logIn(ana)).errCode).toBe(197);
    expect(await opens(shop, eva.token)).toBe(true);
  });

  it('can log in again after the operator has unblocked them', async () => {
    await asOperator('block');
    expect(await asOperator('unblock')).toMatchObject({ code: 0 });
    expect(await opens(shop, ana.token)).toBe(false);
    expect(await opens(shop, (await logIn(ana)).data.token)).toBe(true);
  });

  it('can log in again if the operator blocked them twice', async () => {
    await asOperator('block');
    expect((await asOperator('block')).told).toContain('is blocked');
    expect((await asOperator('unblock')).told).toContain('is MEMBER again and may log in again');
    expect(await opens(shop, (await logIn(ana)).data.token)).toBe(true);
  });

  it('cannot log in after a password reset', async () => {
    await asOperator('block');
    const request = { account: ana.account, type: 'email', scene: 'reset', language: 'en' } as const;
    shop.clock.advance(60_000);
    await shop.request(endpoints.sendVerificationCode, { body: request });
    const code = await shop.lastCode(ana.account.toLowerCase());
    const body = { account: ana.account, type: 'email', code, password: 'another secret' } as const;
    await shop.request(endpoints.resetPasswd, { body });
    expect((await logIn({ account: ana.account, password: 'another secret' })).errCode).toBe(197);
  });
});

describe('an account whose type may not log in', () => {
  it.each(['BLOCKED', 'RESELLER'])('has no open session as soon as its type is %s', async (userType) => {
    await changeTypeTo(userType);
    expect(await opens(shop, ana.token)).toBe(false);
    const answer = await shop.request(endpoints.deviceConfirm, { body: { userCode: 'BBBB-BBBB', approve: true } }, ana);
    expect(answer.errCode).toBe(-3033);
  });
});

describe('the operator CLI', () => {
  it('reports what is not possible', async () => {
    expect(await asOperator('unblock')).toMatchObject({ code: 1, told: `${ana.account} is not blocked.` });
    expect(await asOperator('block', 'nobody@example.com')).toMatchObject({ code: 1 });
    await changeTypeTo('RESELLER');
    expect((await asOperator('block')).told).toContain('is a reseller');
  });
});

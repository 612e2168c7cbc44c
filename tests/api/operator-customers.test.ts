import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { tokenHash } from '#server/auth/session.ts';
import { recordDecline } from '#server/billing/payment-limits.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { runAtDatabase } from '#tests/builders/an-operator-demo.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { aPerson, atGoogle } from '#tests/builders/google-sign-in.ts';
import { opens } from '#tests/builders/access-paths.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

let postgres: RunningPostgres;
let opened: OpenedDatabase;
let shop: Shop;
let ana: Awaited<ReturnType<Shop['customer']>>;
beforeAll(async () => {
  postgres = await startPostgres({ filled: true });
  opened = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
  shop = await aShop(opened.db);
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
});
beforeEach(async () => {
  ana = await shop.customer();
});

/** Runs an operator command while the shop is running. */
async function run(...args: string[]) {
  const done = { code: -1, out: '', told: '' };
  done.code = await runAtDatabase(
    [...args, ...(['list', 'find', 'show'].includes(args[1] ?? '') ? [] : ['--why=a ticket']), '--brand', 'lumen'],
    { DATABASE_URL: postgres.url },
    {
      clock: () => shop.clock.now,
      print: (line) => void (done.out += `${line}\n`),
      explain: (line) => void (done.told += line),
    },
  );
  return done;
}
const setType = (type: string) => run('customers', 'set-type', `--account=${ana.account}`, `--type=${type}`);
const logIn = () =>
  shop.request(endpoints.login, { body: { account: ana.account, password: ana.password, type: 'email' } });
const typeOf = async () => (await shop.db.select().from(users).where(eq(users.uid, ana.uid)))[0]?.userType;

describe('an operator who searches a customer', () => {
  it('finds any part of each address and number that the account has', async () => {
    const names = { email: 'zoe.zhang@second.example', phone: '5511900001234' };
    await shop.db.update(users).set(names).where(eq(users.uid, ana.uid));
    for (const part of [
      'zoe.zhang@second.example',
      'zoe.zh',
      'hang@sec',
      'second.example',
      '5511900001234',
      '00001234',
    ]) {
      const { out } = await run('customers', 'find', part, '--json');
      expect([part, out]).toEqual([part, expect.stringContaining(ana.uid)]);
    }
  });
});

describe('an operator who changes the type of a customer', () => {
  it('ends every session of a type that may not log in, and allows logins of another type', async () => {
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, ana);
    expect((await setType('reseller')).told).toContain('RESELLER now, is signed out everywhere');
    expect(await opens(shop, ana.token)).toBe(false);
    expect((await aTvDevice(shop).poll(deviceCode)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await setType('PREPAID')).told).toContain('may log in');
    expect(await opens(shop, ana.token)).toBe(false);
    const { uid, account, token } = (await logIn()).data;
    const body = { uid, account, type: 'email' } as const;
    expect((await shop.request(endpoints.queryInfo, { body }, { token })).data.userType).toBe('PREPAID');
  });

  it('gets an error for an unknown type or customer', async () => {
    expect(await setType('KING')).toMatchObject({ code: 2 });
    expect((await setType('KING')).told).toContain('one of MEMBER, PREPAID, RESELLER, BLOCKED');
    expect(await run('customers', 'set-type', '--account=nobody@example.com', '--type=MEMBER')).toMatchObject({
      code: 1,
    });
    expect(await run('customers')).toMatchObject({ code: 2 });
    expect(await typeOf()).toBe('MEMBER');
  });
});

describe('an account type that may not log in is refused with 197', () => {
  const become = (userType: string) => shop.db.update(users).set({ userType }).where(eq(users.uid, ana.uid));

  it('by password, code, Google and single sign-on', async () => {
    const body = { account: ana.account, type: 'email', scene: 'login', language: 'en' } as const;
    shop.clock.advance(60_000);
    await shop.request(endpoints.sendVerificationCode, { body });
    const code = await shop.lastCode(ana.account);
    await become('RESELLER');
    const { proof } = await atGoogle(shop, { form: aPerson(ana.account) });
    const attempts = [
      await logIn(),
      await shop.request(endpoints.codeLogin, { body: { account: ana.account, type: 'email', code } }),
      await shop.request(endpoints.googleLogin, { body: proof }),
      await shop.request(endpoints.sso, { body: { token: await anSsoToken(shop, { uid: ana.uid }) } }),
    ];
    expect(attempts.map(({ errCode }) => errCode)).toEqual([197, 197, 197, 197]);
    const refused = await aTvDevice(shop).authorize({
      login_token: await anSsoToken(shop, { uid: ana.uid, src: 'qr' }),
    });
    expect(refused.body).toMatchObject({ error: 'invalid_grant', errCode: 201 });
  });

  it('on a TV whose code was already approved, and on a phone that takes over a checkout', async () => {
    const tv = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode: tv.userCode, approve: true } }, ana);
    const own = await aTvDevice(shop).codes({ login_token: await anSsoToken(shop, { uid: ana.uid, src: 'qr' }) });
    const body = { planId: '101', language: 'en', idempotencyKey: crypto.randomUUID() } as const;
    const { userCode } = (await shop.request(endpoints.openHandover, { body }, ana)).data;
    await become('BLOCKED');
    expect((await aTvDevice(shop).poll(tv.deviceCode)).body).toMatchObject({ error: 'access_denied', errCode: 197 });
    const confirmed = { body: { userCode: own.userCode, approve: true } };
    expect((await shop.request(endpoints.deviceConfirm, confirmed)).errCode).toBe(197);
    expect((await shop.request(endpoints.takeHandover, { body: { userCode, approve: true } })).errCode).toBe(197);
  });
});

describe('a customer who has to wait after declined payments', () => {
  it('can pay again once an operator ends the wait', async () => {
    const buyer = await shop.buyer();
    const endWait = () => run('customers', 'end-wait', `--account=${buyer.account}`);
    expect((await endWait()).told).toContain('Nothing changed');
    const declined = { brand: 'lumen', uid: buyer.uid, cardId: null, cardLast4: '0002' };
    for (let n = 0; n < 10; n += 1) await recordDecline(shop.deps, declined, 'cardRejected');
    expect(await buyer.pay()).toMatchObject({ errCode: -3031 });
    expect((await endWait()).told).toContain('can pay again now');
    expect((await buyer.pay()).data.status).toBe('PAYMENT_SUCCEEDED');
  });
});

describe('a TV device that an operator signs out', () => {
  it('is named to the operator and ends alone', async () => {
    const logIn = async () => {
      const { deviceCode, userCode } = await aTvDevice(shop).codes();
      await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, ana);
      return String((await aTvDevice(shop).poll(deviceCode)).body['access_token']);
    };
    const [sold, kept] = [await logIn(), await logIn()];
    const shown = async () => {
      const { out } = await run('customers', 'show', `--account=${ana.account}`, '--json');
      // as: the fields under test only
      return (JSON.parse(out) as { tvs: { id: string; maker: string }[] }).tvs;
    };
    const tvs = await shown();
    expect(tvs).toMatchObject([{ maker: 'Xiaomi' }, { maker: 'Xiaomi' }]);
    const [row] = await shop.db
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, tokenHash(sold)));
    const signOut = (tv: string) => run('customers', 'sign-out', `--account=${ana.account}`, `--tv=${tv}`);
    expect((await signOut(row?.boxId ?? '')).told).toContain('The TV device of');
    expect([await opens(shop, sold), await opens(shop, kept), await opens(shop, ana.token)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await shown()).toHaveLength(1);
    expect((await signOut(row?.boxId ?? '')).told).toContain('has no TV device');
  });
});

describe('an account that an operator deletes', () => {
  const remove = (account = ana.account) => run('customers', 'delete', `--account=${account}`, '--why=she asked');
  const state = async () => (await shop.request(endpoints.deletionState, { body: {} }, ana)).data.leavesAt;
  const mails = async () =>
    (await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account))).map(({ subject }) => subject);

  it('is kept by an operator who was asked in error, and the reason is recorded', async () => {
    await remove();
    expect((await run('customers', 'keep', `--account=${ana.account}`)).told).toContain('will not be deleted');
    expect(await state()).toBeNull();
    const again = await run('customers', 'keep', `--account=${ana.account}`);
    expect([again.code, again.told]).toEqual([1, expect.stringContaining('is not going to be deleted')]);
    const records = await shop.db.select().from(auditLog).where(eq(auditLog.subject, ana.uid));
    expect(records.map(({ command }) => command).toSorted()).toEqual(['customers delete', 'customers keep']);
  });

  it('is deleted in a week, and its customer is notified and can keep it', async () => {
    expect((await remove()).told).toContain('will be deleted on 2026-11-28');
    expect((await remove()).code).toBe(0);
    expect((await mails()).filter((subject) => subject.includes('will be deleted'))).toHaveLength(1);
    expect(await state()).toBe(shop.clock.now + 7 * 86_400_000);
    await shop.request(endpoints.keepAccount, { body: {} }, ana);
    expect(await state()).toBeNull();
  });

  it('is gone after that week, and can no longer be found by an operator', async () => {
    await remove();
    const deps = { ...shop.deps, clock: () => shop.clock.now + 7 * 86_400_000 };
    expect(await deleteAccounts(deps)).toBeGreaterThan(0);
    expect(await typeOf()).toBe('DELETED');
    expect(await mails()).toEqual(['Your Lumen account has been deleted']);
    expect((await remove()).told).toContain('has no customer');
  });

  it('must be named', async () => {
    expect((await run('customers', 'delete', '--why=she asked')).told).toContain('--account');
  });
});

import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { maxPasskeys } from '#contract/passkeys.ts';
import { setUserType } from '#server/auth/users.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { passkeyChallenges, passkeys } from '#server/db/schema/passkeys.ts';
import { loginRecords, users } from '#server/db/schema/users.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { anAuthenticator, logInByPasskey, putPasskey } from '#tests/builders/a-passkey.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

type User = Awaited<ReturnType<TestApp['customer']>>;

async function begin({ token, password }: User) {
  const body = { purpose: 'passkey', password } as const;
  const { confirmation } = (await shop.request(endpoints.confirmOwner, { body }, { token })).data;
  const begun = await shop.request(endpoints.beginPasskey, { body: { confirmation } }, { token });
  return { confirmation, ...begun.data };
}
const list = async ({ token }: User) => (await shop.request(endpoints.listPasskeys, { body: {} }, { token })).data;

describe('adding a passkey', () => {
  it('requires the password, emails the owner and adds the passkey to the list', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    expect(await list(ana)).toMatchObject({
      passkeys: [{ name: 'My phone', host: 'localhost', usedAt: null, createdAt: shop.clock.now }],
      lastWayIn: false,
    });
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.find(({ subject }) => subject === 'New passkey for Lumen')?.text).toContain('My phone');
  });

  it('requires a confirmation of the right purpose, which is valid once', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    const body = { purpose: 'contact', password: ana.password } as const;
    const other = (await shop.request(endpoints.confirmOwner, { body }, { token })).data.confirmation;
    for (const confirmation of [other, 'x'.repeat(60)]) {
      const answer = await shop.request(endpoints.beginPasskey, { body: { confirmation } }, { token });
      expect(answer.errCode).toBe(-3034);
    }
    const { confirmation, challenge } = await begin(ana);
    const first = { confirmation, name: 'One', ...anAuthenticator().make(challenge) };
    expect((await shop.request(endpoints.addPasskey, { body: first }, { token })).code).toBe(0);
    const again = (await shop.request(endpoints.beginPasskey, { body: { confirmation } }, { token })).data;
    const second = { confirmation, name: 'Two', ...anAuthenticator().make(again.challenge) };
    expect((await shop.request(endpoints.addPasskey, { body: second }, { token })).errCode).toBe(-3034);
  });

  it('refuses the challenge of another customer, another origin and an expired challenge', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    const evaChallenge = await begin(eva);
    const { confirmation, challenge } = await begin(ana);
    const add = (device: ReturnType<typeof anAuthenticator>, of: string) =>
      shop.request(
        endpoints.addPasskey,
        { body: { confirmation, name: 'x', ...device.make(of) } },
        { token: ana.token },
      );
    expect((await add(anAuthenticator(), evaChallenge.challenge)).errCode).toBe(-3034);
    expect((await add(anAuthenticator('localhost', 'https://evil.example'), challenge)).errCode).toBe(4598);
    expect((await add(anAuthenticator(), challenge)).errCode).toBe(-3034);
    const { challenge: late, confirmation: _ } = await begin(ana);
    shop.clock.advance(600_001);
    expect((await add(anAuthenticator(), late)).errCode).toBe(-3034);
    expect(await list(ana)).toMatchObject({ passkeys: [] });
  });

  it('uses one random user handle per customer and lists the passkeys that exist', async () => {
    const ana = await shop.customer();
    const { user } = await begin(ana);
    expect(user).toMatchObject({ name: ana.account });
    expect(user.id).not.toContain(ana.uid);
    const device = await putPasskey(shop, ana);
    const next = await begin(ana);
    expect(next.known).toEqual([{ id: device.id, transports: ['internal'] }]);
    const [row] = await shop.db.select().from(passkeys);
    expect(next.user.id).toBe(row?.userHandle);
  });

  it('is limited to twenty passkeys', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    const [row] = await shop.db.select().from(passkeys);
    if (!row) throw new Error('no passkey');
    const more = Array.from({ length: maxPasskeys - 1 }, (_, at) => ({ ...row, id: `p${at}`, credentialId: `c${at}` }));
    await shop.db.insert(passkeys).values(more);
    await expect(begin(ana)).rejects.toThrow('4598');
  });

  it('is not possible at an IP address', async () => {
    const atAddress = await testApp({ env: { EXTRA_HOSTS: '127.0.0.1' } });
    const begun = await atAddress.request(endpoints.beginPasskeyLogin, { body: {} }, { host: '127.0.0.1' });
    await atAddress.close();
    expect(begun).toMatchObject({ status: 422, errCode: 4598 });
  });
});

describe('logging in with a passkey', () => {
  it('opens an ordinary session with its login record and stores the time of use', async () => {
    const ana = await shop.customer();
    const device = await putPasskey(shop, ana);
    shop.clock.advance(1000);
    const { data } = await logInByPasskey(shop, device);
    expect(data).toMatchObject({ uid: ana.uid, account: ana.account, accountLoginType: 'passkey' });
    expect(data.expiration).toBe(shop.clock.now + 10 * 86_400_000);
    expect(data.deviceToken).toBeDefined();
    expect((await list(ana)).passkeys[0]?.usedAt).toBe(shop.clock.now);
    expect(await shop.db.select().from(loginRecords).where(eq(loginRecords.uid, ana.uid))).toHaveLength(2);
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.map(({ subject }) => subject)).toContain('New login to Lumen');
  });

  it('accepts each challenge once within ten minutes, and stores only its hash', async () => {
    const ana = await shop.customer();
    const device = await putPasskey(shop, ana);
    const { challenge } = (await shop.request(endpoints.beginPasskeyLogin, { body: {} })).data;
    const stored = await shop.db.select().from(passkeyChallenges);
    expect(JSON.stringify(stored)).not.toContain(challenge);
    const signed = device.sign(challenge);
    expect((await shop.request(endpoints.passkeyLogin, { body: signed })).code).toBe(0);
    expect((await shop.request(endpoints.passkeyLogin, { body: signed })).errCode).toBe(-3034);
    const late = (await shop.request(endpoints.beginPasskeyLogin, { body: {} })).data;
    shop.clock.advance(600_001);
    expect((await shop.request(endpoints.passkeyLogin, { body: device.sign(late.challenge) })).errCode).toBe(-3034);
    await deleteExpiredRows(shop.deps);
    expect(await shop.db.select().from(passkeyChallenges)).toEqual([]);
  });

  it('refuses an unknown device, another origin, no user verification, another type and an old counter', async () => {
    const ana = await shop.customer();
    const device = await putPasskey(shop, ana);
    expect((await logInByPasskey(shop, anAuthenticator())).errCode).toBe(3001);
    expect((await logInByPasskey(shop, device, { origin: 'https://evil.example' })).errCode).toBe(3001);
    expect((await logInByPasskey(shop, device, { flags: 0x01 })).errCode).toBe(3001);
    expect((await logInByPasskey(shop, device, { type: 'webauthn.create' })).errCode).toBe(3001);
    expect((await logInByPasskey(shop, { ...anAuthenticator(), sign: device.sign })).code).toBe(0);
    expect((await logInByPasskey(shop, device, { counter: 1 })).errCode).toBe(3001);
    expect((await logInByPasskey(shop, device, { counter: 90 })).code).toBe(0);
    expect((await logInByPasskey(shop, device, { counter: 90 })).errCode).toBe(3001);
  });

  it('works only at the host where the passkey was created', async () => {
    const ana = await shop.customer();
    const device = await putPasskey(shop, ana);
    const atMego = { host: 'mego.localhost' };
    expect((await logInByPasskey(shop, device, {}, atMego)).errCode).toBe(3001);
    const mia = await shop.customer({ host: 'mego.localhost' });
    const megoDevice = await putPasskey(shop, mia, anAuthenticator('mego.localhost'), atMego);
    expect((await logInByPasskey(shop, megoDevice, {}, atMego)).data.uid).toBe(mia.uid);
    expect((await logInByPasskey(shop, megoDevice)).errCode).toBe(3001);
  });

  it('refuses a reseller after the signature, and a blocked customer, whose passkeys are removed', async () => {
    const ana = await shop.customer();
    const device = await putPasskey(shop, ana);
    await shop.db.update(users).set({ userType: 'RESELLER' }).where(eq(users.uid, ana.uid));
    expect((await logInByPasskey(shop, device)).errCode).toBe(197);
    await setUserType(shop.db, { brand: 'lumen', uid: ana.uid }, 'BLOCKED', shop.clock.now);
    expect((await logInByPasskey(shop, device)).errCode).toBe(3001);
  });

  it('is rate limited per network', async () => {
    const answers = [];
    for (let round = 0; round < 121; round += 1) {
      answers.push((await shop.request(endpoints.beginPasskeyLogin, { body: {} })).status);
    }
    expect(answers.filter((status) => status !== 200)).toEqual([429]);
  });
});

describe('the list of passkeys', () => {
  it('lets only its owner rename and remove passkeys', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    await putPasskey(shop, ana);
    const id = (await list(ana)).passkeys[0]?.id ?? '';
    const rename = (token: string) =>
      shop.request(endpoints.renamePasskey, { body: { id, name: ' Desk ' } }, { token });
    expect((await rename(eva.token)).errCode).toBe(5000);
    expect((await rename(ana.token)).code).toBe(0);
    await shop.request(endpoints.removePasskey, { body: { id } }, { token: eva.token });
    expect((await list(ana)).passkeys).toMatchObject([{ name: 'Desk' }]);
    await shop.request(endpoints.removePasskey, { body: { id } }, { token: ana.token });
    expect((await list(ana)).passkeys).toEqual([]);
  });

  it('does not remove the last login method', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    const brand = shop.deps.catalog.byCode('lumen');
    if (!brand) throw new Error('no brand');
    brand.config.login.codeLogin = false;
    await shop.db.update(users).set({ passwordHash: null, email: null }).where(eq(users.uid, ana.uid));
    const { passkeys: mine, lastWayIn } = await list(ana);
    expect(lastWayIn).toBe(true);
    const body = { id: mine[0]?.id ?? '' };
    expect((await shop.request(endpoints.removePasskey, { body }, { token: ana.token })).errCode).toBe(4598);
    expect((await list(ana)).passkeys).toHaveLength(1);
    brand.config.login.codeLogin = true;
    expect((await shop.request(endpoints.removePasskey, { body }, { token: ana.token })).code).toBe(0);
  });
});

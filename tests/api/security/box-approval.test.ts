import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import { findTvDeviceName } from '#server/auth/sign-on/box-names.ts';
import { aTvDevice } from '#tests/builders/a-box.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { anInput, opens } from '#tests/builders/ways-in.ts';

let shop: Shop;
let ana: Buyer;
beforeEach(async () => {
  shop = await aShop();
  ana = await shop.buyer();
});
afterEach(() => shop.close());

/** The token of a box that a customer has approved. */
async function boxOf({ token, host }: Pick<Buyer, 'token' | 'host'>, change?: Record<string, string>): Promise<string> {
  const box = aTvDevice(shop, host);
  const { deviceCode, userCode } = await box.codes(change);
  await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token, host });
  return String((await box.poll(deviceCode)).body['access_token']);
}
const boxesOf = async ({ token, host }: Pick<Buyer, 'token' | 'host'>) =>
  (await shop.request(endpoints.listBoxes, { body: {} }, { token, host })).data;
const end = ({ token, host }: Pick<Buyer, 'token' | 'host'>, boxId: string) =>
  shop.request(endpoints.endBox, { body: { boxId } }, { token, host });

describe('the name of a box', () => {
  const shownFor = async (change: Record<string, string>) => {
    const { userCode } = await aTvDevice(shop).codes(change);
    const { device, model } = (await shop.request(endpoints.deviceQuery, { body: { userCode } })).data;
    return [device, model];
  };

  it('is that of a maker and a model that we know', async () => {
    expect(await shownFor({ device: 'xiaomi', model: 'MIBOX4' })).toEqual(['Xiaomi', 'Mi Box S']);
    expect(await shownFor({ device: 'LGE', model: 'webos tv' })).toEqual(['LG', 'webOS']);
    expect(await shownFor({ device: 'Samsung', model: 'call +55 11 5555-0000' })).toEqual(['Samsung', '']);
  });

  it('is nothing that a stranger wrote', async () => {
    const words = [
      { device: 'Support of Lumen: say YES', model: 'MIBOX4' },
      { device: 'Samsung support, say yes', model: 'Your TV' },
      { device: 'TV\u202eevil\u0000', model: 'M'.repeat(200) },
      { device: '<b>Xiaomi</b>', model: '<img>' },
      { device: 'constructor', model: '__proto__' },
      { device: '小米', model: '小米' },
    ];
    for (const change of words) expect(await shownFor(change)).toEqual(['', '']);
    const rows = JSON.stringify(await shop.db.select().from(deviceGrants));
    expect(rows).not.toMatch(/support|yes|evil|img|proto/i);
  });

  it('is one of the list for each word that leads to it', () => {
    expect(findTvDeviceName('NVIDIA', 'Shield Android TV')).toEqual({ maker: 'NVIDIA', model: 'Shield TV' });
    expect(findTvDeviceName('MECOOL', 'km-2')).toEqual({ maker: 'MECOOL', model: 'KM2' });
    expect(findTvDeviceName('', '')).toEqual({ maker: '', model: '' });
  });

  it('stands in the mail and in the last logins, too, instead of what the box says of itself', async () => {
    const loud = 'Android 11; Say YES to support Build/1)';
    const { deviceCode, userCode } = await aTvDevice(shop).codes({ device: 'Say YES', model: 'Say YES' });
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    await shop.app.request('http://localhost/oauth/token', {
      method: 'POST',
      headers: { host: 'localhost', 'user-agent': `Mozilla/5.0 (Linux; ${loud}` },
      body: new URLSearchParams({
        client_id: 'box',
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: deviceCode,
      }),
    });
    const who = { uid: ana.uid, account: ana.account, type: 'email' } as const;
    const { data } = await shop.request(endpoints.queryInfo, { body: who }, { token: ana.token });
    expect(data.deviceSessions.map(({ device, model }) => `${device} ${model}`)).toContain('Smart TV ');
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(JSON.stringify([data.deviceSessions, mails])).not.toContain('Say YES');
  });
});

describe('the session of a box', () => {
  /** What only whoever owns the account may do. */
  const forOwners = (Object.values(endpoints) as Endpoint[]).filter(({ ownerOnly }) => ownerOnly);

  it('watches and buys', async () => {
    const token = await boxOf(ana);
    const paid = await shop.request(
      endpoints.pay,
      { body: await ana.body() },
      { token, idempotencyKey: crypto.randomUUID() },
    );
    expect(paid.data.status).toBe('PAYMENT_SUCCEEDED');
    const { data } = await shop.request(endpoints.orders, { body: { page: 1, size: 5 } }, { token });
    expect(data.items).toHaveLength(1);
    expect((await shop.request(endpoints.listCard, { body: {} }, { token })).code).toBe(0);
  });

  it('decides nothing about the account', async () => {
    expect(forOwners.map(({ name }) => name).sort()).toEqual([
      'addPasskey',
      'beginPasskey',
      'campaignSubscription',
      'changeCard',
      'changeContact',
      'changePassword',
      'confirmOwner',
      'deleteCard',
      'deviceConfirm',
      'endBox',
      'endOtherSignIns',
      'endPush',
      'endSignIn',
      'exportData',
      'exportReceipts',
      'forgetPayer',
      'keepAccount',
      'listBoxes',
      'listPasskeys',
      'listPush',
      'openCardPage',
      'ownPayer',
      'removePasskey',
      'removePhone',
      'renamePasskey',
      'requestDeletion',
      'saveLanguage',
      'saveNickname',
      'sendConfirmCode',
      'sendContactCode',
      'sendResetPasswordEmail',
      'subscribePush',
      'takeCard',
      'withdrawOrder',
    ]);
    const token = await boxOf(ana);
    for (const endpoint of forOwners) {
      const answer = await shop.request(endpoint, anInput(endpoint), { token });
      expect([endpoint.name, answer.status, answer.errCode]).toEqual([endpoint.name, 401, -24031]);
    }
    expect(await opens(shop, token)).toBe(true);
  });

  it('does not approve another box, not even one that waits', async () => {
    const token = await boxOf(ana);
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    const answer = await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token });
    expect(answer.errCode).toBe(-24031);
    expect((await aTvDevice(shop).poll(deviceCode)).body).toEqual({ error: 'authorization_pending' });
  });
});

describe('the boxes of a customer', () => {
  it('are listed by name, the newest first, and by nothing that opens anything', async () => {
    const first = await boxOf(ana);
    shop.clock.advance(60_000);
    await boxOf(ana, { device: 'A stranger', model: 'A stranger' });
    const boxes = await boxesOf(ana);
    expect(boxes).toEqual([
      { boxId: boxes[0]?.boxId, maker: '', model: '', signedInAt: shop.clock.now },
      { boxId: boxes[1]?.boxId, maker: 'Xiaomi', model: 'Mi Box S', signedInAt: shop.clock.now - 60_000 },
    ]);
    for (const { boxId } of boxes) expect(await opens(shop, boxId)).toBe(false);
    expect(JSON.stringify(boxes)).not.toContain(first);
  });

  it('are signed out one by one, at once, and twice is no error', async () => {
    const [stays, goes] = [await boxOf(ana), await boxOf(ana, { device: 'Sony' })];
    const sony = (await boxesOf(ana)).find(({ maker }) => maker === 'Sony');
    expect((await end(ana, sony?.boxId ?? '')).code).toBe(0);
    expect(await opens(shop, goes)).toBe(false);
    expect(await opens(shop, stays)).toBe(true);
    expect(await opens(shop, ana.token)).toBe(true);
    expect((await end(ana, sony?.boxId ?? '')).code).toBe(0);
    expect((await boxesOf(ana)).map(({ maker }) => maker)).toEqual(['Xiaomi']);
  });

  it('are nobody else’s, in no brand', async () => {
    const eva = await shop.buyer();
    const there = await shop.buyer({ host: 'mego.localhost' });
    const token = await boxOf(ana);
    const [box] = await boxesOf(ana);
    for (const other of [eva, there]) {
      expect(await boxesOf(other)).toEqual([]);
      expect((await end(other, box?.boxId ?? '')).code).toBe(0);
    }
    expect(await opens(shop, token)).toBe(true);
  });

  it('do not include phones and browsers, nor boxes whose days are over', async () => {
    await boxOf(ana);
    shop.clock.advance(9 * 86_400_000);
    const again = await shop.request(endpoints.login, {
      body: { account: ana.account, password: 'secret-123', type: 'email' },
    });
    expect(await boxesOf({ ...ana, token: again.data.token })).toHaveLength(1);
    shop.clock.advance(2 * 86_400_000);
    expect(await boxesOf({ ...ana, token: again.data.token })).toEqual([]);
  });

  it('can be asked for by nobody who is not signed in', async () => {
    expect((await shop.request(endpoints.listBoxes, { body: {} })).errCode).toBe(21);
    expect((await shop.request(endpoints.endBox, { body: { boxId: 'any' } })).errCode).toBe(21);
  });
});

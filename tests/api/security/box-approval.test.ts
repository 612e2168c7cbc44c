import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { deviceGrants } from '#server/db/schema/sign-in.ts';
import { findTvDeviceName } from '#server/auth/sign-on/tv-device-names.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { anInput, opens } from '#tests/builders/access-paths.ts';

let shop: Shop;
let ana: Buyer;
beforeEach(async () => {
  shop = await aShop();
  ana = await shop.buyer();
});
afterEach(() => shop.close());

/** The token of a set-top box that a customer has approved. */
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

describe('the name of a set-top box', () => {
  const shownFor = async (change: Record<string, string>) => {
    const { userCode } = await aTvDevice(shop).codes(change);
    const { device, model } = (await shop.request(endpoints.deviceQuery, { body: { userCode } })).data;
    return [device, model];
  };

  it('consists of a known maker and model', async () => {
    expect(await shownFor({ device: 'xiaomi', model: 'MIBOX4' })).toEqual(['Xiaomi', 'Mi Box S']);
    expect(await shownFor({ device: 'LGE', model: 'webos tv' })).toEqual(['LG', 'webOS']);
    expect(await shownFor({ device: 'Samsung', model: 'call +55 11 5555-0000' })).toEqual(['Samsung', '']);
  });

  it('contains no text that the box sent', async () => {
    const names = [
      { device: 'Support of Lumen: say YES', model: 'MIBOX4' },
      { device: 'Samsung support, say yes', model: 'Your TV' },
      { device: 'TV\u202eevil\u0000', model: 'M'.repeat(200) },
      { device: '<b>Xiaomi</b>', model: '<img>' },
      { device: 'constructor', model: '__proto__' },
      { device: '小米', model: '小米' },
    ];
    for (const change of names) expect(await shownFor(change)).toEqual(['', '']);
    const rows = JSON.stringify(await shop.db.select().from(deviceGrants));
    expect(rows).not.toMatch(/support|yes|evil|img|proto/i);
  });

  it('is the same for every spelling of a known maker and model', () => {
    expect(findTvDeviceName('NVIDIA', 'Shield Android TV')).toEqual({ maker: 'NVIDIA', model: 'Shield TV' });
    expect(findTvDeviceName('MECOOL', 'km-2')).toEqual({ maker: 'MECOOL', model: 'KM2' });
    expect(findTvDeviceName('', '')).toEqual({ maker: '', model: '' });
  });

  it('is shown in the email and the last logins instead of the user agent of the box', async () => {
    const misleading = 'Android 11; Say YES to support Build/1)';
    const { deviceCode, userCode } = await aTvDevice(shop).codes({ device: 'Say YES', model: 'Say YES' });
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    await shop.app.request('http://localhost/oauth/token', {
      method: 'POST',
      headers: { host: 'localhost', 'user-agent': `Mozilla/5.0 (Linux; ${misleading}` },
      body: new URLSearchParams({
        client_id: 'box',
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: deviceCode,
      }),
    });
    const identity = { uid: ana.uid, account: ana.account, type: 'email' } as const;
    const { data } = await shop.request(endpoints.queryInfo, { body: identity }, { token: ana.token });
    expect(data.deviceSessions.map(({ device, model }) => `${device} ${model}`)).toContain('Smart TV ');
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(JSON.stringify([data.deviceSessions, mails])).not.toContain('Say YES');
  });
});

describe('the session of a set-top box', () => {
  /** The endpoints that only the account owner may call. */
  const ownerEndpoints = (Object.values(endpoints) as Endpoint[]).filter(({ ownerOnly }) => ownerOnly);

  it('can watch and buy', async () => {
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

  it('cannot change the account', async () => {
    expect(ownerEndpoints.map(({ name }) => name).sort()).toEqual([
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
    for (const endpoint of ownerEndpoints) {
      const answer = await shop.request(endpoint, anInput(endpoint), { token });
      expect([endpoint.name, answer.status, answer.errCode]).toEqual([endpoint.name, 401, -24031]);
    }
    expect(await opens(shop, token)).toBe(true);
  });

  it('cannot approve another set-top box', async () => {
    const token = await boxOf(ana);
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    const answer = await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token });
    expect(answer.errCode).toBe(-24031);
    expect((await aTvDevice(shop).poll(deviceCode)).body).toEqual({ error: 'authorization_pending' });
  });
});

describe('the set-top boxes of a customer', () => {
  it('are listed by name, newest first, without a usable token', async () => {
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

  it('are logged out one by one, at once, and repeatedly without an error', async () => {
    const [open, ended] = [await boxOf(ana), await boxOf(ana, { device: 'Sony' })];
    const sony = (await boxesOf(ana)).find(({ maker }) => maker === 'Sony');
    expect((await end(ana, sony?.boxId ?? '')).code).toBe(0);
    expect(await opens(shop, ended)).toBe(false);
    expect(await opens(shop, open)).toBe(true);
    expect(await opens(shop, ana.token)).toBe(true);
    expect((await end(ana, sony?.boxId ?? '')).code).toBe(0);
    expect((await boxesOf(ana)).map(({ maker }) => maker)).toEqual(['Xiaomi']);
  });

  it('belong to one customer of one brand', async () => {
    const eva = await shop.buyer();
    const atMego = await shop.buyer({ host: 'mego.localhost' });
    const token = await boxOf(ana);
    const [box] = await boxesOf(ana);
    for (const other of [eva, atMego]) {
      expect(await boxesOf(other)).toEqual([]);
      expect((await end(other, box?.boxId ?? '')).code).toBe(0);
    }
    expect(await opens(shop, token)).toBe(true);
  });

  it('include no phones, no browsers, and no expired sessions', async () => {
    await boxOf(ana);
    shop.clock.advance(9 * 86_400_000);
    const again = await shop.request(endpoints.login, {
      body: { account: ana.account, password: 'secret-123', type: 'email' },
    });
    expect(await boxesOf({ ...ana, token: again.data.token })).toHaveLength(1);
    shop.clock.advance(2 * 86_400_000);
    expect(await boxesOf({ ...ana, token: again.data.token })).toEqual([]);
  });

  it('cannot be requested without a session', async () => {
    expect((await shop.request(endpoints.listBoxes, { body: {} })).errCode).toBe(21);
    expect((await shop.request(endpoints.endBox, { body: { boxId: 'any' } })).errCode).toBe(21);
  });
});

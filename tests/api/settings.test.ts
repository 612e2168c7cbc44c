import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { brands } from '#server/db/schema/brands.ts';
import { sessions } from '#server/db/schema/users.ts';
import { tokenHash } from '#server/auth/session.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const settingsOf = async (token: string) => (await shop.request(endpoints.ownSettings, { body: {} }, { token })).data;

describe('the settings of a customer', () => {
  it('are shown unchanged', async () => {
    const ana = await shop.customer({ account: 'ana@example.com' });
    expect(await settingsOf(ana.token)).toEqual({
      nickname: '',
      account: 'ana@example.com',
      type: 'email',
      email: 'ana@example.com',
      emailVerified: true,
      nameVerified: true,
      phone: null,
      phoneRemovable: false,
      hasPassword: true,
      language: 'en',
      unsubscribeEmail: false,
    });
  });

  it('include a nickname without special characters, which can be removed', async () => {
    const { token, uid, account } = await shop.customer();
    const save = (nickname: string) => shop.request(endpoints.saveNickname, { body: { nickname } }, { token });
    expect((await save(' Ana Lúcia 2 ')).data).toEqual({ nickname: 'Ana Lúcia 2' });
    const info = await shop.request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token });
    expect(info.data.nickname).toBe('Ana Lúcia 2');
    expect(await save('<b>Ana</b>')).toMatchObject({ errCode: 5000, params: { field: 'nickname' } });
    expect((await save('a'.repeat(41))).errCode).toBe(5000);
    expect((await save('')).data).toEqual({ nickname: '' });
  });

  it('include the language of emails, which falls back to the default of the brand', async () => {
    const { token } = await shop.customer();
    const save = (language: 'es' | 'ru') => shop.request(endpoints.saveLanguage, { body: { language } }, { token });
    expect((await save('es')).data).toEqual({ language: 'es' });
    expect((await settingsOf(token)).language).toBe('es');
    expect((await save('ru')).data).toEqual({ language: 'pt' });
  });

  it('include offers, which end and resume with the session header only', async () => {
    const { token, uid, account } = await shop.customer();
    const subscribe = (subscribeStatus: 'true' | 'false', who?: string) =>
      shop.request(endpoints.campaignSubscription, { query: { subscribeStatus } }, { token: who });
    expect((await subscribe('false')).errCode).toBe(21);
    expect((await subscribe('false', token)).data).toEqual({ unsubscribeEmail: true });
    expect((await subscribe('false', token)).data).toEqual({ unsubscribeEmail: true });
    const info = await shop.request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token });
    expect(info.data.unsubscribeEmail).toBe(true);
    expect((await subscribe('true', token)).data).toEqual({ unsubscribeEmail: false });
  });

  it('can end offers even if the brand sends none, but not resume them', async () => {
    const [mego] = await shop.db.select().from(brands).where(eq(brands.code, 'mego'));
    if (!mego) throw new Error('no brand mego');
    await shop.db
      .update(brands)
      .set({ config: { ...mego.config, subscribeEmail: false } })
      .where(eq(brands.code, 'mego'));
    await shop.deps.catalog.refresh();
    const host = 'mego.localhost';
    const { token } = await shop.customer({ host });
    const subscribe = (subscribeStatus: 'true' | 'false') =>
      shop.request(endpoints.campaignSubscription, { query: { subscribeStatus } }, { token, host });
    expect((await subscribe('true')).errCode).toBe(4598);
    expect((await subscribe('false')).data).toEqual({ unsubscribeEmail: true });
  });

  it('cannot be changed from a set-top box', async () => {
    const { token } = await shop.customer();
    await shop.db
      .update(sessions)
      .set({ kind: 'box' })
      .where(eq(sessions.tokenHash, tokenHash(token)));
    const refused = await Promise.all([
      shop.request(endpoints.saveNickname, { body: { nickname: 'TV' } }, { token }),
      shop.request(endpoints.saveLanguage, { body: { language: 'es' } }, { token }),
      shop.request(endpoints.campaignSubscription, { query: { subscribeStatus: 'false' } }, { token }),
      shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token }),
      shop.request(endpoints.confirmOwner, { body: { purpose: 'contact', password: 'secret-123' } }, { token }),
    ]);
    expect(refused.map(({ errCode }) => errCode)).toEqual(refused.map(() => -24031));
  });
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { aPerson, atGoogle } from '#tests/builders/google-sign-in.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

const ten = Array.from({ length: 10 }, (_, index) => index);
let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;

beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

const sessionsOf = (uid: string) => shop.db.select().from(sessions).where(eq(sessions.uid, uid));

describe('simultaneous requests on a real PostgreSQL', { timeout: 60_000 }, () => {
  it('with one link open one session', async () => {
    const { uid } = await shop.customer();
    const token = await anSsoToken(shop, { uid });
    const answers = await Promise.all(ten.map(() => shop.request(endpoints.sso, { body: { token } })));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ errCode }) => errCode === -24030)).toHaveLength(9);
    expect(await sessionsOf(uid)).toHaveLength(2);
  });

  it('of ten set-top boxes with one token get one code', async () => {
    const { uid } = await shop.customer();
    const token = await anSsoToken(shop, { uid, src: 'qr' });
    const answers = await Promise.all(ten.map(() => aTvDevice(shop).authorize({ login_token: token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('to approve and reject a set-top box count once, and ten polls get one token', async () => {
    const ana = await shop.customer();
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    const answers = await Promise.all(
      ten.map((index) =>
        shop.request(endpoints.deviceConfirm, { body: { userCode, approve: index === 0 } }, { token: ana.token }),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    const again = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode: again.userCode, approve: true } }, ana);
    const polls = await Promise.all(ten.map(() => aTvDevice(shop).poll(again.deviceCode)));
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await aTvDevice(shop).poll(deviceCode)).status).toBe(answers[0]?.code === 0 ? 200 : 400);
  });

  it('with one sign-up ticket create one account, and ten Google logins connect an account once', async () => {
    const { proof } = await atGoogle(shop, { form: aPerson('race@example.com') });
    const { data } = await shop.request(endpoints.googleLogin, { body: proof });
    const ticket = data.outcome === 'signup' ? data.ticket : '';
    const body = { ticket, agreePolicy: true, language: 'en' } as const;
    const signups = await Promise.all(ten.map(() => shop.request(endpoints.googleSignup, { body })));
    expect(signups.filter(({ code }) => code === 0)).toHaveLength(1);

    const bia = await shop.customer({ account: 'bia@example.com' });
    const form = aPerson('bia@example.com');
    const proofs = await Promise.all(ten.map(async () => (await atGoogle(shop, { form })).proof));
    const logins = await Promise.all(proofs.map((one) => shop.request(endpoints.googleLogin, { body: one })));
    expect(logins.map(({ data: answer }) => answer.outcome === 'signedIn' && answer.user.uid)).toEqual(
      ten.map(() => bia.uid),
    );
    const [row] = await shop.db.select().from(users).where(eq(users.uid, bia.uid));
    expect(row?.googleSub).not.toBeNull();
  });
});

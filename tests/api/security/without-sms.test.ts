import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { changeContact, emailOf, proofOf } from '#tests/builders/a-contact-change.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** The same customers in one installation that can send SMS and one that cannot. */
let withSms: TestApp;
let shop: TestApp;
beforeAll(async () => {
  withSms = await testApp();
  shop = await testApp({ db: withSms.db, deps: () => ({ sms: null }) });
});
afterAll(() => withSms.close());

const number = { account: '11987650001', type: 'phone', areaCode: '55' } as const;
const code = { code: '1234' };
const refused = { errCode: 4598, params: { field: 'phone' } };

async function anaByPhone() {
  const { account, uid } = await aMember(shop, { type: 'phone', proven: true });
  const name = { account: account.slice(2), type: 'phone', areaCode: '55' } as const;
  const { data } = await shop.request(endpoints.login, { body: { ...name, password: 'secret-123' } });
  return { uid, account, name, password: 'secret-123', token: data.token };
}

describe('a server without SMS', () => {
  it('reports it, and a server with SMS reports the opposite', async () => {
    expect((await shop.request(endpoints.supportPhone, {})).data).toMatchObject({ supported: true, sms: false });
    expect((await withSms.request(endpoints.supportPhone, {})).data).toMatchObject({ supported: true, sms: true });
  });

  it('refuses a phone number for sign-ups and codes, with an error at the field', async () => {
    const rest = { agreePolicy: true, language: 'en', password: 'secret-123' } as const;
    expect(await shop.request(endpoints.signup, { body: { ...number, ...rest } })).toMatchObject(refused);
    for (const scene of ['login', 'signup', 'reset'] as const) {
      const body = { ...number, scene, language: 'en' } as const;
      expect(await shop.request(endpoints.sendVerificationCode, { body }), scene).toMatchObject(refused);
    }
    expect(await shop.request(endpoints.codeLogin, { body: { ...number, ...code } })).toMatchObject(refused);
    const reset = { ...number, ...code, password: 'secret-456' };
    expect(await shop.request(endpoints.resetPasswd, { body: reset })).toMatchObject(refused);
  });

  it('allows a login by phone number and password, and confirms the owner by password only', async () => {
    const ana = await anaByPhone();
    expect(ana.token).toBeTruthy();
    const answer = await shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token: ana.token });
    expect(answer).toMatchObject(refused);
    expect(await proofOf(shop, ana)).toBeTruthy();
  });

  it('adds no phone number to an account, and sends no SMS about a new email address', async () => {
    const eva = await shop.customer();
    const confirmation = await proofOf(shop, eva);
    const body = { ...number, confirmation, language: 'en' } as const;
    expect(await shop.request(endpoints.sendContactCode, { body }, { token: eva.token })).toMatchObject(refused);
    const change = { ...number, ...code, request: 'a-request-of-hers', confirmation };
    expect(await shop.request(endpoints.changeContact, { body: change }, { token: eva.token })).toMatchObject(refused);
    const ana = await anaByPhone();
    expect((await changeContact(shop, ana, emailOf('ana@example.com'))).code).toBe(0);
    await writeRequestedMessages(shop.deps);
    await sendOutbox(shop.deps);
    expect(shop.sent.map(({ to }) => to)).toContain('ana@example.com');
    expect(shop.texted).toEqual([]);
  });

  it('drops a code that was requested while SMS worked, and still sends emails', async () => {
    const body = { ...number, scene: 'signup', language: 'en' } as const;
    expect((await withSms.request(endpoints.sendVerificationCode, { body })).code).toBe(0);
    const mail = { account: 'new@example.com', type: 'email', scene: 'signup', language: 'en' } as const;
    expect((await withSms.request(endpoints.sendVerificationCode, { body: mail })).code).toBe(0);
    expect(await writeRequestedMessages(shop.deps)).toBe(2);
    await sendOutbox(shop.deps);
    expect(shop.sent.map(({ to }) => to)).toContain('new@example.com');
    expect([...shop.texted, ...withSms.texted]).toEqual([]);
  });
});

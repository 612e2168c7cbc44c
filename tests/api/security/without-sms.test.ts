import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { changeContact, emailOf, proofOf } from '#tests/builders/a-contact-change.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** The same customers, in a shop that can send SMS and in one that cannot. */
let before: TestApp;
let shop: TestApp;
beforeAll(async () => {
  before = await testApp();
  shop = await testApp({ db: before.db, deps: () => ({ sms: null }) });
});
afterAll(() => before.close());

const number = { account: '11987650001', type: 'phone', areaCode: '55' } as const;
const code = { code: '1234' };
const refused = { errCode: 4598, params: { field: 'phone' } };

async function anaByPhone() {
  const { account, uid } = await aMember(shop, { type: 'phone', proven: true });
  const name = { account: account.slice(2), type: 'phone', areaCode: '55' } as const;
  const { data } = await shop.request(endpoints.login, { body: { ...name, password: 'secret-123' } });
  return { uid, account, name, password: 'secret-123', token: data.token };
}

describe('a shop that can send no SMS', () => {
  it('says so, and where it can, that it can', async () => {
    expect((await shop.request(endpoints.supportPhone, {})).data).toMatchObject({ supported: true, sms: false });
    expect((await before.request(endpoints.supportPhone, {})).data).toMatchObject({ supported: true, sms: true });
  });

  it('signs nobody up by a number, sends no code to one, and takes none, with words at the number', async () => {
    const told = { agreePolicy: true, language: 'en', password: 'secret-123' } as const;
    expect(await shop.request(endpoints.signup, { body: { ...number, ...told } })).toMatchObject(refused);
    for (const scene of ['login', 'signup', 'reset'] as const) {
      const body = { ...number, scene, language: 'en' } as const;
      expect(await shop.request(endpoints.sendVerificationCode, { body }), scene).toMatchObject(refused);
    }
    expect(await shop.request(endpoints.codeLogin, { body: { ...number, ...code } })).toMatchObject(refused);
    const reset = { ...number, ...code, password: 'secret-456' };
    expect(await shop.request(endpoints.resetPasswd, { body: reset })).toMatchObject(refused);
  });

  it('lets in who has a number already, by the password, and confirms them by it alone', async () => {
    const ana = await anaByPhone();
    expect(ana.token).toBeTruthy();
    const asked = await shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token: ana.token });
    expect(asked).toMatchObject(refused);
    expect(await proofOf(shop, ana)).toBeTruthy();
  });

  it('adds no number to an account, and tells nobody by SMS that another address was bound', async () => {
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

  it('drops a code that was asked for while it could, and keeps the mail that waits beside it', async () => {
    const body = { ...number, scene: 'signup', language: 'en' } as const;
    expect((await before.request(endpoints.sendVerificationCode, { body })).code).toBe(0);
    const mail = { account: 'new@example.com', type: 'email', scene: 'signup', language: 'en' } as const;
    expect((await before.request(endpoints.sendVerificationCode, { body: mail })).code).toBe(0);
    expect(await writeRequestedMessages(shop.deps)).toBe(2);
    await sendOutbox(shop.deps);
    expect(shop.sent.map(({ to }) => to)).toContain('new@example.com');
    expect([...shop.texted, ...before.texted]).toEqual([]);
  });
});

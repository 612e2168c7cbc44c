import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { users } from '#server/db/schema/users.ts';
import { changeContact, codeForContact, emailOf, proofOf } from '#tests/builders/a-contact-change.ts';
import { aMember, linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const minuteMs = 60_000;
type User = Awaited<ReturnType<TestApp['customer']>>;
const logIn = (account: string, password: string, type: 'email' | 'phone' = 'email', areaCode?: string) =>
  shop.request(endpoints.login, { body: { account, password, type, ...(areaCode && { areaCode }) } });
const rowOf = async ({ uid }: Pick<User, 'uid'>) => (await shop.db.select().from(users).where(eq(users.uid, uid)))[0];
/** Sends all messages and returns the emails and SMS. */
async function deliver() {
  await writeRequestedMessages(shop.deps);
  await sendOutbox(shop.deps);
  return { mails: shop.sent, texts: shop.texted };
}
/** The latest email that links to this path. */
async function mailWith(path: string, account: string) {
  const found = (await mailboxOf(shop, account)).find(({ text }) => text.includes(`${path}?`));
  if (!found) throw new Error(`no mail to ${account} leads to ${path}`);
  return found;
}
/** The email that reports a change. */
const changeMailTo = (account: string) => mailWith('/restoreEmail', account);

describe('a new email address', () => {
  it('logs in once its code was entered, the old one no longer does, and the session continues', async () => {
    const ana = await shop.customer();
    const changed = await changeContact(shop, ana, emailOf('ana.new@example.com'));
    expect(changed.data).toMatchObject({ account: 'ana.new@example.com', type: 'email' });
    expect((await logIn('ana.new@example.com', ana.password)).data.uid).toBe(ana.uid);
    expect((await logIn(ana.account, ana.password)).errCode).toBe(3001);
    const settings = await shop.request(endpoints.ownSettings, { body: {} }, { token: ana.token });
    expect(settings.data).toMatchObject({ email: 'ana.new@example.com', emailVerified: true });
  });

  it('is reported to the old one, with a link that reverts it and ends all sessions', async () => {
    const ana = await shop.customer();
    await changeContact(shop, ana, emailOf('thief@example.com'));
    await shop.request(endpoints.saveLanguage, { body: { language: 'en' } }, { token: ana.token });
    const changeMail = await changeMailTo(ana.account);
    expect(changeMail.subject).toBe('Your Lumen account has a new email');
    expect(changeMail.text).not.toContain('thief@example.com');
    const { token } = linkOf(changeMail);
    expect((await shop.request(endpoints.restoreContact, { body: { token } })).code).toBe(0);
    expect((await shop.request(endpoints.queryUrv, {}, { token: ana.token })).errCode).toBe(21);
    expect(await rowOf(ana)).toMatchObject({ account: ana.account, email: ana.account, passwordHash: null });
    expect((await logIn('thief@example.com', ana.password)).errCode).toBe(3001);
    const reset = linkOf(await mailWith('/resetPassword', ana.account));
    const body = { token: reset.token, password: 'a password of my own' };
    expect((await shop.request(endpoints.emailResetPassword, { body })).code).toBe(0);
    expect((await logIn(ana.account, 'a password of my own')).data.uid).toBe(ana.uid);
    expect((await shop.request(endpoints.restoreContact, { body: { token } })).errCode).toBe(10302);
  });

  it('is reported to an unverified old one, without a link to the account', async () => {
    const ana = await shop.customer();
    await shop.db.update(users).set({ verifiedAt: null }).where(eq(users.uid, ana.uid));
    const change = { account: 'ana.typed.it.right@example.com', type: 'email' } as const;
    expect((await changeContact(shop, ana, change)).code).toBe(0);
    const changeMail = (await mailboxOf(shop, ana.account)).find(({ subject }) => subject.includes('new email'));
    expect(changeMail?.text).toContain('This address was never confirmed.');
    expect(changeMail?.text).toContain('/help');
    expect(changeMail?.text).not.toContain('token=');
  });

  it('is reverted from the first of two old addresses, and then no longer from the second', async () => {
    const ana = await shop.customer();
    await changeContact(shop, ana, emailOf('first.thief@example.com'));
    shop.clock.advance(minuteMs);
    await changeContact(shop, ana, emailOf('second.thief@example.com'));
    const changeMail = await changeMailTo(ana.account);
    await shop.request(endpoints.restoreContact, { body: { token: linkOf(changeMail).token } });
    expect((await rowOf(ana))?.account).toBe(ana.account);
    const { token } = linkOf(await changeMailTo('first.thief@example.com'));
    expect((await shop.request(endpoints.restoreContact, { body: { token } })).errCode).toBe(10302);
  });

  it('cannot be reverted after a week, or if another customer has the old address by then', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    await changeContact(shop, ana, emailOf('moved.ana@example.com'));
    await changeContact(shop, eva, emailOf('moved.eva@example.com'));
    shop.clock.advance(minuteMs);
    await shop.customer({ account: ana.account });
    const restore = async (account: string) => {
      const { token } = linkOf(await changeMailTo(account));
      return shop.request(endpoints.restoreContact, { body: { token } });
    };
    expect((await restore(ana.account)).errCode).toBe(10025);
    shop.clock.advance(7 * 24 * 60 * minuteMs);
    expect((await restore(eva.account)).errCode).toBe(10302);
  });

  it('of another customer is reported as taken only after its code was entered', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const proof = await proofOf(shop, ana);
    const sent = await codeForContact(shop, ana, emailOf(eva.account), proof);
    const { mails } = await deliver();
    expect(mails.filter(({ to, text }) => to === eva.account && text.includes(sent.code))).toHaveLength(1);
    const body = { ...emailOf(eva.account), request: sent.request, confirmation: proof };
    const change = (code: string) =>
      shop.request(endpoints.changeContact, { body: { ...body, code } }, { token: ana.token });
    expect((await change(sent.code === '0000' ? '1111' : '0000')).errCode).toBe(11);
    expect((await change(sent.code)).errCode).toBe(10025);
    expect((await rowOf(ana))?.account).toBe(ana.account);
  });

  it('belongs to the first of two customers who want it at the same time', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const name = emailOf('wanted.by.two@example.com');
    const proofs = [await proofOf(shop, ana), await proofOf(shop, eva)] as const;
    const first = await codeForContact(shop, ana, name, proofs[0]);
    shop.clock.advance(minuteMs);
    const second = await codeForContact(shop, eva, name, proofs[1]);
    const change = (token: string, sent: typeof first, proof: string) =>
      shop.request(endpoints.changeContact, { body: { ...name, ...sent, confirmation: proof } }, { token });
    expect((await change(ana.token, first, proofs[0])).code).toBe(0);
    const late = await change(eva.token, second, proofs[1]);
    expect([10025, -3033]).toContain(late.errCode);
  });

  it('invalidates the links that were sent to the old one', async () => {
    const ana = await shop.customer();
    await shop.request(endpoints.resetPasswordByEmail, { body: { email: ana.account, language: 'en' } });
    const older = linkOf(await mailWith('/resetPassword', ana.account));
    await changeContact(shop, ana, emailOf('after.links@example.com'));
    const answer = await shop.request(endpoints.obtainResetPasswordEmail, { body: { token: older.token } });
    expect(answer.errCode).toBe(10302);
  });
});

describe('a phone number', () => {
  it('is added by SMS, can log in, and is reported by email', async () => {
    const ana = await shop.customer();
    const name = { account: '11987650001', type: 'phone', areaCode: '55' } as const;
    const changed = await changeContact(shop, ana, name);
    expect(changed.data).toMatchObject({ account: ana.account, type: 'email' });
    expect((await logIn('11987650001', ana.password, 'phone', '55')).data.uid).toBe(ana.uid);
    const changeMail = await changeMailTo(ana.account);
    expect(changeMail.subject).toBe('Your Lumen account has a new number');
    await shop.request(endpoints.restoreContact, { body: { token: linkOf(changeMail).token } });
    expect((await rowOf(ana))?.phone).toBeNull();
  });

  it('of a phone account is replaced, and the old number is notified by SMS', async () => {
    const { account: old, uid } = await aMember(shop, { type: 'phone' });
    const password = 'secret-123';
    const { data } = await logIn(old.slice(2), password, 'phone', '55');
    const name = { account: '11987650002', type: 'phone', areaCode: '55' } as const;
    const session = { token: data.token, password };
    expect((await changeContact(shop, session, name)).data).toMatchObject({ account: '5511987650002', type: 'phone' });
    const { texts } = await deliver();
    expect(texts.find(({ to }) => to === old)?.text).toContain('/help');
    expect((await logIn('11987650002', password, 'phone', '55')).data.uid).toBe(uid);
  });
});

describe('a stolen session', () => {
  it('changes nothing without the password or a code to the old address', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    const prove = (password: string) =>
      shop.request(endpoints.confirmOwner, { body: { purpose: 'contact', password } }, { token });
    expect((await prove('a guess')).errCode).toBe(3);
    const body = { ...emailOf('thief2@example.com'), language: 'en' } as const;
    const invalid = `${shop.clock.now + minuteMs}.${'a'.repeat(43)}`;
    expect(
      (await shop.request(endpoints.sendContactCode, { body: { ...body, confirmation: invalid } }, { token })).errCode,
    ).toBe(-3034);
  });

  it('cannot guess the password: it has to wait after ten wrong ones', async () => {
    const { token } = await shop.customer();
    const prove = (password: string) =>
      shop.request(endpoints.confirmOwner, { body: { purpose: 'contact', password } }, { token });
    for (let round = 0; round < 10; round += 1) expect((await prove('a guess')).errCode).toBe(3);
    expect((await prove('secret-123')).errCode).toBe(17);
  });

  it('cannot use the confirmation of another session or an expired one', async () => {
    const [ana, eva] = [await shop.customer(), await shop.customer()];
    const proof = await proofOf(shop, ana);
    const ask = (token: string, given = proof) => {
      const body = { ...emailOf('proof@example.com'), confirmation: given, language: 'en' } as const;
      return shop.request(endpoints.sendContactCode, { body }, { token });
    };
    expect((await ask(eva.token)).errCode).toBe(-3034);
    const another = await logIn(ana.account, ana.password);
    expect((await ask(another.data.token)).errCode).toBe(-3034);
    shop.clock.advance(15 * minuteMs);
    expect((await ask(ana.token)).errCode).toBe(-3034);
  });

  it('is confirmed by a code to the old address', async () => {
    const ana = await shop.customer();
    const { token } = ana;
    shop.clock.advance(minuteMs);
    const codeRequest = await shop.request(endpoints.sendConfirmCode, { body: { language: 'en' } }, { token });
    const code = await shop.lastCode(ana.account);
    const { mails } = await deliver();
    expect(mails.filter(({ subject }) => subject.startsWith(`${code} is`)).map(({ to }) => to)).toEqual([ana.account]);
    const { request } = codeRequest.data;
    const proved = await shop.request(
      endpoints.confirmOwner,
      { body: { purpose: 'contact', code, request } },
      { token },
    );
    const name = emailOf('by.code@example.com');
    const sent = await codeForContact(shop, ana, name, proved.data.confirmation);
    const body = { ...name, ...sent, confirmation: proved.data.confirmation };
    expect((await shop.request(endpoints.changeContact, { body }, { token })).code).toBe(0);
  });

  it('sends codes to at most ten addresses a day', async () => {
    const ana = await shop.customer();
    const ask = async (round: number) => {
      const body = {
        ...emailOf(`stranger${round}@example.com`),
        confirmation: await proofOf(shop, ana),
        language: 'en',
      } as const;
      return shop.request(endpoints.sendContactCode, { body }, { token: ana.token });
    };
    for (let round = 0; round < 10; round += 1) expect((await ask(round)).code).toBe(0);
    expect((await ask(10)).errCode).toBe(-3031);
  });
});

import { hash, verify } from '@node-rs/argon2';
import { and, eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aMember } from '#tests/builders/a-mailbox.ts';
import { putPasskey } from '#tests/builders/a-passkey.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const newPassword = 'a new secret';
type User = Awaited<ReturnType<TestApp['customer']>>;
const change = ({ token, password }: User, given: object = {}) =>
  shop.request(endpoints.changePassword, { body: { currentPassword: password, newPassword, ...given } }, { token });
const logIn = ({ account }: User, password: string) =>
  shop.request(endpoints.login, { body: { account, password, type: 'email' } });

describe('changing the password', () => {
  it('ends every session, including this one, and only the new password logs in afterwards', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    await logIn(ana, ana.password);
    expect((await change(ana)).code).toBe(0);
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, ana.uid))).toEqual([]);
    expect((await change(ana)).errCode).toBe(21);
    expect((await logIn(ana, ana.password)).errCode).toBe(3001);
    expect((await logIn(ana, newPassword)).code).toBe(0);
    expect((await shop.request(endpoints.queryUrv, {}, { token: eva.token })).code).toBe(0);
  });

  it('clears the password reset that an upgrade requires', async () => {
    const ana = await shop.customer();
    await shop.db.update(users).set({ passwordResetDue: true }).where(eq(users.uid, ana.uid));
    await change(ana);
    const { data } = await logIn(ana, newPassword);
    expect((await shop.request(endpoints.queryUrv, {}, { token: data.token })).data.passwordResetDue).toBe(false);
  });

  it('requires the current password', async () => {
    const ana = await shop.customer();
    expect(await change(ana, { currentPassword: 'wrong-password' })).toMatchObject({ status: 401, errCode: 3 });
    expect((await logIn(ana, ana.password)).code).toBe(0);
  });

  it('is blocked for 15 minutes after ten wrong passwords, even with the right one', async () => {
    const ana = await shop.customer();
    for (let round = 0; round < 10; round += 1) {
      expect((await change(ana, { currentPassword: 'wrong-password' })).errCode).toBe(3);
    }
    expect(await change(ana)).toMatchObject({ status: 423, errCode: 17, params: { waitSeconds: 900 } });
    shop.clock.advance(15 * 60_000);
    expect((await change(ana)).code).toBe(0);
  });

  it('succeeds once for two simultaneous requests', async () => {
    const ana = await shop.customer();
    const answers = await Promise.all([change(ana), change(ana, { newPassword: 'another secret' })]);
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  it('is not possible for a customer who has only signed in with Google', async () => {
    const ana = await shop.customer();
    await shop.db.update(users).set({ passwordHash: null }).where(eq(users.uid, ana.uid));
    expect(await change(ana)).toMatchObject({ status: 422, errCode: 4598 });
  });

  it('refuses a short password and a caller who is not logged in', async () => {
    const ana = await shop.customer();
    expect((await change(ana, { newPassword: 'short' })).errCode).toBe(5000);
    expect((await change({ ...ana, token: 'x'.repeat(43) })).errCode).toBe(21);
  });
});

describe('the notice of a changed password', () => {
  const mailsTo = ({ account }: { account: string }) =>
    shop.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.recipient, account), like(outbox.subject, 'New password%')));

  it('counts the passkeys that were removed', async () => {
    const ana = await shop.customer();
    await putPasskey(shop, ana);
    await putPasskey(shop, ana);
    await change(ana);
    const [mail, ...others] = await mailsTo(ana);
    expect(mail?.text).toContain('Your 2 passkeys were removed with the old password.');
    expect(mail?.text).toContain('/forgot-password?la=en');
    expect(others).toEqual([]);
  });

  it('does not mention passkeys where there were none', async () => {
    const ana = await shop.customer();
    await change(ana);
    const [mail] = await mailsTo(ana);
    expect(mail?.text).toContain('every device was logged out');
    expect(mail?.text).not.toContain('passkey');
  });

  it('is not sent when the change was refused', async () => {
    const ana = await shop.customer();
    await change(ana, { currentPassword: 'wrong-password' });
    expect(await mailsTo(ana)).toEqual([]);
  });

  it.each([
    { to: 'the email address bound to the number', email: 'ana.lima@example.com', channel: 'mail' },
    { to: 'the number alone', email: null, channel: 'sms' },
  ])('is sent by $channel to $to', async ({ email, channel }) => {
    const { account, uid } = await aMember(shop, { type: 'phone' });
    await shop.db.update(users).set({ email, verifiedAt: shop.clock.now }).where(eq(users.uid, uid));
    const name = { account: account.slice(2), areaCode: '55', type: 'phone' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: { ...name, scene: 'reset', language: 'en' } });
    const code = await shop.lastCode(account);
    await shop.db.delete(outbox);
    expect((await shop.request(endpoints.resetPasswd, { body: { ...name, code, password: newPassword } })).code).toBe(
      0,
    );
    const sent = await shop.db.select().from(outbox);
    expect(sent).toMatchObject([{ channel, recipient: email ?? account }]);
    expect(sent[0]?.text).toContain('new password');
  });
});

describe('the pending account steps of a customer', () => {
  const dueOf = async ({ token }: { token: string }) => (await shop.request(endpoints.queryUrv, {}, { token })).data;
  const set = (uid: string, changed: Partial<typeof users.$inferInsert>) =>
    shop.db.update(users).set(changed).where(eq(users.uid, uid));

  it('are none after a sign-up with a code', async () => {
    const ana = await shop.customer();
    expect(await dueOf(ana)).toEqual({
      emailVerified: true,
      passwordResetDue: false,
      hasPassword: true,
      email: ana.account,
      mailBounces: false,
    });
  });

  it('include confirming the email address after a sign-up without a code', async () => {
    const ana = await shop.customer({ host: 'mego.localhost' });
    const { data } = await shop.request(endpoints.queryUrv, {}, { token: ana.token, host: 'mego.localhost' });
    expect(data.emailVerified).toBe(false);
  });

  it('include a new password after an upgrade and a first password after Google', async () => {
    const ana = await shop.customer();
    await set(ana.uid, { passwordResetDue: true, passwordHash: null });
    expect(await dueOf(ana)).toMatchObject({ passwordResetDue: true, hasPassword: false });
  });

  it('include an email address only if one is bound to the phone number', async () => {
    const ana = await shop.customer();
    await set(ana.uid, { account: '5511912345678', accountType: 'phone', email: null });
    expect(await dueOf(ana)).toMatchObject({ email: null, emailVerified: false });
    await set(ana.uid, { email: 'ana.lima@example.com', verifiedAt: null });
    expect(await dueOf(ana)).toMatchObject({ email: 'ana.lima@example.com', emailVerified: true });
  });

  it('are refused without a session', async () => {
    expect(await shop.request(endpoints.queryUrv, {})).toMatchObject({ status: 401, errCode: 21 });
  });
});

describe('a password with accents', () => {
  const spellings = ['coração à São João', 'пароль Йоёй', '안녕하세요 여러분'].flatMap((password) => [
    { made: password.normalize('NFC'), typed: password.normalize('NFD') },
    { made: password.normalize('NFD'), typed: password.normalize('NFC') },
  ]);

  it.each(spellings)('works in another Unicode spelling at sign-up, login and change', async ({ made, typed }) => {
    const ana = await shop.customer({ password: made });
    expect((await logIn(ana, typed)).code).toBe(0);
    const { data } = await logIn(ana, made);
    expect((await change({ ...ana, token: data.token, password: typed }, { newPassword: `${made}!` })).code).toBe(0);
    expect((await logIn(ana, `${typed}!`)).code).toBe(0);
    expect((await logIn(ana, typed)).errCode).toBe(3001);
  });

  it.each(spellings)('matches the stored hash of another spelling, and is hashed again', async (both) => {
    const ana = await shop.customer();
    const before = await hash(both.made, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await shop.db.update(users).set({ passwordHash: before }).where(eq(users.uid, ana.uid));
    expect((await logIn(ana, `${both.typed}x`)).errCode).toBe(3001);
    expect((await logIn(ana, both.typed)).code).toBe(0);
    const [row] = await shop.db.select().from(users).where(eq(users.uid, ana.uid));
    expect(await verify(row?.passwordHash ?? '', both.made.normalize('NFC'))).toBe(true);
    expect((await logIn(ana, both.made)).code).toBe(0);
    expect((await shop.request(endpoints.queryUrv, {}, { token: ana.token })).code).toBe(0);
  });

  it('confirms the account owner against the stored hash of another spelling', async () => {
    const ana = await shop.customer();
    const password = 'coração'.normalize('NFD');
    const before = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    await shop.db.update(users).set({ passwordHash: before }).where(eq(users.uid, ana.uid));
    const body = { purpose: 'data', password: password.normalize('NFC') } as const;
    expect((await shop.request(endpoints.confirmOwner, { body }, { token: ana.token })).code).toBe(0);
  });
});

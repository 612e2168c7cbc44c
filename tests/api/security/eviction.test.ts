import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { evictSessions, setUserType } from '#server/auth/users.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { aPerson, atGoogle } from '#tests/builders/google-sign-in.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { lumenOf, opens, resetLink, accessPaths, type CompromisedAccount } from '#tests/builders/access-paths.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { SSO_APP_SECONDS: '900', SSO_QR_SECONDS: '900' } });
});
afterEach(() => shop.close());

const newPassword = 'the password of the owner';

const changePassword = async ({ token, password }: CompromisedAccount) => {
  const body = { currentPassword: password, newPassword };
  expect((await shop.request(endpoints.changePassword, { body }, { token })).code).toBe(0);
};
const resetByCode = async ({ account }: CompromisedAccount) => {
  shop.clock.advance(60_000);
  const codeRequest = { account, type: 'email', scene: 'reset', language: 'en' } as const;
  await shop.request(endpoints.sendVerificationCode, { body: codeRequest });
  const body = { account, type: 'email', code: await shop.lastCode(account), password: newPassword } as const;
  expect((await shop.request(endpoints.resetPasswd, { body })).code).toBe(0);
};
const resetByMail = async (victim: CompromisedAccount) => {
  const token = await resetLink(shop, victim);
  const body = { token, password: newPassword };
  expect((await shop.request(endpoints.emailResetPassword, { body })).code).toBe(0);
};
const logInByGoogle = async ({ account }: Pick<CompromisedAccount, 'account'>) => {
  const { proof } = await atGoogle(shop, { form: aPerson(account) });
  return shop.request(endpoints.googleLogin, { body: proof });
};
/** Removes the verification: an attacker signed up with the address. */
const removeVerification = ({ uid }: Pick<CompromisedAccount, 'uid'>) =>
  shop.db.update(users).set({ verifiedAt: null }).where(eq(users.uid, uid));
const takeBackByCode = async (victim: CompromisedAccount) => {
  await removeVerification(victim);
  shop.clock.advance(60_000);
  const { account } = victim;
  await shop.request(endpoints.sendVerificationCode, {
    body: { account, type: 'email', scene: 'login', language: 'en' },
  });
  const body = { account, type: 'email', code: await shop.lastCode(account) } as const;
  expect((await shop.request(endpoints.codeLogin, { body })).code).toBe(0);
};
const takeBackByLink = async (victim: CompromisedAccount) => {
  await removeVerification(victim);
  const { uid, account: email } = victim;
  const link = { brand: lumenOf(shop), uid, purpose: 'confirm', email, language: 'en' } as const;
  const token = new URL(await makeMailLink(shop.db, link, shop.deps)).searchParams.get('token') ?? '';
  expect((await shop.request(endpoints.activeUser, { body: { token } })).data.passwordToken).toBeDefined();
};
const takeBackByGoogle = async (victim: CompromisedAccount) => {
  await removeVerification(victim);
  expect((await logInByGoogle(victim)).data).toMatchObject({ outcome: 'signedIn' });
};
const blockAccount = async ({ uid }: CompromisedAccount) => {
  await setUserType(shop.db, { brand: 'lumen', uid }, 'BLOCKED', shop.clock.now);
};

/** Prepares each login method with its own customer, because some end the others. Returns the ones that still work. */
async function workingMethods(evict: (victim: CompromisedAccount) => Promise<void>): Promise<string[]> {
  const open: string[] = [];
  for (const [name, prepare] of Object.entries(accessPaths)) {
    const victim = await shop.customer();
    const logInLater = await prepare(shop, victim);
    await evict(victim);
    if (await opens(shop, await logInLater())) open.push(name);
  }
  return open;
}

describe('a login method that an attacker has prepared', () => {
  it('works as long as nothing has happened', async () => {
    expect(await workingMethods(async () => {})).toEqual(Object.keys(accessPaths));
  });

  it.each([
    ['the owner has changed the password', changePassword],
    ['the owner has set a new password by a code', resetByCode],
    ['the owner has set a new password by the link of a mail', resetByMail],
    ['the owner of the address has come by Google', takeBackByGoogle],
    ['the owner of the address has logged in by a code', takeBackByCode],
    ['the owner of the address has confirmed it', takeBackByLink],
    ['an operator has blocked the account', blockAccount],
  ])('fails once %s', { tags: 'slow' }, async (_, evict) => {
    expect(await workingMethods(evict)).toEqual([]);
  });
});

describe('the account owner', () => {
  it('can log in by the new password, a new code, Google and a new token', async () => {
    const victim = await shop.customer();
    await changePassword(victim);
    const { account, uid } = victim;
    const login = await shop.request(endpoints.login, { body: { account, password: newPassword, type: 'email' } });
    expect(await opens(shop, login.data.token)).toBe(true);
    expect((await logInByGoogle(victim)).data).toMatchObject({ outcome: 'signedIn' });
    shop.clock.advance(60_000);
    for (const name of ['a code to log in by', 'a token of the app', 'a token on a screen']) {
      const logInLater = await accessPaths[name]?.(shop, { ...victim, uid });
      expect(await opens(shop, await logInLater?.())).toBe(true);
    }
  });

  it('can still verify the address by the welcome link, which opens no session', async () => {
    const host = 'mego.localhost';
    const { account, password, token } = await shop.customer({ host });
    const [mail] = await mailboxOf(shop, account, host);
    const body = { currentPassword: password, newPassword };
    expect((await shop.request(endpoints.changePassword, { body }, { token, host })).code).toBe(0);
    const link = { token: linkOf(mail ?? { text: '' }).token };
    expect((await shop.request(endpoints.activeUser, { body: link }, { host })).data).toMatchObject({ email: account });
  });
});

describe('a known device', () => {
  const logIn = (account: string, password: string, device?: string) =>
    shop.request(endpoints.login, { body: { account, password, type: 'email', ...(device && { device }) } });
  /** So many wrong passwords that an unknown device needs a captcha. */
  const guessWrongly = async (account: string) => {
    for (let index = 0; index < 12; index += 1) await logIn(account, 'wrong-password');
  };
  const isKnown = async (account: string, password: string, device: string | undefined) => {
    await guessWrongly(account);
    return (await logIn(account, password, device)).code === 0;
  };

  it('is known until the password changes, and then only if the change was made on it', async () => {
    const ana = await shop.customer();
    const there = await logIn(ana.account, ana.password);
    expect(await isKnown(ana.account, ana.password, there.data.deviceToken)).toBe(true);
    const body = { currentPassword: ana.password, newPassword };
    const { data } = await shop.request(endpoints.changePassword, { body }, { token: ana.token });
    expect(await isKnown(ana.account, newPassword, there.data.deviceToken)).toBe(false);
    expect(await isKnown(ana.account, newPassword, ana.deviceToken)).toBe(false);
    expect(await isKnown(ana.account, newPassword, data.deviceToken)).toBe(true);
  });

  it('is reported by email like a new one after a password reset', async () => {
    const ana = await shop.customer();
    await resetByCode(ana);
    const sent = async () => (await shop.db.select().from(outbox)).filter(({ subject }) => /New login/.test(subject));
    const before = (await sent()).length;
    const again = await logIn(ana.account, newPassword, ana.deviceToken);
    expect((await sent()).length).toBe(before + 1);
    expect(again.data.deviceToken).not.toBe(ana.deviceToken);
    await logIn(ana.account, newPassword, again.data.deviceToken);
    expect((await sent()).length).toBe(before + 1);
  });
});

describe('a single sign-on token', () => {
  it('with a timestamp slightly in the future is invalid after a password change, too', async () => {
    const { uid, password, token } = await shop.customer();
    const ahead = await anSsoToken(shop, { uid, issuedAt: shop.clock.now + 9000 });
    await changePassword({ uid, account: '', password, token });
    expect((await shop.request(endpoints.sso, { body: { token: ahead } })).errCode).toBe(-24020);
    shop.clock.advance(11_000);
    const fresh = await anSsoToken(shop, { uid });
    expect((await shop.request(endpoints.sso, { body: { token: fresh } })).code).toBe(0);
  });

  it('of a blocked account is refused as blocked on the TV, not as expired', async () => {
    const victim = await shop.customer();
    const token = await anSsoToken(shop, { uid: victim.uid, src: 'qr' });
    await blockAccount(victim);
    const answer = await shop.request(endpoints.sso, { body: { token } }, { headers: { Scene: 'STB' } });
    expect(answer.errCode).toBe(201);
  });
});

describe('a login', () => {
  it('that is running while all sessions are ended opens no session', async () => {
    const { account, password, uid } = await shop.customer();
    let eviction: Promise<unknown> | undefined;
    // the clock is read after the customer was loaded and before the password is checked
    const clock = () => {
      eviction ??= evictSessions(shop.db, { brand: 'lumen', uid }, shop.clock.now);
      return shop.clock.now;
    };
    const raced = await testApp({ db: shop.db, deps: () => ({ clock }) });
    const body = { account, password, type: 'email' } as const;
    expect(await raced.request(endpoints.login, { body })).toMatchObject({ status: 401, errCode: 203 });
    await eviction;
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, uid))).toEqual([]);
  });
});

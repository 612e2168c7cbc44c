import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { evictSessions, setUserType } from '#server/auth/evict.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { aPerson, atGoogle } from '#tests/builders/at-google.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { lumenOf, opens, resetLink, accessPaths, type CompromisedAccount } from '#tests/builders/ways-in.ts';

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
  const asked = { account, type: 'email', scene: 'reset', language: 'en' } as const;
  await shop.request(endpoints.sendVerificationCode, { body: asked });
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
/** Nobody has proved the address: an attacker signed up with it. */
const unprove = ({ uid }: Pick<CompromisedAccount, 'uid'>) =>
  shop.db.update(users).set({ verifiedAt: null }).where(eq(users.uid, uid));
const takeBackByCode = async (victim: CompromisedAccount) => {
  await unprove(victim);
  shop.clock.advance(60_000);
  const { account } = victim;
  await shop.request(endpoints.sendVerificationCode, {
    body: { account, type: 'email', scene: 'login', language: 'en' },
  });
  const body = { account, type: 'email', code: await shop.lastCode(account) } as const;
  expect((await shop.request(endpoints.codeLogin, { body })).code).toBe(0);
};
const takeBackByLink = async (victim: CompromisedAccount) => {
  await unprove(victim);
  const { uid, account: email } = victim;
  const link = { brand: lumenOf(shop), uid, purpose: 'confirm', email, language: 'en' } as const;
  const token = new URL(await makeMailLink(shop.db, link, shop.deps)).searchParams.get('token') ?? '';
  expect((await shop.request(endpoints.activeUser, { body: { token } })).data.passwordToken).toBeDefined();
};
const takeBackByGoogle = async (victim: CompromisedAccount) => {
  await unprove(victim);
  expect((await logInByGoogle(victim)).data).toMatchObject({ outcome: 'signedIn' });
};
const blockAccount = async ({ uid }: CompromisedAccount) => {
  await setUserType(shop.db, { brand: 'lumen', uid }, 'BLOCKED', shop.clock.now);
};

/** A customer for each way, because some of them end the others. Answers the ways that still lead in afterwards. */
async function waysThatLeadIn(evict: (victim: CompromisedAccount) => Promise<void>): Promise<string[]> {
  const open: string[] = [];
  for (const [name, way] of Object.entries(accessPaths)) {
    const victim = await shop.customer();
    const goIn = await way(shop, victim);
    await evict(victim);
    if (await opens(shop, await goIn())) open.push(name);
  }
  return open;
}

describe('what somebody has put by to come back with', () => {
  it('leads in as long as nothing has happened', async () => {
    expect(await waysThatLeadIn(async () => {})).toEqual(Object.keys(accessPaths));
  });

  it.each([
    ['the owner has changed the password', changePassword],
    ['the owner has set a new password by a code', resetByCode],
    ['the owner has set a new password by the link of a mail', resetByMail],
    ['the owner of the address has come by Google', takeBackByGoogle],
    ['the owner of the address has logged in by a code', takeBackByCode],
    ['the owner of the address has confirmed it', takeBackByLink],
    ['an operator has blocked the account', blockAccount],
  ])('leads nowhere once %s', async (_, evict) => {
    expect(await waysThatLeadIn(evict)).toEqual([]);
  });
});

describe('the owner', () => {
  it('gets in with the new password, by a new code, by Google, and by a token that was made afterwards', async () => {
    const victim = await shop.customer();
    await changePassword(victim);
    const { account, uid } = victim;
    const login = await shop.request(endpoints.login, { body: { account, password: newPassword, type: 'email' } });
    expect(await opens(shop, login.data.token)).toBe(true);
    expect((await logInByGoogle(victim)).data).toMatchObject({ outcome: 'signedIn' });
    shop.clock.advance(60_000);
    for (const name of ['a code to log in by', 'a token of the app', 'a token on a screen']) {
      const goIn = await accessPaths[name]?.(shop, { ...victim, uid });
      expect(await opens(shop, await goIn?.())).toBe(true);
    }
  });

  it('can still confirm the address by the link of the welcome, which opens nothing but a new password', async () => {
    const host = 'mego.localhost';
    const { account, password, token } = await shop.customer({ host });
    const [mail] = await mailboxOf(shop, account, host);
    const body = { currentPassword: password, newPassword };
    expect((await shop.request(endpoints.changePassword, { body }, { token, host })).code).toBe(0);
    const link = { token: linkOf(mail ?? { text: '' }).token };
    expect((await shop.request(endpoints.activeUser, { body: link }, { host })).data).toMatchObject({ email: account });
  });
});

describe('a device that signed in before', () => {
  const logIn = (account: string, password: string, device?: string) =>
    shop.request(endpoints.login, { body: { account, password, type: 'email', ...(device && { device }) } });
  /** So many wrong passwords that a device without a name is asked for a captcha. */
  const guessWrongly = async (account: string) => {
    for (let index = 0; index < 12; index += 1) await logIn(account, 'wrong-password');
  };
  const isKnown = async (account: string, password: string, device: string | undefined) => {
    await guessWrongly(account);
    return (await logIn(account, password, device)).code === 0;
  };

  it('is known until the password changes, and then only where it was changed', async () => {
    const ana = await shop.customer();
    const there = await logIn(ana.account, ana.password);
    expect(await isKnown(ana.account, ana.password, there.data.deviceToken)).toBe(true);
    const body = { currentPassword: ana.password, newPassword };
    const { data } = await shop.request(endpoints.changePassword, { body }, { token: ana.token });
    expect(await isKnown(ana.account, newPassword, there.data.deviceToken)).toBe(false);
    expect(await isKnown(ana.account, newPassword, ana.deviceToken)).toBe(false);
    expect(await isKnown(ana.account, newPassword, data.deviceToken)).toBe(true);
  });

  it('is told of by mail like any other once the password was reset', async () => {
    const ana = await shop.customer();
    await resetByCode(ana);
    const sent = async () => (await shop.db.select().from(outbox)).filter(({ subject }) => /New sign-in/.test(subject));
    const before = (await sent()).length;
    const again = await logIn(ana.account, newPassword, ana.deviceToken);
    expect((await sent()).length).toBe(before + 1);
    expect(again.data.deviceToken).not.toBe(ana.deviceToken);
    await logIn(ana.account, newPassword, again.data.deviceToken);
    expect((await sent()).length).toBe(before + 1);
  });
});

describe('a token of single sign-on', () => {
  it('that says it was made a moment later, by a clock that runs ahead, opens nothing either', async () => {
    const { uid, password, token } = await shop.customer();
    const ahead = await anSsoToken(shop, { uid, issuedAt: shop.clock.now + 9000 });
    await changePassword({ uid, account: '', password, token });
    expect((await shop.request(endpoints.sso, { body: { token: ahead } })).errCode).toBe(-24020);
    shop.clock.advance(11_000);
    const fresh = await anSsoToken(shop, { uid });
    expect((await shop.request(endpoints.sso, { body: { token: fresh } })).code).toBe(0);
  });

  it('of a blocked account tells the TV that it may not log in, and not that it is too old', async () => {
    const victim = await shop.customer();
    const token = await anSsoToken(shop, { uid: victim.uid, src: 'qr' });
    await blockAccount(victim);
    const answer = await shop.request(endpoints.sso, { body: { token } }, { headers: { Scene: 'STB' } });
    expect(answer.errCode).toBe(201);
  });
});

describe('a login', () => {
  it('that is under way while everybody is signed out signs nobody in', async () => {
    const { account, password, uid } = await shop.customer();
    let shutOut: Promise<unknown> | undefined;
    // the clock is asked when the customer has been looked up, and their password not yet
    const clock = () => {
      shutOut ??= evictSessions(shop.db, { brand: 'lumen', uid }, shop.clock.now);
      return shop.clock.now;
    };
    const raced = await testApp({ db: shop.db, deps: () => ({ clock }) });
    const body = { account, password, type: 'email' } as const;
    expect(await raced.request(endpoints.login, { body })).toMatchObject({ status: 401, errCode: 203 });
    await shutOut;
    expect(await shop.db.select().from(sessions).where(eq(sessions.uid, uid))).toEqual([]);
  });
});

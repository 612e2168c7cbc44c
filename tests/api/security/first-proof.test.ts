import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { users } from '#server/db/schema/users.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { codeForContact, proofOf } from '#tests/builders/a-contact-change.ts';
import { mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anAuthenticator, logInByPasskey, putPasskey } from '#tests/builders/a-passkey.ts';
import { aPerson, atGoogle } from '#tests/builders/google-sign-in.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { aNumber, anAddress, host, type Name, stored, nameCalls } from '#tests/builders/a-name.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const { signUp, codeTo, logInByCode, logIn } = nameCalls(() => shop);
const brand = () => shop.deps.catalog.byCode('baobab') ?? expect.fail('no brand baobab');

const resetByCode = async (name: Name, password: string) =>
  shop.request(endpoints.resetPasswd, { body: { ...name, code: await codeTo(name, 'reset'), password } }, { host });
const rowOf = async (uid: string) => (await shop.db.select().from(users).where(eq(users.uid, uid)))[0];

async function linkTo(uid: string, purpose: 'confirm' | 'reset', email: string): Promise<string> {
  const url = await makeMailLink(shop.db, { brand: brand(), uid, purpose, email, language: 'en' }, shop.deps);
  return new URL(url).searchParams.get('token') ?? '';
}

/** The ways in which the real owner verifies the name afterwards. */
const proofs: Readonly<Record<string, (name: Name, uid: string) => Promise<{ readonly code: number }>>> = {
  'a login by code': (name) => logInByCode(name),
  'a new password by code': (name) => resetByCode(name, 'a password of the owner'),
  'a new password by a link': async ({ account }, uid) => {
    const body = { token: await linkTo(uid, 'reset', account), password: 'a password of the owner' };
    return shop.request(endpoints.emailResetPassword, { body }, { host });
  },
  'the link that confirms the address': async ({ account }, uid) =>
    shop.request(endpoints.activeUser, { body: { token: await linkTo(uid, 'confirm', account) } }, { host }),
  Google: async ({ account }) => {
    const { proof } = await atGoogle(shop, { form: aPerson(account), host });
    return shop.request(endpoints.googleLogin, { body: proof }, { host });
  },
};
const proofsOf = ({ type }: Name) =>
  Object.entries(proofs)
    .filter(([method]) => type === 'email' || method.endsWith('by code'))
    .map(([method]) => method);

/** The links to an address of the attacker, stored as earlier versions sent them. */
async function linksOf(uid: string, name: Name) {
  const own = anAddress('attacker');
  const shared = { brand: brand(), uid, email: own.account, language: 'en' } as const;
  const { account, type: accountType, areaCode = null } = name;
  const phone = accountType === 'phone' ? stored(name) : null;
  const names = { account: accountType === 'phone' ? stored(name) : account, accountType, areaCode, phone };
  const before = { ...names, email: own.account, googleSub: null };
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';
  return {
    own,
    bind: tokenOf(await makeMailLink(shop.db, { ...shared, purpose: 'bind' }, shop.deps)),
    restore: tokenOf(await makeMailLink(shop.db, { ...shared, purpose: 'restore', before }, shop.deps)),
  };
}

/**
 * Signs an attacker up with the name of the victim and prepares every login method. The second name is stored
 * directly, as earlier versions allowed it. Returns the methods that still open a session.
 */
async function hijack(name: Name) {
  const account = await signUp(name);
  const { uid, token, password } = account;
  const second = name.type === 'email' ? aNumber() : anAddress('attacker');
  const passkey = await putPasskey(shop, { token, password }, anAuthenticator(host), { host }).catch(() => undefined);
  const added = second.type === 'email' ? { email: stored(second) } : { phone: stored(second), areaCode: '254' };
  await shop.db.update(users).set(added).where(eq(users.uid, uid));
  const links = await linksOf(uid, name);
  const isOpen = async (given: string | undefined) =>
    given !== undefined &&
    (await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token: given, host })).code === 0;
  const tokenOf = (answer: Awaited<ReturnType<typeof logIn>>) => (answer.code === 0 ? answer.data.token : undefined);
  /** whether the attacker has a session in the account of the victim */
  const hasSession = async (given: string | undefined) => {
    if (!(await isOpen(given))) return false;
    const info = await shop.request(endpoints.ownSettings, { body: {} }, { token: given, host });
    return info.code === 0 && [info.data.account, info.data.email].includes(stored(name));
  };
  const ways: Record<string, () => Promise<boolean>> = {
    'the session': () => hasSession(token),
    'the password': async () => hasSession(tokenOf(await logIn(name, password))),
    'the second name and the password': async () => hasSession(tokenOf(await logIn(second, password))),
    'a code to the second name': async () => hasSession(tokenOf(await logInByCode(second))),
    'a new password by the second name': async () => {
      await resetByCode(second, 'a password of the attacker');
      return hasSession(tokenOf(await logIn(second, 'a password of the attacker')));
    },
    'a link that binds an address': async () => {
      const body = { token: links.bind };
      const bound = await shop.request(endpoints.bindEmailConfirmed, { body }, { host });
      if (bound.code !== 0) return false;
      await resetByCode(links.own, 'a password of the attacker');
      return hasSession(tokenOf(await logIn(links.own, 'a password of the attacker')));
    },
    'a link that restores an address': async () => {
      const body = { token: links.restore };
      const restored = await shop.request(endpoints.restoreContact, { body }, { host });
      if (restored.code !== 0) return false;
      await resetByCode(links.own, 'a password of the attacker');
      return hasSession(tokenOf(await logIn(links.own, 'a password of the attacker')));
    },
    'a passkey': async () =>
      passkey !== undefined && hasSession(tokenOf(await logInByPasskey(shop, passkey, {}, { host }))),
  };
  return {
    uid,
    openMethods: async () => {
      const open: string[] = [];
      for (const [way, enter] of Object.entries(ways)) if (await enter()) open.push(way);
      return open;
    },
  };
}

describe('an account that an attacker created with the name of a victim', () => {
  const each = [anAddress('victim'), aNumber()].flatMap((name) =>
    proofsOf(name).map((method) => [name.type, method] as const),
  );

  it('is open to every prepared login method until the name is verified', async () => {
    const { openMethods } = await hijack(anAddress('victim'));
    expect(await openMethods()).toEqual(
      expect.arrayContaining(['the session', 'the password', 'a code to the second name']),
    );
  });

  it.each(each)('of type %s belongs to the owner alone after %s', async (type, method) => {
    const name = type === 'email' ? anAddress('victim') : aNumber();
    const { uid, openMethods } = await hijack(name);
    expect((await proofs[method]?.(name, uid))?.code).toBe(0);
    expect(await openMethods()).toEqual([]);
    const row = await rowOf(uid);
    expect([row?.account, row?.email ?? row?.phone]).toEqual([stored(name), stored(name)]);
    expect([row?.verifiedAt === null, row?.email !== null && row?.phone !== null]).toEqual([false, false]);
  });

  it.each([
    ['address', anAddress],
    ['number', aNumber],
  ] as const)(
    'of type %s belongs to the owner alone whatever the order of verifications',
    { timeout: 60_000, tags: 'slow' },
    async (_, any) => {
      const order = fc.shuffledSubarray(proofsOf(any('any')), { minLength: 2 });
      await fc.assert(
        fc.asyncProperty(order, async (methods) => {
          const name = any('victim');
          const { uid, openMethods } = await hijack(name);
          for (const method of methods) {
            expect((await proofs[method]?.(name, uid))?.code, method).toBe(0);
            expect(await openMethods(), `after ${method}`).toEqual([]);
          }
        }),
        { numRuns: 4 },
      );
    },
  );
});

describe('a second name', () => {
  it.each(['email', 'phone'] as const)(
    'is added to an account of type %s only after its own name is verified',
    async (type) => {
      const name = type === 'email' ? anAddress('ana') : aNumber();
      const ana = await signUp(name);
      const second = type === 'email' ? aNumber() : anAddress('second');
      const confirmation = await proofOf(shop, { ...ana, host });
      const answer = await shop.request(
        endpoints.sendContactCode,
        { body: { ...second, confirmation, language: 'en' } },
        { token: ana.token, host },
      );
      expect(answer.errCode).toBe(9);
      expect(
        (await shop.request(endpoints.ownSettings, { body: {} }, { token: ana.token, host })).data.nameVerified,
      ).toBe(false);
      // verified by its creator, on the device of the sign-up
      expect((await logInByCode(name, ana.deviceToken)).code).toBe(0);
      const sent = await codeForContact(shop, { ...ana, host }, second, confirmation);
      const body = { ...second, ...sent, confirmation };
      expect((await shop.request(endpoints.changeContact, { body }, { token: ana.token, host })).code).toBe(0);
    },
  );
});

describe('the owner of the name', () => {
  it('receives the list of removed login methods after the first verification only', async () => {
    const name = anAddress('victim');
    await hijack(name);
    const confirmationMails = async () =>
      (await mailboxOf(shop, name.account, host)).filter(({ subject }) => subject.includes('is confirmed'));
    await logInByCode(name);
    const [mail, ...others] = await confirmationMails();
    expect(mail?.text).toContain('removed: the password, the phone number, and all passkeys.');
    await logInByCode(name);
    expect([others, await confirmationMails()]).toEqual([[], [mail]]);
  });

  it('receives no message about a password that was replaced', async () => {
    const name = anAddress('victim');
    await hijack(name);
    await resetByCode(name, 'a password of the owner');
    const [mail] = (await mailboxOf(shop, name.account, host)).filter(({ subject }) =>
      subject.includes('is confirmed'),
    );
    expect(mail?.text).toContain('removed: the phone number and all passkeys.');
  });

  it('receives it by SMS for a phone number, and nothing if nothing was removed', async () => {
    const [number, address] = [aNumber(), anAddress('ana')];
    await hijack(number);
    await logInByCode(number);
    const ana = await signUp(address);
    await logInByCode(address, ana.deviceToken);
    await sendOutbox(shop.deps);
    expect(shop.texted.filter(({ text }) => text.includes('is confirmed')).map(({ to }) => to)).toEqual([
      stored(number),
    ]);
    expect((await mailboxOf(shop, address.account, host)).map(({ subject }) => subject)).not.toContainEqual(
      expect.stringContaining('is confirmed'),
    );
  });
});

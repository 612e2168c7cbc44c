import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCaller, type Caller } from '#tests/builders/a-caller.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { codeIn } from '#tests/fixtures/outbox.ts';

let shop: TestApp;
let owner: Caller;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  owner = aCaller(shop, '198.51.100.7');
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', type: 'email' } as const;
const password = 'secret-123';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const attackers = (count: number) =>
  Array.from({ length: count }, (_, index) => aCaller(shop, `203.0.113.${index + 1}`));
const otherThan = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

/** A customer who signed up a day ago. */
async function customer() {
  const { deviceToken } = await shop.customer({ account: ana.account, password });
  shop.clock.advance(24 * hourMs);
  return deviceToken ?? '';
}

const submitCode = (caller: Caller, code: string, request?: string, device?: string) =>
  caller.call(endpoints.codeLogin, { body: { ...ana, code, request, device } });

/** The latest code in the mailbox of the owner. */
async function codeInMailbox(): Promise<string> {
  const [newest] = await mailboxOf(shop, ana.account);
  const code = newest && codeIn(newest);
  if (code === undefined) throw new Error(`no code in ${newest?.text ?? 'an empty mailbox'}`);
  return code;
}

const mailsOf = async (part: string) => (await mailboxOf(shop, ana.account)).filter(({ text }) => text.includes(part));

/** Exhausts the emails of an account: earlier versions blocked it after eight requests. */
async function useUpMessages(count = 12): Promise<void> {
  for (const attacker of attackers(count)) {
    expect((await attacker.askCode(ana, 'login')).code).toBe(0);
    expect((await attacker.askReset(ana.account)).code).toBe(0);
    await mailboxOf(shop, ana.account);
    shop.clock.advance(minuteMs);
  }
}

/** Requests three codes as an attacker and enters three wrong ones each: the limit of a day. */
async function useUpTries(attacker: Caller): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const { request } = (await attacker.askCode(ana, 'login')).data;
    const code = await shop.lastCode(ana.account);
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await submitCode(attacker, otherThan(code), request)).errCode).toBe(11);
    }
    await mailboxOf(shop, ana.account);
    shop.clock.advance(minuteMs);
  }
}

async function resetBy(token: string): Promise<void> {
  const answer = await owner.call(endpoints.emailResetPassword, { body: { token, password: 'a new secret' } });
  expect(answer.code).toBe(0);
  expect((await owner.logIn(ana, 'a new secret')).code).toBe(0);
}

describe('while attackers guess the password', { timeout: 120_000, tags: 'slow' }, () => {
  it('the owner logs in on a new device after 110 wrong attempts from eleven addresses', async () => {
    await customer();
    const guessing = attackers(11);
    const codes = new Set<number | undefined>();
    for (const attacker of guessing) {
      for (let tries = 0; tries < 10; tries += 1) codes.add((await attacker.logIn(ana, `guess ${tries}`)).errCode);
    }
    expect([...codes]).toEqual([3001]);
    owner = aCaller(shop, '198.51.100.7', { dear: true });
    const { code, data } = await owner.logIn(ana, password);
    expect(code).toBe(0);
    expect(data.account).toBe(ana.account);
    expect(owner.worked()).toBe(1);
  });

  it('an attacker in the same network only raises the cost of a login', async () => {
    await customer();
    const sameNetwork = aCaller(shop, '198.51.100.7');
    for (let tries = 0; tries < 30; tries += 1) expect((await sameNetwork.logIn(ana, 'a guess')).errCode).toBe(3001);
    expect((await owner.logIn(ana, password)).code).toBe(0);
  });
});

describe('while attackers request codes and emails', { timeout: 60_000 }, () => {
  it('the owner receives a working code on a new device', async () => {
    await customer();
    for (const attacker of attackers(6)) {
      expect((await attacker.askCode(ana, 'login')).code).toBe(0);
      await mailboxOf(shop, ana.account);
      shop.clock.advance(minuteMs);
    }
    const { request } = (await owner.askCode(ana, 'login')).data;
    expect((await submitCode(owner, await codeInMailbox(), request)).code).toBe(0);
  });

  it('the owner has a working link in the mailbox, whatever others have requested', { tags: 'slow' }, async () => {
    await customer();
    await useUpMessages();
    for (let hour = 0; hour < 9; hour += 1) {
      shop.clock.advance(hourMs / 2);
      for (const attacker of attackers(3)) await attacker.askReset(ana.account);
      expect((await owner.askReset(ana.account)).code).toBe(0);
      const [newest] = await mailsOf('/resetPassword?');
      const { token } = linkOf(newest ?? { text: '' });
      expect((await owner.call(endpoints.obtainResetPasswordEmail, { body: { token } })).code).toBe(0);
    }
    const [newest] = await mailsOf('/resetPassword?');
    expect(newest?.text).toContain('for 4 hours');
    await resetBy(linkOf(newest ?? { text: '' }).token);
  });

  it('a used link allows the next one at once', async () => {
    await customer();
    await useUpMessages();
    await owner.askReset(ana.account);
    await resetBy(linkOf((await mailsOf('/resetPassword?'))[0] ?? { text: '' }).token);
    const before = (await mailsOf('/resetPassword?')).length;
    shop.clock.advance(minuteMs);
    await owner.askReset(ana.account);
    expect(await mailsOf('/resetPassword?')).toHaveLength(before + 1);
  });

  it('the mailbox receives at most ten codes and eleven links a day', { tags: 'slow' }, async () => {
    await customer();
    const [before, beforeLinks] = [await mailsOf('10 minutes'), await mailsOf('/resetPassword?')];
    for (let hour = 0; hour < 23; hour += 1) {
      for (const attacker of attackers(2)) {
        expect((await attacker.askCode(ana, hour % 2 ? 'login' : 'reset')).code).toBe(0);
        expect((await attacker.askReset(ana.account)).code).toBe(0);
      }
      await mailboxOf(shop, ana.account);
      shop.clock.advance(hourMs);
    }
    expect((await mailsOf('10 minutes')).length - before.length).toBe(10);
    expect((await mailsOf('/resetPassword?')).length - beforeLinks.length).toBeLessThanOrEqual(11);
  });

  it('a known device has its own limit of codes and emails, without proof of work', async () => {
    const device = await customer();
    await useUpMessages();
    for (let round = 0; round < 3; round += 1) {
      const { request } = (await owner.askCode(ana, 'login', device)).data;
      expect((await submitCode(owner, await codeInMailbox(), request, device)).code).toBe(0);
      expect((await owner.askReset(ana.account, device)).code).toBe(0);
      expect((await mailsOf('/resetPassword?'))[0]?.text).toContain('for 30 minutes');
      shop.clock.advance(minuteMs);
    }
    expect(owner.worked()).toBe(0);
  });
});

describe('a verification code', () => {
  it('is neither replaced nor exhausted by requests of an attacker', async () => {
    await customer();
    const { request } = (await owner.askCode(ana, 'login')).data;
    const code = await codeInMailbox();
    for (const attacker of attackers(3)) {
      for (let tries = 0; tries < 5; tries += 1) {
        expect((await submitCode(attacker, otherThan(code))).errCode).toBe(-3033);
        expect((await submitCode(attacker, code)).errCode).toBe(-3033);
      }
      await attacker.askCode(ana, 'login');
    }
    expect((await submitCode(owner, code, request)).code).toBe(0);
  });

  it('works from another network with the id of its request', async () => {
    await customer();
    const { request } = (await owner.askCode(ana, 'login')).data;
    const code = await codeInMailbox();
    const elsewhere = aCaller(shop, '198.51.100.200');
    expect((await submitCode(elsewhere, code)).errCode).toBe(-3033);
    expect((await submitCode(elsewhere, code, request)).code).toBe(0);
  });

  it('that cannot be tried on that day is replaced by a link', async () => {
    await customer();
    await useUpTries(aCaller(shop, '203.0.113.1'));
    expect((await owner.askCode(ana, 'login')).code).toBe(0);
    const [newest] = await mailboxOf(shop, ana.account);
    expect(newest?.text).toContain('instead of a code');
    await resetBy(linkOf(newest ?? { text: '' }).token);
  });

  it('works on a known device after an attacker has used up the attempts of the day', async () => {
    const device = await customer();
    await useUpTries(aCaller(shop, '203.0.113.1'));
    const { request } = (await owner.askCode(ana, 'login', device)).data;
    expect((await submitCode(owner, await codeInMailbox(), request, device)).code).toBe(0);
  });
});

it('an attack on an unknown account is indistinguishable', { timeout: 60_000, tags: 'slow' }, async () => {
  await customer();
  const attack = async (account: string, prefix: string) => {
    const observed: unknown[] = [];
    const name = { account, type: 'email' } as const;
    for (let round = 0; round < 8; round += 1) {
      const attacker = aCaller(shop, `${prefix}.${round % 3}`);
      const answer = await attacker.askCode(name, 'login');
      const code = await shop.lastCode(account);
      observed.push({ status: answer.status, waitSeconds: answer.data.waitSeconds });
      for (let tries = 0; tries < 2; tries += 1) {
        const body = { ...name, code: otherThan(code), request: answer.data.request };
        const { status, errCode, params } = await attacker.call(endpoints.codeLogin, { body });
        observed.push({ status, errCode, params });
      }
      const { status, errCode, data } = await attacker.askReset(account);
      const guess = await attacker.logIn(name, 'a guess');
      observed.push(
        { status, errCode, data },
        { status: guess.status, errCode: guess.errCode, worked: attacker.worked() },
      );
      await mailboxOf(shop, account);
      shop.clock.advance(minuteMs);
    }
    return observed;
  };
  const start = shop.clock.now;
  const known = await attack(ana.account, '203.0.113');
  shop.clock.now = start;
  expect(await attack('nobody@example.com', '203.0.114')).toEqual(known);
});

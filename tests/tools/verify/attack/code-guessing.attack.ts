import { like } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import { throttles, verificationCodes } from '#server/db/schema/sign-in.ts';
import { users } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { aCaller, type Caller, type Name } from '#tests/builders/a-caller.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import type { Attack } from './attack.ts';

const days = Number(process.env.ATTACK_DAYS ?? 3000);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** guesses per day and customer, of 10,000 possible codes */
const allowed = 9;
const codes = 10_000;

/**
 * Guesses the codes of customers with a phone number and an email address. An attacker with a new IP address each day
 * requests codes for both accounts and purposes, solves all captchas, and guesses until guesses are refused. Each day
 * has a new customer, because a hundred failures block a customer; one customer is attacked until then.
 */
export const attack: Attack = {
  holds: 'an attacker guesses a code of a customer on at most 0.09 % of the days, and for at most 1 % of customers',
  async run(say) {
    const shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
    try {
      await guessForDays(shop, say);
      await guessForALifetime(shop, say);
    } finally {
      await shop.close();
    }
  },
};

async function guessForDays(shop: TestApp, say: (line: string) => void): Promise<void> {
  let [tried, opened, most, codesAsked] = [0, 0, 0, 0];
  for (let day = 0; day < days; day += 1) {
    const names = await aCustomer(shop, day);
    const result = await guessForADay(shop, names, aCaller(shop, addressOf(day)));
    tried += result.tried;
    codesAsked += result.codes;
    opened += Number(result.opened);
    most = Math.max(most, result.tried);
    if (day % 500 === 499) say(`${day + 1} days: ${tried} tries, ${opened} opened`);
    shop.clock.advance(dayMs);
    // delete expired rows, as a job of the shop does
    await shop.db.delete(throttles);
    await shop.db.delete(verificationCodes);
  }
  const expected = (days * allowed) / codes;
  const bound = expected + 4 * Math.sqrt(expected);
  say(`${days} days, ${codesAsked} codes: at most ${most} tries a day that counted, ${opened} days opened an account`);
  say(`expected at 0.09 %: ${expected.toFixed(1)}, limit ${bound.toFixed(1)} (4 sigma)`);
  if (most > allowed) throw new Error(`${most} tries of one customer counted in one day`);
  if (opened > bound) throw new Error(`${opened} accounts were opened in ${days} days`);
}

async function guessForALifetime(shop: TestApp, say: (line: string) => void): Promise<void> {
  const names = await aCustomer(shop, days);
  let tried = 0;
  let day = 0;
  for (; day < 40; day += 1) {
    const result = await guessForADay(shop, names, aCaller(shop, addressOf(days + day)), 'wrong');
    tried += result.tried;
    shop.clock.advance(dayMs);
  }
  const { opened } = await guessForADay(shop, names, aCaller(shop, addressOf(days + day)), 'right');
  say(
    `${tried} wrong tries of one customer in ${day} days; then the right code opens ${opened ? 'the account' : 'nothing'}`,
  );
  // the try after the hundredth failure is counted too, although its code is not compared
  if (tried > 101 || opened) throw new Error('codes of one customer are still compared after a hundred failures');
}

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

async function aCustomer(shop: TestApp, index: number): Promise<readonly Name[]> {
  const number = `9${String(index).padStart(8, '0')}`;
  const email = `both${index}@example.com`;
  const usual = { createdAt: shop.clock.now, language: 'en', accountType: 'phone', areaCode: '55' } as const;
  await shop.db
    .insert(users)
    .values({ ...usual, uid: systemRandom.id(), brand: 'lumen', account: `55${number}`, email });
  return [
    { account: number, type: 'phone', areaCode: '55' },
    { account: email, type: 'email' },
  ];
}

interface Day {
  /** counted tries, including a successful one */
  readonly tried: number;
  readonly codes: number;
  readonly opened: boolean;
}

/** The guessed numbers: any, like an attacker; wrong ones, to count the compared tries; or the right one. */
type Numbers = 'any' | 'wrong' | 'right';

async function guessForADay(
  shop: TestApp,
  accounts: readonly Name[],
  guesser: Caller,
  numbers: Numbers = 'any',
): Promise<Day> {
  let [tried, requested] = [0, 0];
  const targets = accounts.flatMap((name) => [{ name, scene: 'login' } as const, { name, scene: 'reset' } as const]);
  for (const { name, scene } of [...targets, ...targets, ...targets]) {
    const { code, data } = await guesser.askCode(name, scene).then(dataIfAccepted);
    shop.clock.advance(minuteMs);
    if (code !== 0 || !data) continue;
    requested += 1;
    const right = await shop.lastCode(`${name.areaCode ?? ''}${name.account}`);
    const result = await guess(guesser, {
      name,
      scene,
      request: data.request,
      right,
      numbers,
      counts: () => countedTries(shop),
    });
    tried += result.tried;
    if (result.opened) return { tried, codes: requested, opened: true };
  }
  return { tried, codes: requested, opened: false };
}

const dataIfAccepted = (answer: Awaited<ReturnType<Caller['askCode']>>) =>
  answer.code === 0 ? { code: 0, data: answer.data } : { code: answer.errCode ?? 0, data: undefined };

/** The number of counted tries for existing customers, for both of their accounts. */
async function countedTries(shop: TestApp): Promise<number> {
  const rows = await shop.db.select().from(throttles).where(like(throttles.key, 'code tries of lumen uid %'));
  const own = rows.filter(({ resetsAt }) => resetsAt > shop.clock.now);
  return own.reduce((sum, { count }) => sum + Math.min(count, allowed), 0);
}

interface Guess {
  readonly name: Name;
  readonly scene: 'login' | 'reset';
  readonly request: string;
  readonly right: string;
  readonly numbers: Numbers;
  counts(): Promise<number>;
}

async function guess(guesser: Caller, { name, scene, request, right, numbers, counts: counted }: Guess) {
  const before = await counted();
  const first = { any: Number(systemRandom.text('0123456789', 4)), wrong: Number(right) + 1, right: Number(right) };
  for (let index = 0; index < 3; index += 1) {
    const code = String((first[numbers] + index) % codes).padStart(4, '0');
    const body = { ...name, code, request };
    const { errCode, status } =
      scene === 'login'
        ? await guesser.call(endpoints.codeLogin, { body })
        : await guesser.call(endpoints.resetPasswd, { body: { ...body, password: 'a new secret' } });
    if (status === 200) return { tried: (await counted()) - before + 1, opened: true };
    if (errCode !== 11) break;
  }
  return { tried: (await counted()) - before, opened: false };
}

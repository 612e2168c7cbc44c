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
/** tries of a day at one customer, of 10,000 codes */
const allowed = 9;
const codes = 10_000;

/**
 * A customer with two names, a number and an address. A guesser with as many addresses as days asks for codes of both
 * names and both purposes, does all the work, and tries as long as anything is tried. Every day is another customer, as
 * the hundred failures of a lifetime would end it after eleven days; one customer is attacked until that.
 */
export const attack: Attack = {
  holds: 'a code of a customer with two names is guessed on 0.09 % of the days at most, and in 1 % of lifetimes',
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
    // what has ended goes, as it does by a job of the shop
    await shop.db.delete(throttles);
    await shop.db.delete(verificationCodes);
  }
  const expected = (days * allowed) / codes;
  const bound = expected + 4 * Math.sqrt(expected);
  say(`${days} days, ${codesAsked} codes: at most ${most} tries a day that counted, ${opened} days opened an account`);
  say(`expected at 0.09 %: ${expected.toFixed(1)}, at most ${bound.toFixed(1)} but for chance (4 sigma)`);
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
  // the one try that finds the hundred used up is counted as well, and compared with nothing
  if (tried > 101 || opened) throw new Error('codes of one customer go on being tried after a hundred failures');
}

const addressOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

async function aCustomer(shop: TestApp, index: number): Promise<readonly Name[]> {
  const number = `9${String(index).padStart(8, '0')}`;
  const email = `both${index}@example.com`;
  const born = { createdAt: shop.clock.now, language: 'en', accountType: 'phone', areaCode: '55' } as const;
  await shop.db
    .insert(users)
    .values({ ...born, uid: systemRandom.id(), brand: 'lumen', account: `55${number}`, email });
  return [
    { account: number, type: 'phone', areaCode: '55' },
    { account: email, type: 'email' },
  ];
}

interface Day {
  /** wrong tries that could have been right, and the right one */
  readonly tried: number;
  readonly codes: number;
  readonly opened: boolean;
}

/** Which numbers are tried: any, as a guesser does; wrong ones, to see how many are taken; or the right one. */
type Numbers = 'any' | 'wrong' | 'right';

async function guessForADay(
  shop: TestApp,
  names: readonly Name[],
  guesser: Caller,
  numbers: Numbers = 'any',
): Promise<Day> {
  let [tried, asked] = [0, 0];
  const ways = names.flatMap((name) => [{ name, scene: 'login' } as const, { name, scene: 'reset' } as const]);
  for (const { name, scene } of [...ways, ...ways, ...ways]) {
    const { code, data } = await guesser.askCode(name, scene).then(orNothing);
    shop.clock.advance(minuteMs);
    if (code !== 0 || !data) continue;
    asked += 1;
    const right = await shop.lastCode(`${name.areaCode ?? ''}${name.account}`);
    const result = await guess(guesser, {
      name,
      scene,
      request: data.request,
      right,
      numbers,
      counts: () => counts(shop),
    });
    tried += result.tried;
    if (result.opened) return { tried, codes: asked, opened: true };
  }
  return { tried, codes: asked, opened: false };
}

const orNothing = (answer: Awaited<ReturnType<Caller['askCode']>>) =>
  answer.code === 0 ? { code: 0, data: answer.data } : { code: answer.errCode ?? 0, data: undefined };

/** How many tries the shop has let count for customers who exist, by whichever name. */
async function counts(shop: TestApp): Promise<number> {
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

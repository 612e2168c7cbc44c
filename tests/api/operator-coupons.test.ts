import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { setUserType } from '#server/auth/users.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { campaigns } from '#server/db/schema/offers.ts';
import { users } from '#server/db/schema/users.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';
import type { Shop } from '#tests/builders/a-shop.ts';

let cli: OperatorDemo;
let shop: Shop;
let ana: Awaited<ReturnType<Shop['customer']>>;
beforeAll(async () => {
  cli = await startOperatorDemo();
  shop = cli.shop;
}, 60_000);
afterAll(() => cli?.close());
beforeEach(async () => {
  ana = await shop.customer();
});

const run = (...args: string[]) =>
  cli.run(...args, ...(args[1] === 'list' ? [] : ['--why=a ticket']), '--brand', 'lumen');

describe('coupons that an operator creates and gives', () => {
  const mine = async (token = ana.token) =>
    (await shop.request(endpoints.listCoupons, { body: {} }, { token })).data.items;

  it('are listed only for the customer they were given to, until they end', async () => {
    const made = await run('coupons', 'create', '--code=vip-20', '--percent=20', '--uses=5', '--until=2027-12-31');
    expect(made.told).toContain('coupon VIP-20');
    expect((await run('coupons', 'give', `--account=${ana.account}`, '--code=VIP-20')).code).toBe(0);
    expect((await run('coupons', 'give', `--account=${ana.account}`, '--code=VIP-20')).told).toContain('already');
    const endsAt = Date.parse('2028-01-01T00:00:00-03:00');
    expect(await mine()).toEqual([expect.objectContaining({ code: 'VIP-20', percent: 20, state: 'usable', endsAt })]);
    expect(await mine((await shop.customer()).token)).toEqual([]);
    expect((await run('coupons', 'list')).out).toContain('VIP-20\t20%\t0/5\t2028-01-01T03:00:00.000Z');
    expect((await run('coupons', 'end', '--code=VIP-20')).code).toBe(0);
    expect(await mine()).toEqual([expect.objectContaining({ state: 'expired' })]);
  });

  it('are announced to their customer by one email with discount, validity and link', async () => {
    const body = { language: 'pt' } as const;
    await shop.request(endpoints.saveLanguage, { body }, ana);
    await run('coupons', 'create', '--code=gift-5', '--percent=5', '--uses=5', '--until=2027-12-31', '--plans=101');
    for (let round = 0; round < 2; round += 1)
      await run('coupons', 'give', `--account=${ana.account}`, '--code=gift-5');
    const soon = { startsAt: shop.clock.now + 86_400_000, code: 'GIFT-6' };
    const [gift] = await shop.db.select().from(coupons).where(eq(coupons.code, 'GIFT-5'));
    if (gift) await shop.db.insert(coupons).values({ ...gift, ...soon });
    shop.clock.advance(1000);
    await run('coupons', 'give', `--account=${ana.account}`, '--code=gift-6');
    const mails = await shop.db
      .select()
      .from(outbox)
      .where(eq(outbox.recipient, ana.account))
      .orderBy(outbox.createdAt);
    const [now, later, ...more] = mails.filter(({ text }) => text.includes('GIFT-'));
    expect(more).toEqual([]);
    expect(now?.subject).toContain('Lumen');
    for (const part of ['5%', 'GIFT-5', 'Mensal', '31 de dezembro de 2027', '/coupons?la=pt']) {
      expect(now?.text).toContain(part);
    }
    expect(later?.text).toContain('GIFT-6');
    expect(later?.text).toContain('22 de novembro de 2026');
    expect(now?.text).not.toContain('22 de novembro de 2026');
  });

  it('can be an amount for certain plans and a first purchase', async () => {
    const made = ['--code=FIVER', '--amount=5.00', '--currency=BRL', '--plans=101,102', '--first'];
    const said = await run('coupons', 'create', ...made, '--uses=1', '--until=2027-01-01');
    expect(said.told).toContain('5.00 BRL off');
    await run('coupons', 'give', `--account=${ana.account}`, '--code=fiver');
    const [coupon] = await mine();
    expect(coupon).toMatchObject({ amount: { amount: 500, currency: 'BRL' }, percent: null, firstPurchaseOnly: true });
    expect(coupon?.plans.map(({ planId }) => planId)).toEqual(['101', '102']);
  });

  it('are not given to a customer who could not use them', async () => {
    const [buyer] = await shop.buyers(1);
    await buyer?.pay();
    const create = (...options: string[]) => run('coupons', 'create', '--percent=10', '--until=2027-12-31', ...options);
    await create('--code=FIRST-1', '--uses=9', '--first');
    await create('--code=ENDED-1', '--uses=9');
    await run('coupons', 'end', '--code=ENDED-1');
    await create('--code=SPENT-1', '--uses=1', '--plans=101');
    await shop.db.update(coupons).set({ used: 1 }).where(eq(coupons.code, 'SPENT-1'));
    const give = (code: string, account = buyer?.account) =>
      run('coupons', 'give', `--account=${account}`, `--code=${code}`);
    const refused = { 'FIRST-1': 'has bought before', 'ENDED-1': 'has ended', 'SPENT-1': 'is used up' };
    for (const [coupon, words] of Object.entries(refused)) {
      const { code: exit, told } = await give(coupon);
      expect([exit, told]).toEqual([1, expect.stringContaining(words)]);
    }
    expect((await give('FIRST-1', ana.account)).code).toBe(0);
    expect(await mine(buyer?.token)).toEqual([]);
  });

  it('are refused with a message if they are invalid', async () => {
    const good = ['--code=ONE', '--percent=10', '--uses=1', '--until=2027-01-01'];
    const wrong: Record<string, string[]> = {
      'letters, digits': [...good, '--code=a_b'],
      '--percent or --amount': good.filter((option) => !option.startsWith('--percent')),
      'from 1 to 100': [...good, '--percent=101'],
      'sells in': [...good.filter((option) => !option.startsWith('--percent')), '--amount=1', '--currency=RUB'],
      'a future day': [...good, '--until=2020-01-01'],
      'sells no plan 999': [...good, '--plans=999'],
    };
    for (const [sentence, options] of Object.entries(wrong)) {
      const done = await run('coupons', 'create', ...options);
      expect([done.code, done.told]).toEqual([2, expect.stringContaining(sentence)]);
    }
    expect((await run('coupons', 'give', `--account=${ana.account}`, '--code=NONE')).told).toContain('no coupon NONE');
    expect((await run('coupons', 'end', '--code=NONE')).code).toBe(1);
    await run('coupons', 'create', ...good);
    expect((await run('coupons', 'create', ...good)).told).toContain('already');
  });
});

describe('coupons that an operator generates', () => {
  const terms = ['--amount=5.00', '--currency=BRL', '--until=2027-12-31'];

  it('have random codes with one use each, which are printed one per line', async () => {
    const made = await run('coupons', 'generate', '--count=1200', '--prefix=spring', ...terms);
    expect([made.code, made.told]).toEqual([0, expect.stringContaining('1200 coupons more: 5.00 BRL off')]);
    expect(new Set(made.out).size).toBe(1200);
    for (const code of made.out) expect(code).toMatch(/^SPRING-[A-HJ-NP-Z2-9]{8}$/);
    const [code = ''] = made.out;
    const listed = await run('coupons', 'list', `--prefix=${code}`);
    expect(listed.out).toEqual([`${code}\t5.00 BRL\t0/1\t2028-01-01T03:00:00.000Z`]);
    const all = await run('coupons', 'list', '--prefix=spring', '--limit=5000', '--csv');
    expect(all.out.slice(0, 1)).toEqual(['\uFEFFcode,off,uses,endsAt']);
    expect(all.out).toHaveLength(1201);
    expect((await run('coupons', 'end', `--code=${code}`)).code).toBe(0);
    const ended = await run('coupons', 'end', '--prefix=spring-');
    expect([ended.code, ended.told]).toEqual([0, expect.stringContaining('1199 coupons SPRING-… have ended')]);
    expect((await run('coupons', 'end', '--prefix=spring-')).told).toContain('no coupon SPRING-');
    expect((await run('coupons', 'end', '--prefix=s')).code).toBe(2);
    expect((await run('coupons', 'end')).told).toContain('Give --code or --prefix');
  });

  it('are all refused if the count, the prefix or the amount is invalid', async () => {
    const wrong: Record<string, string[]> = {
      'from 1 to 10000': ['--count=10001', '--prefix=X-1', ...terms],
      '--prefix has': ['--count=1', '--prefix=A_B', ...terms],
      '2 decimals at most, after a point': ['--count=1', '--prefix=X-1', '--amount=5,00', ...terms.slice(1)],
      'more than nothing': ['--count=1', '--prefix=X-1', '--amount=0.00', ...terms.slice(1)],
    };
    for (const [sentence, options] of Object.entries(wrong)) {
      const done = await run('coupons', 'generate', ...options);
      expect([done.code, done.told], sentence).toEqual([2, expect.stringContaining(sentence)]);
    }
    expect((await run('coupons', 'list', '--prefix=X-1')).out).toEqual([]);
  });
});

describe('an offer with a name and a coupon', () => {
  const textFile = (text: string) => {
    const file = join(cli.folder, 'offer.txt');
    writeFileSync(file, text);
    return `--text-file=${file}`;
  };
  const reader = async (nickname: string) => {
    const { uid } = await shop.customer();
    await shop.db.update(users).set({ nickname, verifiedAt: shop.clock.now }).where(eq(users.uid, uid));
    return uid;
  };
  const uidsOfReaders = async () => {
    const mails = await shop.db.select({ uid: outbox.offersTo }).from(outbox).where(isNotNull(outbox.offersTo));
    // the last one first
    return mails.map(({ uid }) => uid ?? '').toSorted((a, b) => (a < b ? 1 : -1));
  };
  const mailsTo = (uid: string) => shop.db.select().from(outbox).where(eq(outbox.offersTo, uid));

  it('is shown and counted by a dry run, and then sent with both to customers who can log in', async () => {
    await run('coupons', 'create', '--code=june-10', '--percent=10', '--uses=50', '--until=2027-12-31');
    const [named, nameless, blocked] = [await reader('Ana $& <b>'), await reader(''), await reader('Eva')];
    await setUserType(shop.db, { brand: 'lumen', uid: blocked }, 'BLOCKED', shop.clock.now);
    const text = textFile('Hello {name}!\n\nUse {coupon} until Sunday.');
    const offer = ['offers', 'send', '--name=june', '--subject=For you, {name}', '--coupon=june-10', text];
    const tried = await cli.run(...offer, '--brand=lumen', '--dry-run');
    expect(tried.told).toContain('With a nickname, such as Ana:\n\nFor you, Ana\n\nHello Ana!');
    expect(tried.told).toContain('Hello!');
    expect(tried.told).toContain('Use JUNE-10 until Sunday.');
    expect(await mailsTo(named)).toEqual([]);
    const [, count = ''] = /(\d+) customers would receive/.exec(tried.told) ?? [];

    expect((await cli.run(...offer, '--brand=lumen')).told).toContain('--why is missing');
    expect((await run(...offer)).told).toContain(`queued for ${count} customers`);
    expect((await run(...offer, '--language=pt')).told).toContain('another text or language');
    const dry = (...more: string[]) => cli.run(...offer, '--brand=lumen', '--dry-run', ...more);
    expect((await dry('--language=pt')).told).toContain('another text or language');
    expect((await dry()).told).toContain('this offer was sent before');
    const [, reached = ''] = await uidsOfReaders();
    await shop.db.update(campaigns).set({ reached, finishedAt: null }).where(eq(campaigns.name, 'june'));
    expect((await dry()).told).toContain('1 customer whom an interrupted command did not reach would receive');
    await shop.db.update(campaigns).set({ finishedAt: 1 }).where(eq(campaigns.name, 'june'));
    const [mail] = await mailsTo(named);
    expect(mail?.subject).toBe('For you, Ana $& <b>');
    expect(mail?.text).toContain('Hello Ana $& <b>!');
    expect(mail?.html).toContain('Hello Ana $&amp; &lt;b&gt;!');
    const [plain] = await mailsTo(nameless);
    expect(plain?.subject).toBe('For you');
    expect(plain?.text).toContain('Hello!');
    expect(await mailsTo(blocked)).toEqual([]);
    const shown = await cli.run('customers', 'show', '--brand=lumen', `--account=${nameless}`, '--json');
    expect(shown.facts[0]).toMatchObject({ coupons: [{ code: 'JUNE-10' }] });
  });

  it('is refused if the text has another slot, or the coupon is missing or over', async () => {
    const send = (text: string, ...more: string[]) =>
      run('offers', 'send', '--name=bad', '--subject=Less', textFile(text), ...more);
    expect((await send('Hello {nome}')).told).toContain('not {nome}');
    expect((await send('Use {coupon}')).told).toContain('give --coupon');
    expect((await send('Hello', '--coupon=NONE')).told).toContain('no coupon NONE');
    expect((await send(' ')).told).toContain('empty');
    await run('coupons', 'create', '--code=over', '--percent=10', '--uses=50', '--until=2027-12-31');
    await run('coupons', 'end', '--code=over');
    shop.clock.advance(1);
    expect((await send('Use {coupon}', '--coupon=over')).told).toContain('has ended');
  });
});

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDatabase } from '#server/db/database-socket.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { demoBrandsFolder } from '#sandbox/demo-brands-folder.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { aDesk, type Desk } from '#tests/builders/a-desk.ts';
import { opens } from '#tests/builders/ways-in.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await aDesk();
}, 60_000);
afterAll(() => desk?.close());

const why = '--why=ticket 7';
const of = ({ account }: { account: string }) => ['--brand=lumen', `--account=${account}`];

describe('an operator beside a demo that runs', () => {
  it('changes what the demo does next', async () => {
    const ana = await desk.shop.customer();
    const blocked = await desk.run('customers', 'block', ...of(ana), why);
    expect(blocked).toMatchObject({ code: 0, out: [] });
    expect(blocked.told).toContain('is blocked');
    expect(await opens(desk.shop, ana.token)).toBe(false);
  });

  it('hears what is wrong, and gets JSON on request', async () => {
    const ana = await desk.shop.customer();
    expect(await desk.run('customers', 'block', ...of(ana))).toMatchObject({ code: 2 });
    expect(await desk.run('customers', 'unblock', ...of(ana), why)).toMatchObject({ code: 1, out: [] });
    const typed = await desk.run('customers', 'set-type', ...of(ana), '--type=PREPAID', why, '--json');
    expect(typed.facts).toEqual([{ brand: 'lumen', uid: ana.uid, account: ana.account, userType: 'PREPAID' }]);
    expect((await desk.run('coupons', 'list', '--brand=nova')).told).toContain('There is no brand nova');
  });

  it('reads and writes files of their own', async () => {
    const ana = await desk.shop.customer();
    const file = join(desk.folder, 'ana.json');
    expect((await desk.run('customers', 'export', file, ...of(ana), why)).told).toContain('all that is kept');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ data: { account: [{ uid: ana.uid }] } });
    const again = await desk.run('customers', 'export', file, ...of(ana), why);
    expect([again.code, again.told]).toEqual([1, expect.stringContaining('EEXIST')]);
    expect(existsSync(`${file}.part`)).toBe(false);

    const text = join(desk.folder, 'offer.txt');
    writeFileSync(text, 'Half a year for less.');
    const offer = ['offers', 'send', '--brand=lumen', '--name=spring', '--subject=Less', why];
    expect((await desk.run(...offer, `--text-file=${text}`)).code).toBe(0);
    expect((await desk.run(...offer, `--text-file=${text}.gone`)).told).toContain('cannot be read');
  });

  it('applies a brand with the documents that brands share, which lie outside of its folder', async () => {
    const lumen = join(demoBrandsFolder, 'lumen');
    const applied = await desk.run('brand', 'apply', lumen);
    // only its pictures, which come with the storefront as long as they are the demonstration's
    expect(applied.told).toContain('Nothing is written yet');
  });

  it('is told so while the demo does not serve its database, and goes on when it does', async () => {
    await desk.stopServing();
    const refused = await desk.run('coupons', 'list', '--brand=lumen');
    expect(refused.code).toBe(1);
    expect(refused.told).toContain('does not serve its database to commands');
    await serveDatabase(desk.opened.client, desk.folder);
    expect((await desk.run('coupons', 'list', '--brand=lumen')).code).toBe(0);
  });

  it('cannot work in a demo of another version', async () => {
    const journal = sql`drizzle.__drizzle_migrations`;
    await desk.shop.db.execute(sql`insert into ${journal} (hash, created_at) values ('later', 9999999999999)`);
    const refused = await desk.run('coupons', 'list', '--brand=lumen');
    expect([refused.code, refused.told]).toEqual([1, 'The demo that runs is of another version. Start it again.\n']);
    await desk.shop.db.execute(sql`delete from ${journal} where hash = 'later'`);
    expect((await desk.run('coupons', 'list', '--brand=lumen')).code).toBe(0);
  });
});

describe('what an operator changes', () => {
  it('asks for a reason and is kept with who, what and why', async () => {
    const ana = await desk.shop.customer();
    await desk.run('customers', 'sign-out', ...of(ana), '--why=phone lost');
    await desk.run('customers', 'require-reset', ...of(ana), '--why=leak', '--by=Ivo');
    await desk.run('customers', 'delete', ...of(ana), '--why=asked by letter');
    await desk.run('customers', 'unblock', ...of(ana), '--why=nothing to do');
    const rows = await desk.shop.db.select().from(auditLog).where(eq(auditLog.subject, ana.uid));
    expect(rows.map(({ who, command, why: reason }) => [who, command, reason].join(': ')).sort()).toEqual([
      'Ivo: customers require-reset: leak',
      'eva: customers delete: asked by letter',
      'eva: customers sign-out: phone lost',
    ]);
    const { facts } = await desk.run('audit', 'list', '--brand=lumen', `--subject=${ana.uid}`, '--json');
    expect(facts).toHaveLength(3);
    expect(facts[0]).toMatchObject({ brand: 'lumen', subject: ana.uid });
    expect((await desk.run('audit', 'list', `--subject=${ana.uid}`)).code).toBe(2);
  });
});

describe('customers', () => {
  it('are found by the beginning and the end of what they are called, by uid and by order', async () => {
    const { shop, run } = desk;
    const ana = await shop.customer({ account: 'ana.maria@example.org' });
    await shop.db.update(users).set({ phone: '5511987654321' }).where(eq(users.uid, ana.uid));
    const buyer = await shop.buyer();
    const { orderId } = (await buyer.pay()).data;
    const uids = async (part: string) => (await run('customers', 'find', part, '--json')).facts.map(({ uid }) => uid);
    for (const part of ['Ana.M', 'maria@example.org', '+55 (11) 98765', ana.uid.slice(0, 12)]) {
      expect([part, await uids(part)]).toEqual([part, [ana.uid]]);
    }
    expect(await uids(orderId.slice(0, 10).toLowerCase())).toEqual([buyer.uid]);
    expect(await run('customers', 'find', 'nobody')).toMatchObject({ code: 0, out: [] });
    expect((await run('customers', 'find', 'an')).code).toBe(2);
    expect((await run('customers', 'find', 'ana.m', '--brand=mego', '--json')).facts).toEqual([]);
  });

  it('whose address begins with a dash are found behind --, as the refusal without it says', async () => {
    const { shop, run } = desk;
    const dash = await shop.customer({ account: '-ana@example.org' });
    const refused = await run('customers', 'find', dash.account);
    expect(refused.code).toBe(2);
    expect(refused.told).toContain("after '--'");
    expect((await run('customers', 'find', '--json', '--', dash.account)).facts).toMatchObject([{ uid: dash.uid }]);
  });

  it('are shown with what a support person asks first', async () => {
    const buyer = await desk.shop.buyer();
    await buyer.pay();
    const { facts } = await desk.run('customers', 'show', ...of(buyer), '--json');
    expect(facts).toMatchObject([
      { account: buyer.account, planId: '101', sessions: 1, orders: [{ status: 'PAYMENT_SUCCEEDED' }] },
    ]);
    const { out } = await desk.run('customers', 'show', '--brand=lumen', `--account=${buyer.uid}`);
    expect(out.join('\n')).toContain('PAYMENT_SUCCEEDED\t101\tcard\t19.90 BRL');
  });
});

describe('messages that wait', () => {
  it('are listed, and tried at once on request; what was given up is gone', async () => {
    const { shop, run } = desk;
    const brand = { code: 'lumen' };
    await queueMail(shop.db, { brand, to: 'late@example.com', subject: 'Hello', text: 'x', html: 'x' }, shop.deps);
    const later = shop.clock.now + 3_600_000;
    await shop.db.update(outbox).set({ tries: 5, nextTryAt: later }).where(eq(outbox.recipient, 'late@example.com'));
    const waiting = await run('outbox', 'list', '--json');
    const [late] = waiting.facts.filter(({ recipient }) => recipient === 'late@example.com');
    expect(late).toMatchObject({ subject: 'Hello', tries: 5, nextTry: new Date(later).toISOString() });
    expect((await run('outbox', 'retry', String(late?.['id']), why)).told).toBe('1 message is tried now.\n');
    const [now] = await shop.db.select().from(outbox).where(eq(outbox.recipient, 'late@example.com'));
    expect(now?.nextTryAt).toBe(shop.clock.now);
    await shop.db.update(outbox).set({ tries: 12 }).where(eq(outbox.recipient, 'late@example.com'));
    expect((await run('outbox', 'retry', String(late?.['id']), why)).told).toContain('asked for again');
    expect((await run('outbox', 'list', '--given-up')).out.join()).toContain('late@example.com');
  });
});

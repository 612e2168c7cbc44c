import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { serveDatabase } from '#server/db/database-socket.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import { demoBrandsFolder } from '#sandbox/demo-brands-folder.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';
import { opens } from '#tests/builders/access-paths.ts';

let cli: OperatorDemo;
beforeAll(async () => {
  cli = await startOperatorDemo();
}, 60_000);
afterAll(() => cli?.close());

const why = '--why=ticket 7';
const of = ({ account }: { account: string }) => ['--brand=lumen', `--account=${account}`];

describe('an operator command during a running demo', () => {
  it('affects the demo at once', async () => {
    const ana = await cli.shop.customer();
    const blocked = await cli.run('customers', 'block', ...of(ana), why);
    expect(blocked).toMatchObject({ code: 0, out: [] });
    expect(blocked.told).toContain('is blocked');
    expect(await opens(cli.shop, ana.token)).toBe(false);
  });

  it('gives an unblocked customer the type of before', async () => {
    const ana = await cli.shop.customer();
    const typeAfter = async () => {
      await cli.run('customers', 'block', ...of(ana), why);
      const { facts, told } = await cli.run('customers', 'unblock', ...of(ana), why, '--json');
      return [facts[0]?.['userType'], told];
    };
    expect(await typeAfter()).toEqual(['MEMBER', expect.stringContaining('is MEMBER again and may log in')]);
    await cli.run('customers', 'set-type', ...of(ana), '--type=PREPAID', why);
    expect((await typeAfter())[0]).toBe('PREPAID');
    await cli.run('customers', 'set-type', ...of(ana), '--type=RESELLER', why);
    await cli.run('customers', 'set-type', ...of(ana), '--type=BLOCKED', why);
    expect((await cli.run('customers', 'unblock', ...of(ana), why)).told).toContain(
      'RESELLER again and may not log in',
    );
  });

  it('removes a phone number from a customer who can log in without it', async () => {
    const { shop, run } = cli;
    const ana = await shop.customer();
    const ofAna = eq(users.uid, ana.uid);
    expect((await run('customers', 'remove-phone', ...of(ana), why)).told).toContain('has no phone number');
    await shop.db.update(users).set({ phone: '5511955554444', areaCode: '55' }).where(ofAna);
    const named = ['--brand=lumen', '--account=5511955554444', why];
    expect((await run('customers', 'remove-phone', ...named)).told).toContain(
      `The number of ${ana.account} is removed`,
    );
    expect(await opens(shop, ana.token)).toBe(false);
    const [row] = await shop.db.select().from(users).where(ofAna);
    expect(row).toMatchObject({ phone: null, areaCode: null, account: ana.account });
    const mails = await shop.db.select().from(outbox).where(eq(outbox.recipient, ana.account));
    expect(mails.at(-1)?.text).toContain('•');
  });

  it('removes the phone number of a blocked customer once its owner has confirmed an address', async () => {
    const { shop, run } = cli;
    const ana = await shop.customer();
    const ofAna = eq(users.uid, ana.uid);
    const byPhone = { account: '5511944443333', phone: '5511944443333', areaCode: '55', accountType: 'phone' } as const;
    await shop.db
      .update(users)
      .set({ ...byPhone, email: null, verifiedAt: shop.clock.now })
      .where(ofAna);
    const named = ['--brand=lumen', '--account=5511944443333', why];
    expect((await run('customers', 'remove-phone', ...named)).told).toContain('bind-email');
    await run('customers', 'block', ...named);
    await run('customers', 'bind-email', ...named, '--email=owner@example.org');
    const [mail] = await shop.db.select().from(outbox).where(eq(outbox.recipient, 'owner@example.org'));
    const [, token = ''] = /token=([\w-]+)/.exec(mail?.text ?? '') ?? [];
    expect((await shop.request(endpoints.bindEmailConfirmed, { body: { token } })).data).toEqual({
      email: 'owner@example.org',
    });
    expect((await run('customers', 'remove-phone', ...named)).told).toContain('The number of owner@example.org');
    await run('customers', 'unblock', '--brand=lumen', '--account=owner@example.org', why);
    const [row] = await shop.db.select().from(users).where(ofAna);
    expect(row).toMatchObject({ account: 'owner@example.org', accountType: 'email', phone: null, userType: 'MEMBER' });
  });

  it('reports errors, and prints JSON on request', async () => {
    const ana = await cli.shop.customer();
    expect(await cli.run('customers', 'block', ...of(ana))).toMatchObject({ code: 2 });
    expect(await cli.run('customers', 'unblock', ...of(ana), why)).toMatchObject({ code: 1, out: [] });
    const typed = await cli.run('customers', 'set-type', ...of(ana), '--type=PREPAID', why, '--json');
    expect(typed.facts).toEqual([{ brand: 'lumen', uid: ana.uid, account: ana.account, userType: 'PREPAID' }]);
    expect((await cli.run('coupons', 'list', '--brand=nova')).told).toContain('There is no brand nova');
  });

  it('reads and writes files of the operator', async () => {
    const ana = await cli.shop.customer();
    const file = join(cli.folder, 'ana.json');
    expect((await cli.run('customers', 'export', file, ...of(ana), why)).told).toContain('all stored data');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ data: { account: [{ uid: ana.uid }] } });
    const again = await cli.run('customers', 'export', file, ...of(ana), why);
    expect([again.code, again.told]).toEqual([1, expect.stringContaining('it exists, so name another file')]);
    expect(existsSync(`${file}.part`)).toBe(false);

    const text = join(cli.folder, 'offer.txt');
    writeFileSync(text, 'Half a year for less.');
    const offer = ['offers', 'send', '--brand=lumen', '--name=spring', '--subject=Less', why];
    expect((await cli.run(...offer, `--text-file=${text}`)).code).toBe(0);
    expect((await cli.run(...offer, `--text-file=${text}.gone`)).told).toContain('cannot be read');
  });

  it('applies a brand with shared documents outside its folder', async () => {
    const lumen = join(demoBrandsFolder, 'lumen');
    const applied = await cli.run('brand', 'apply', lumen);
    // Only its pictures differ, because those of the demo are served by the storefront.
    expect(applied.told).toContain('Nothing is written yet');
  });

  it('is refused while the demo does not serve its database, and works when it does', async () => {
    await cli.stopServing();
    const refused = await cli.run('coupons', 'list', '--brand=lumen');
    expect(refused.code).toBe(1);
    expect(refused.told).toContain('does not serve its database to commands');
    await serveDatabase(cli.opened.client, cli.folder);
    expect((await cli.run('coupons', 'list', '--brand=lumen')).code).toBe(0);
  });

  it('is refused in a demo of another version', async () => {
    const journal = sql`drizzle.__drizzle_migrations`;
    await cli.shop.db.execute(sql`insert into ${journal} (hash, created_at) values ('later', 9999999999999)`);
    const refused = await cli.run('coupons', 'list', '--brand=lumen');
    expect([refused.code, refused.told]).toEqual([1, 'The running demo is of another version. Restart it.\n']);
    await cli.shop.db.execute(sql`delete from ${journal} where hash = 'later'`);
    expect((await cli.run('coupons', 'list', '--brand=lumen')).code).toBe(0);
  });
});

describe('a change by an operator', () => {
  it('requires a reason and is recorded with operator, command and reason', async () => {
    const ana = await cli.shop.customer();
    await cli.run('customers', 'sign-out', ...of(ana), '--why=phone lost');
    await cli.run('customers', 'require-reset', ...of(ana), '--why=leak', '--by=Ivo');
    await cli.run('customers', 'delete', ...of(ana), '--why=asked by letter');
    await cli.run('customers', 'unblock', ...of(ana), '--why=nothing to do');
    const rows = await cli.shop.db.select().from(auditLog).where(eq(auditLog.subject, ana.uid));
    expect(rows.map(({ who, command, why: reason }) => [who, command, reason].join(': ')).sort()).toEqual([
      'Ivo: customers require-reset: leak',
      'eva: customers delete: asked by letter',
      'eva: customers sign-out: phone lost',
    ]);
    const { facts } = await cli.run('audit', 'list', '--brand=lumen', `--subject=${ana.uid}`, '--json');
    expect(facts).toHaveLength(3);
    expect(facts[0]).toMatchObject({ brand: 'lumen', subject: ana.uid });
    expect((await cli.run('audit', 'list', `--subject=${ana.uid}`)).code).toBe(2);
  });
});

describe('customers', () => {
  it('are found by the beginning and the end of their name, by uid and by order', async () => {
    const { shop, run } = cli;
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

  it('whose address begins with a dash are found after --, as the error without it explains', async () => {
    const { shop, run } = cli;
    const dash = await shop.customer({ account: '-ana@example.org' });
    const refused = await run('customers', 'find', dash.account);
    expect(refused.code).toBe(2);
    expect(refused.told).toContain("after '--'");
    expect((await run('customers', 'find', '--json', '--', dash.account)).facts).toMatchObject([{ uid: dash.uid }]);
  });

  it('are shown with the facts that support needs first', async () => {
    const buyer = await cli.shop.buyer();
    await buyer.pay();
    await recordBounce(cli.shop.deps, buyer.account, 'permanent', cli.shop.clock.now);
    const { facts } = await cli.run('customers', 'show', ...of(buyer), '--json');
    const orders = [{ status: 'PAYMENT_SUCCEEDED' }];
    expect(facts).toMatchObject([{ account: buyer.account, planId: '101', bounces: 'permanent', sessions: 1, orders }]);
    const { out } = await cli.run('customers', 'show', '--brand=lumen', `--account=${buyer.uid}`);
    expect(out.join('\n')).toContain('PAYMENT_SUCCEEDED\t101\tcard\t19.90 BRL');
  });
});

describe('pending messages', () => {
  it('are listed without the codes that their readers asked for', async () => {
    const { shop, run } = cli;
    const account = 'codes@example.com';
    const body = { account, type: 'email', scene: 'signup', language: 'en' } as const;
    expect((await shop.request(endpoints.sendVerificationCode, { body })).code).toBe(0);
    await writeRequestedMessages(shop.deps);
    const [mail] = await shop.db.select().from(outbox).where(eq(outbox.recipient, account));
    const code = /\d{4}/.exec(mail?.subject ?? '')?.[0];
    expect(code).toBeDefined();
    const expires = new Date(shop.clock.now + 10 * 60_000).toISOString().slice(11, 19);
    for (const options of [[], ['--json'], ['--csv']]) {
      const said = (await run('outbox', 'list', ...options)).out.filter((line) => line.includes(account)).join();
      expect(said).toContain('••••');
      expect(said).toContain(expires);
      expect(said).not.toContain(code);
    }
  });

  it('are listed and retried on request; a failed message can no longer be sent', async () => {
    const { shop, run } = cli;
    const brand = { code: 'lumen' };
    await queueMail(shop.db, { brand, to: 'late@example.com', subject: 'Hello', text: 'x', html: 'x' }, shop.deps);
    const later = shop.clock.now + 3_600_000;
    const refused = { tries: 5, nextTryAt: later, lastAnswer: '451 greylisted' };
    await shop.db.update(outbox).set(refused).where(eq(outbox.recipient, 'late@example.com'));
    const waiting = await run('outbox', 'list', '--json');
    const [late] = waiting.facts.filter(({ recipient }) => recipient === 'late@example.com');
    expect(late).toMatchObject({
      subject: 'Hello',
      tries: 5,
      nextTry: new Date(later).toISOString(),
      answer: '451 greylisted',
    });
    expect((await run('outbox', 'retry', String(late?.['id']), why)).told).toBe('1 message is tried now.\n');
    const [now] = await shop.db.select().from(outbox).where(eq(outbox.recipient, 'late@example.com'));
    expect(now?.nextTryAt).toBe(shop.clock.now);
    await shop.db.update(outbox).set({ tries: 12 }).where(eq(outbox.recipient, 'late@example.com'));
    expect((await run('outbox', 'retry', String(late?.['id']), why)).told).toContain('asked for again');
    const lost = (await run('outbox', 'list', '--given-up', '--json')).facts;
    expect(lost.find(({ recipient }) => recipient === 'late@example.com')).toMatchObject({
      tries: null,
      nextTry: null,
      answer: '451 greylisted',
    });
  });
});

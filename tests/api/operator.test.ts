import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '#server/db/open-database.ts';
import { statementRows } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { brands } from '#server/db/schema/brands.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { users } from '#server/db/schema/users.ts';
import { demoBrands } from '#sandbox/demo-brands.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { readSettings } from '#server/env.ts';
import { createCommandOutput } from '#server/operator/command.ts';
import { ssoKeyCommand, ssoTokenCommand } from '#server/operator/sso-token.ts';
import { ssoKey } from '#server/auth/sign-on/sso-token.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { operatorProgram, SIGNING_SECRET, why } from '#tests/builders/operator-program.ts';

const program = operatorProgram();
const { asProgram, operate } = program;

describe('a single sign-on key', () => {
  it('is not created without the secret that a shop on PostgreSQL uses', async () => {
    const shop = await testApp();
    try {
      const printed: string[] = [];
      const out = { print: (line: string) => void printed.push(line), explain: () => {} };
      const settings = readSettings({ DATABASE_URL: 'postgres://marquee@db.example/marquee' });
      const inShop = {
        ...out,
        ...createCommandOutput(out, 'text'),
        clock: Date.now,
        settings,
        deps: shop.deps,
      };
      const args = { brand: 'lumen', account: 'ana@example.com', why: 'a ticket' };
      await expect(ssoKeyCommand.inShop(args, inShop)).rejects.toThrow('Set SIGNING_SECRET');
      await expect(ssoTokenCommand.inShop(args, inShop)).rejects.toThrow('Set SIGNING_SECRET');
      expect(printed).toEqual([]);
    } finally {
      await shop.close();
    }
  });
});

describe('commands that write', { timeout: 90_000 }, () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'marquee-operator-'));
    const opened = await openEmbedded(data, { contents: demoContents });
    const shop = await testApp({ db: opened.db });
    await shop.customer({ account: 'ana@example.com' });
    await shop.customer({ account: 'bia@example.com' });
    await opened.close();
  }, 90_000);
  afterAll(() => rm(data, { recursive: true, force: true }));

  const run = (...args: string[]) => operate(args, { SIGNING_SECRET, DATA_DIR: data });
  const ana = ['--brand', 'lumen', '--account', 'Ana@example.com'];

  it('email a link that confirms an address of an account, and require a new password', async () => {
    const bound = await run('customers', 'bind-email', ...why, ...ana, '--email', 'Ana.Second@example.com');
    expect(bound, bound.told).toMatchObject({ code: 0, out: '' });
    expect((await run('customers', 'require-reset', ...why, ...ana)).code).toBe(0);
    const opened = await openEmbedded(data, { contents: demoContents });
    try {
      const mails = await opened.db.select().from(outbox).where(eq(outbox.recipient, 'ana.second@example.com'));
      expect(mails.map(({ text }) => text).join()).toContain('/bindEmailConfirmed?token=');
      const [user] = await opened.db.select().from(users).where(eq(users.account, 'ana@example.com'));
      expect(user).toMatchObject({ passwordResetDue: true, email: 'ana@example.com' });
    } finally {
      await opened.close();
    }
  });

  it('report an unknown customer or brand and an unusable address', async () => {
    const sentences = [
      await run('customers', 'require-reset', ...why, '--brand', 'lumen', '--account', 'nobody@example.com'),
    ];
    sentences.push(await run('customers', 'require-reset', ...why, '--brand', 'nova', '--account', 'ana@example.com'));
    sentences.push(await run('customers', 'bind-email', ...why, ...ana, '--email', 'no address'));
    sentences.push(await run('customers', 'bind-email', ...why, ...ana, '--email', 'bia@example.com'));
    expect(sentences.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(sentences.map(({ told }) => told.trim())).toEqual([
      'Lumen has no customer nobody@example.com.',
      'There is no brand nova. There are: baobab, lumen, mego.',
      'no address is not an address that Lumen accepts.',
      'bia@example.com belongs to another customer of Lumen.',
    ]);
  });

  const audited = async (command: string) => {
    const opened = await openEmbedded(data, { contents: demoContents });
    try {
      return await opened.db.select().from(auditLog).where(eq(auditLog.command, command));
    } finally {
      await opened.close();
    }
  };

  it('print the single sign-on key of a brand, and record who received it', async () => {
    const done = await asProgram(['sso-key', ...why, '--by', 'Rui', '--brand', 'lumen'], { data });
    expect(done, done.told).toMatchObject({ code: 0 });
    expect(done.out.trim()).toBe(Buffer.from(ssoKey({ SIGNING_SECRET }, { code: 'lumen' })).toString('base64url'));
    expect((await run('sso-key', ...why, '--brand', 'mego')).out).not.toBe(done.out);
    expect(await run('sso-key', '--brand', 'lumen')).toMatchObject({ code: 2, out: '' });
    expect(await audited('sso-key')).toMatchObject([
      { who: 'Rui', why: 'a ticket', brand: 'lumen', subject: 'lumen' },
      { brand: 'mego', subject: 'mego' },
    ]);
  });

  it('exit without an error when their output is closed, as by `head`', async () => {
    const key = await asProgram(['sso-key', ...why, '--brand', 'baobab'], { data, deaf: true });
    expect(key).toMatchObject({ code: 0, out: '' });
    expect(key.told).not.toContain('EPIPE');
  });

  it('print a token of a customer, and record the customer and the operator first', async () => {
    const before = await audited('sso-token');
    const { out, code, told } = await run('sso-token', ...why, '--by', 'Rui', ...ana, '--to', '/orders', '--src', 'qr');
    expect(code, told).toBe(0);
    const [token = '', link = ''] = out.trim().split('\n');
    const { payload } = await jwtVerify(token, ssoKey({ SIGNING_SECRET }, { code: 'lumen' }));
    expect(payload).toMatchObject({ src: 'qr' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    expect(link).toContain(`/orders?t=${token}&a=Ana%40example.com&e=Ana%40example.com&la=en&st=STB`);
    expect(before).toEqual([]);
    const written = { who: 'Rui', why: 'a ticket', brand: 'lumen', subject: payload.sub };
    expect(await audited('sso-token')).toMatchObject([{ ...written, detail: { src: 'qr', jti: payload.jti } }]);
    const refused: Record<string, readonly string[]> = {
      '--why is missing': ana,
      'neither app nor qr': [...why, ...ana, '--src', 'tv'],
      'path of the shop': [...why, ...ana, '--to', '//evil.example'],
      'has no customer': [...why, '--brand', 'lumen', '--account', 'nobody@example.com'],
    };
    for (const [sentence, args] of Object.entries(refused)) {
      const done = await run('sso-token', ...args);
      expect(done).toMatchObject({ out: '' });
      expect(done.told).toContain(sentence);
    }
    expect(await audited('sso-token')).toHaveLength(1);
  });

  it('allow email to a bounced address again, and record the operator and the reason', async () => {
    const address = ['--address', 'Ana@example.com'];
    const opened = await openEmbedded(data, { contents: demoContents });
    await recordBounce(
      { db: opened.db, env: { SIGNING_SECRET, FORMER_SIGNING_SECRETS: [] } },
      'ana@example.com',
      'permanent',
      Date.UTC(2026, 10, 21),
    );
    await opened.close();
    expect((await run('bounces', 'show', ...address)).out).toContain('permanent');
    expect((await run('bounces', 'clear', ...address)).code).toBe(2);
    const cleared = await run('bounces', 'clear', ...address, '--why', 'she wrote to us', '--by', 'Rui');
    expect(cleared, cleared.told).toMatchObject({ code: 0 });
    expect((await run('bounces', 'show', ...address)).out).not.toContain('permanent');
    expect((await run('bounces', 'clear', ...address, '--why', 'again')).code).toBe(1);
    const after = await openEmbedded(data, { contents: demoContents });
    try {
      const written = await after.db.select().from(auditLog).where(eq(auditLog.command, 'bounces clear'));
      expect(written).toMatchObject([{ who: 'Rui', why: 'she wrote to us', command: 'bounces clear' }]);
    } finally {
      await after.close();
    }
  });

  it('create no demo data in a production shop when its environment is missing', async () => {
    const opened = await openEmbedded(program.folder);
    const real = {
      code: 'acme',
      tenantId: 'acme',
      name: 'Acme',
      themeColor: '#336699',
      origin: 'https://acme.example',
    };
    const [lumen] = demoBrands();
    if (!lumen) throw new Error('no demo brand');
    await opened.db.insert(brands).values({ ...real, currencies: ['BRL'], config: lumen.brand.config });
    await opened.close();
    const listed = await operate(['brand', 'list']);
    expect([listed.code, listed.told]).toEqual([1, expect.stringContaining('a production shop (brand acme)')]);
    const after = await openEmbedded(program.folder);
    const [tables] = await statementRows(after.db, sql`select to_regclass('sandbox_charges') is null as are_none`);
    await after.close();
    expect(tables?.['are_none']).toBe(true);
    expect((await operate(['brand', 'list'], { SIGNING_SECRET, SANDBOX: 'true' })).code).toBe(0);
  });

  it('do not change the data of a running demo that does not serve them', async () => {
    const opened = await openEmbedded(data, { contents: demoContents });
    try {
      const refused = await run('customers', 'require-reset', ...why, ...ana);
      expect(refused.code).toBe(1);
      expect(refused.told).toContain(`in use by process ${process.pid}: the demo is running`);
    } finally {
      await opened.close();
    }
  });
});

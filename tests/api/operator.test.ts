import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { openEmbedded } from '../../src/server/db/connect.ts';
import { statementRows } from '../../src/server/db/driver-results.ts';
import { auditLog } from '../../src/server/db/schema/audit.ts';
import { brands } from '../../src/server/db/schema/brands.ts';
import { outbox } from '../../src/server/db/schema/outbox.ts';
import { noteBounce } from '../../src/server/messages/bounces.ts';
import { users } from '../../src/server/db/schema/users.ts';
import { demoBrands } from '../../src/server/sandbox/demo-brands.ts';
import { demonstration } from '../../src/server/sandbox/demonstration.ts';
import { keptSecret } from '../../src/server/process/signing-secret.ts';
import { operate as perform } from '../../src/server/operator/operator.ts';
import { ssoKey } from '../../src/server/sign-on/sso-token.ts';
import { aCard, aShop } from '../builders/a-shop.ts';
import { testApp } from '../builders/test-app.ts';

const program = fileURLToPath(new URL('../../src/server/operator/main.ts', import.meta.url));
const SIGNING_SECRET = 'a secret of the tests that is long enough';
const why = ['--why', 'a ticket'];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-operator-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Done {
  code: number | null;
  out: string;
  told: string;
}

/** Runs a command beside a data folder of this test. */
async function operate(args: readonly string[], environment: Record<string, string> = { SIGNING_SECRET }) {
  const done: Done = { code: null, out: '', told: '' };
  done.code = await perform(
    args,
    { DATA_DIR: folder, ...environment },
    {
      clock: Date.now,
      print: (line) => void (done.out += `${line}\n`),
      explain: (line) => void (done.told += `${line}\n`),
    },
  );
  return done;
}

/** The same as an operator does it: a process of its own. */
function asProgram(args: readonly string[], { deaf = false } = {}): Promise<Done> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, SIGNING_SECRET };
  const child = spawn(process.execPath, [program, ...args], { env });
  const done: Done = { code: null, out: '', told: '' };
  if (deaf) child.stdout.destroy();
  else child.stdout.on('data', (chunk: Buffer) => (done.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (done.told += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...done, code }));
  });
}

describe('the command line', () => {
  it('is a program that prints its result apart from what it explains, and ends with a code', async () => {
    const key = await asProgram(['sso-key', '--brand', 'lumen']);
    expect(key.code).toBe(0);
    expect(Buffer.from(key.out.trim(), 'base64url')).toHaveLength(32);
    const wrong = await asProgram(['sso-key', '--colour', 'red']);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.told).toContain('--colour');
    const help = await asProgram(['sso-key', '--help']);
    expect(help).toMatchObject({ code: 0, out: '' });
    expect(help.told).toMatch(/^Usage: .*sso-key[\s\S]*results as lines of JSON\n$/);
  });

  it('ends in peace where nobody reads on, as behind `head`', async () => {
    const key = await asProgram(['sso-key', '--brand', 'lumen'], { deaf: true });
    expect(key).toMatchObject({ code: 0, out: '' });
    expect(key.told).not.toContain('EPIPE');
  });

  it('tells what there is, and how each is called', async () => {
    const all = await operate([]);
    expect(all).toMatchObject({ code: 0, out: '' });
    for (const name of [
      'sso-key',
      'sso-token',
      'customers bind-email',
      'customers require-reset',
      'customers block',
      'transfers list',
      'transfers review',
      'coupons give',
    ])
      expect(all.told).toContain(name);
    const help = await operate(['sso-token', '--help']);
    expect(help.code).toBe(0);
    expect(help.told).toContain('--src <app|qr>');
  });

  it('says what is wrong with a call, and exits with 2', async () => {
    const wrong: Record<string, readonly string[]> = {
      'There is no command': ['make-money'],
      '--brand is missing': ['sso-key'],
      '--uid or --account is missing': ['sso-token', '--brand', 'lumen'],
      'neither app nor qr': ['sso-token', '--brand', 'lumen', '--uid', '1', '--src', 'tv'],
      'path of the shop': ['sso-token', '--brand', 'lumen', '--uid', '1', '--to', '//evil.example'],
      '--colour': ['sso-key', '--brand', 'lumen', '--colour', 'red'],
      '--email is missing': ['customers', 'bind-email', '--brand=lumen', '--account=a@example.com', '--why=asked'],
      '--why is missing': ['customers', 'block', '--brand', 'lumen', '--account', 'a@example.com'],
    };
    for (const [sentence, args] of Object.entries(wrong)) {
      const done = await operate(args);
      expect(done, args.join(' ')).toMatchObject({ code: 2, out: '' });
      expect(done.told).toContain(sentence);
      expect(done.told).toContain('Usage: npm run');
    }
  });

  it('says what it cannot do here, and leaves nothing behind', async () => {
    const noSecret = await operate(['sso-key', '--brand', 'lumen'], {});
    expect(noSecret).toMatchObject({ code: 1, out: '' });
    expect(noSecret.told).toContain('Start the shop once');
    const noShop = await operate(['customers', 'require-reset', ...why, '--brand', 'lumen', '--account=a@example.com']);
    expect(noShop.code).toBe(1);
    expect(noShop.told).toContain('There is no shop in');
    const noTenant = await operate(['sso-token', '--brand', 'nova', '--uid', '1']);
    expect(noTenant.code).toBe(1);
    expect(noTenant.told).toContain('--tenant');
    const badSetting = await operate(['sso-key', '--brand', 'lumen'], { SIGNING_SECRET: 'short' });
    expect(badSetting.code).toBe(1);
    expect(badSetting.told).toContain('SIGNING_SECRET');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('sso-key', () => {
  it('prints the key of a brand, which signs what the shop believes', async () => {
    const { out } = await operate(['sso-key', '--brand', 'lumen']);
    expect(out.trim()).toBe(Buffer.from(ssoKey({ SIGNING_SECRET }, { code: 'lumen' })).toString('base64url'));
    const { out: other } = await operate(['sso-key', '--brand', 'mego']);
    expect(other).not.toBe(out);
  });

  it('takes the secret that the shop has kept in its folder', async () => {
    const kept = { SIGNING_SECRET: keptSecret(folder) };
    const { out } = await operate(['sso-key', '--brand', 'lumen'], {});
    expect(out.trim()).toBe(Buffer.from(ssoKey(kept, { code: 'lumen' })).toString('base64url'));
  });
});

describe('sso-token', () => {
  it('prints a token and a link that signs its customer in', async () => {
    const shop = await testApp();
    try {
      shop.clock.now = Date.now();
      await shop.customer({ account: 'ana@example.com' });
      const args = ['sso-token', '--brand', 'lumen', '--account', 'ana@example.com', '--to', '/orders'];
      const { out, code } = await operate([...args, '--language', 'pt']);
      const [token = '', link = ''] = out.trim().split('\n');
      expect(code).toBe(0);
      const url = new URL(link);
      expect(`${url.origin}${url.pathname}`).toBe('http://localhost:3000/orders');
      expect(Object.fromEntries(url.searchParams)).toEqual({
        t: token,
        a: 'ana@example.com',
        e: 'ana@example.com',
        la: 'pt',
        st: 'APP',
      });
      shop.clock.now = Date.now();
      const body = { token, accountId: url.searchParams.get('a') ?? '', loginId: url.searchParams.get('e') ?? '' };
      expect((await shop.request(endpoints.sso, { body })).data.account).toBe('ana@example.com');
    } finally {
      await shop.close();
    }
  });

  it('makes one for a brand that only its options describe', async () => {
    const args = ['sso-token', '--brand', 'nova', '--tenant', 'nova-1', '--origin', 'https://nova.example'];
    const { out } = await operate([...args, '--uid', 'u-1', '--src', 'qr']);
    const [token = '', link = ''] = out.trim().split('\n');
    expect(link).toMatch(/^https:\/\/nova\.example\/pricing-table\?t=.+&a=u-1&e=u-1&la=en&st=STB$/);
    const key = ssoKey({ SIGNING_SECRET }, { code: 'nova' });
    const { payload } = await jwtVerify(token, key, { audience: 'nova-1' });
    expect(payload).toMatchObject({ sub: 'u-1', src: 'qr' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  });
});

describe('what writes', { timeout: 90_000 }, () => {
  let data: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'marquee-operator-'));
    const opened = await openEmbedded(data, { contents: demonstration });
    const shop = await testApp({ db: opened.db });
    await shop.customer({ account: 'ana@example.com' });
    await shop.customer({ account: 'bia@example.com' });
    await opened.close();
  }, 90_000);
  afterAll(() => rm(data, { recursive: true, force: true }));

  const run = (...args: string[]) => operate(args, { SIGNING_SECRET, DATA_DIR: data });
  const ana = ['--brand', 'lumen', '--account', 'Ana@example.com'];

  it('mails the question whether an address belongs to an account, and asks for new passwords', async () => {
    const bound = await run('customers', 'bind-email', ...why, ...ana, '--email', 'Ana.Second@example.com');
    expect(bound, bound.told).toMatchObject({ code: 0, out: '' });
    expect((await run('customers', 'require-reset', ...why, ...ana)).code).toBe(0);
    const opened = await openEmbedded(data, { contents: demonstration });
    try {
      const mails = await opened.db.select().from(outbox).where(eq(outbox.recipient, 'ana.second@example.com'));
      expect(mails.map(({ text }) => text).join()).toContain('/bindEmailConfirmed?token=');
      const [user] = await opened.db.select().from(users).where(eq(users.account, 'ana@example.com'));
      expect(user).toMatchObject({ passwordResetDue: true, email: 'ana@example.com' });
    } finally {
      await opened.close();
    }
  });

  it('tells a customer, an address or a brand that is not right', async () => {
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
      'no address is no address that Lumen takes.',
      'bia@example.com belongs to another customer of Lumen.',
    ]);
  });

  it('lets mail go again to an address that it came back from, and writes down who did so and why', async () => {
    const address = ['--address', 'Ana@example.com'];
    const opened = await openEmbedded(data, { contents: demonstration });
    await noteBounce(
      { db: opened.db, env: { SIGNING_SECRET } },
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
    const after = await openEmbedded(data, { contents: demonstration });
    try {
      const written = await after.db.select().from(auditLog).where(eq(auditLog.command, 'bounces clear'));
      expect(written).toMatchObject([{ who: 'Rui', why: 'she wrote to us', command: 'bounces clear' }]);
    } finally {
      await after.close();
    }
  });

  it('makes no demonstration of a shop for customers because somebody forgot its environment', async () => {
    const opened = await openEmbedded(folder);
    const real = {
      code: 'acme',
      tenantId: 'acme',
      name: 'Acme',
      themeColor: '#336699',
      origin: 'https://acme.example',
    };
    const [lumen] = demoBrands();
    if (!lumen) throw new Error('nothing is demonstrated');
    await opened.db.insert(brands).values({ ...real, currencies: ['BRL'], config: lumen.brand.config });
    await opened.close();
    const said = await operate(['brand', 'list']);
    expect([said.code, said.told]).toEqual([1, expect.stringContaining('a shop for customers (brand acme)')]);
    const after = await openEmbedded(folder);
    const [tables] = await statementRows(after.db, sql`select to_regclass('sandbox_charges') is null as are_none`);
    await after.close();
    expect(tables?.['are_none']).toBe(true);
    expect((await operate(['brand', 'list'], { SIGNING_SECRET, SANDBOX: 'true' })).code).toBe(0);
  });

  it('does not touch the data of a shop that runs on them', async () => {
    const opened = await openEmbedded(data, { contents: demonstration });
    try {
      const refused = await run('customers', 'require-reset', ...why, ...ana);
      expect(refused.code).toBe(1);
      expect(refused.told).toContain(`in use by process ${process.pid}: the shop is running`);
    } finally {
      await opened.close();
    }
  });
});

describe('a customer who needs a new password first', () => {
  it('is told so before a purchase, at each of its steps, and not once there is one', async () => {
    const shop = await aShop();
    try {
      const ana = await shop.buyer();
      const declined = await ana.pay({ card: aCard('4000000000000002') });
      const due = (passwordResetDue: boolean) =>
        shop.db.update(users).set({ passwordResetDue }).where(eq(users.uid, ana.uid));
      await due(true);
      expect((await ana.pay()).errCode).toBe(2500);
      expect((await ana.repay(declined.params.orderId ?? '')).errCode).toBe(2500);
      const check = () => shop.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, { token: ana.token });
      expect((await check()).errCode).toBe(2500);
      expect((await shop.books()).orders).toHaveLength(1);
      await due(false);
      expect((await check()).code).toBe(0);
      expect((await ana.pay()).code).toBe(0);
    } finally {
      await shop.close();
    }
  });
});

import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { operatorProgram, SIGNING_SECRET, why } from '#tests/builders/operator-program.ts';

const program = operatorProgram();
const { asProgram, operate } = program;

describe('the command line', () => {
  it('exits with a code, and prints errors to standard error and help to standard output', async () => {
    const wrong = await asProgram(['sso-key', '--colour', 'red']);
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.told).toContain('--colour');
    const help = await asProgram(['sso-key', '--help']);
    expect(help).toMatchObject({ code: 0, told: '' });
    expect(help.out).toMatch(/^Usage: .*sso-key[\s\S]*results as lines of JSON\n.*a list for a spreadsheet.*\n$/);
  });

  it('lists its commands and how each is called', async () => {
    const all = await operate([]);
    expect(all).toMatchObject({ code: 0, told: '' });
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
      expect(all.out).toContain(name);
    const help = await operate(['sso-token', '--help']);
    expect(help).toMatchObject({ code: 0, told: '' });
    expect(help.out).toContain('--src <app|qr>');
    expect((await operate(['orders'])).out).toContain('orders refund <order>');
  });

  it('reports the error of an invalid call, and exits with 2', async () => {
    const wrong: Record<string, readonly string[]> = {
      'There is no command': ['make-money'],
      '--brand is missing': ['sso-key'],
      '--account is missing': ['sso-token', '--brand', 'lumen', ...why],
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

  it('reports what it cannot do here, and creates no files', async () => {
    const elsewhere = { DATABASE_URL: 'postgres://marquee@127.0.0.1:9/marquee' };
    const unreachable = await operate(['sso-key', ...why, '--brand', 'lumen'], { ...elsewhere, SIGNING_SECRET });
    expect(unreachable).toMatchObject({ code: 1, out: '' });
    expect(unreachable.told).toContain('DATABASE_URL');
    const noShop = await operate(['customers', 'require-reset', ...why, '--brand', 'lumen', '--account=a@example.com']);
    expect(noShop.code).toBe(1);
    expect(noShop.told).toContain('There is no shop in');
    expect(noShop.told).toContain('start the demo with `npm start`');
    const production = await operate(['coupons', 'list', '--brand=lumen'], { SIGNING_SECRET, SANDBOX: 'false' });
    expect([production.code, production.told]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
    const badSetting = await operate(['sso-key', ...why, '--brand', 'lumen'], { SIGNING_SECRET: 'short' });
    expect(badSetting.code).toBe(1);
    expect(badSetting.told).toContain('SIGNING_SECRET');
    expect(await readdir(program.folder)).toEqual([]);
  });
});

import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brands } from '#server/db/schema/brands.ts';
import { issueWaitingInvoices } from '#server/jobs/issue-invoices.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';
import { aPayment, issuedBy, setInvoices } from '#tests/builders/invoices.ts';

let desk: OperatorDemo;
let home: string;
beforeAll(async () => {
  desk = await startOperatorDemo();
  home = await mkdtemp(join(tmpdir(), 'marquee-invoices-'));
  for (const code of ['lumen', 'mego']) await desk.run('brand', 'export', code, join(home, code));
}, 60_000);
afterAll(async () => {
  await desk?.close();
  await rm(home, { recursive: true, force: true });
});

const fileOf = (code: string) => join(home, code, 'brand.yaml');
const apply = (code: string) => desk.run('brand', 'apply', join(home, code), '--yes', '--why=ticket 7');

/** Checks a brand's folder with these settings, and restores it. */
async function check(invoices: string, change = (text: string) => text) {
  const before = await readFile(fileOf('lumen'), 'utf8');
  await writeFile(fileOf('lumen'), change(`${before}\ninvoices: ${invoices}\n`));
  const { code, told, out } = await desk.run('brand', 'check', join(home, 'lumen'));
  await writeFile(fileOf('lumen'), before);
  return { code, said: `${out.join('\n')}\n${told}` };
}

describe('invoices in brand.yaml', () => {
  it.each([
    ['{ prefix: LUM, country: BR }'],
    ['{ prefix: LUM, country: BR, tax: { BR: { name: ISS, rate: 2.925 }, default: { name: VAT, rate: 0 } } }'],
    ['{ prefix: L26, country: NO, tax: { NO: { name: MVA, rate: 25 } } }'],
  ])('may be %s', async (invoices) => {
    expect((await check(invoices)).code).toBe(0);
  });

  it.each([
    ['{ prefix: lum, country: BR }', /invoices\.prefix must be 1 to 10 capital letters/],
    ['{ prefix: LUM-1, country: BR }', /invoices\.prefix must be 1 to 10 capital letters/],
    ['{ prefix: LUM }', /invoices\.country is missing/],
    ['{ prefix: LUM, country: UK }', /invoices\.country must be a country code/],
    ['{ prefix: LUM, country: QX }', /invoices\.country must be a country code/],
    ['{ prefix: LUM, country: BR, tax: { Brazil: { name: ISS, rate: 5 } } }', /Brazil must be a country code/],
    ['{ prefix: LUM, country: BR, tax: { BR: { name: ISS, rate: 2.9251 } } }', /rate must have at most 3 decimals/],
    ['{ prefix: LUM, country: BR, tax: { BR: { name: ISS, rate: -1 } } }', /rate/],
    ['{ prefix: LUM, country: BR, tax: { BR: { name: ISS, rate: 100 } } }', /rate/],
    ['{ prefix: LUM, country: BR, tax: { BR: { rate: 5 } } }', /name is missing/],
  ])('are refused as %s', async (invoices, expected) => {
    const { code, said } = await check(invoices);
    expect([code, said]).toEqual([1, expect.stringMatching(expected)]);
  });

  it('need a seller with a tax number and an address', async () => {
    const { code, said } = await check('{ prefix: LUM, country: BR }', (text) =>
      text.replace(/^ +taxNumber:.*\n/m, ''),
    );
    expect([code, said]).toEqual([1, expect.stringContaining('seller needs legalName, taxNumber and address')]);
  });

  it('are applied and exported again, and apply to the next payment', async () => {
    const yaml = 'invoices: { prefix: LUM, country: BR, tax: { BR: { name: ISS, rate: 2.925 } } }\n';
    await appendFile(fileOf('lumen'), yaml);
    expect((await apply('lumen')).told).toContain('Written.');
    expect((await apply('lumen')).told).toContain('Nothing differs.');
    const [applied] = await desk.shop.db.select().from(brands).where(eq(brands.code, 'lumen'));
    expect(applied?.config.seller?.country).toBe('BR');
    const again = join(home, 'again');
    await desk.run('brand', 'export', 'lumen', again);
    const exported = await readFile(join(again, 'brand.yaml'), 'utf8');
    for (const line of ['prefix: LUM', 'country: BR', 'name: ISS', 'rate: 2.925']) expect(exported).toContain(line);
    await aPayment(desk.shop, await desk.shop.buyer());
    await issueWaitingInvoices(desk.shop.deps);
    expect((await issuedBy(desk.shop.db)).map(({ number, rate }) => [number, rate])).toEqual([
      ['LUM-2026-000001', 2925],
    ]);
  });

  it('cannot have the prefix of another brand, neither now nor later', async () => {
    await appendFile(fileOf('mego'), 'invoices: { prefix: LUM, country: EE }\n');
    const refused = await apply('mego');
    expect([refused.code, refused.told]).toEqual([1, expect.stringContaining('the brand lumen begin with LUM')]);
    await setInvoices(desk.shop.db, null);
    expect((await apply('mego')).told).toContain('the brand lumen begin with LUM');
    const rows = await desk.shop.db.select().from(brands);
    expect(rows.find(({ code }) => code === 'mego')?.invoices).toBeNull();
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { advanceDays, aRenewing } from '#tests/builders/a-renewal.ts';
import { byPix } from '#tests/builders/a-shop.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';

interface BrandFile {
  plans: { id: string; prices: Record<string, number> }[];
  methods: { code: string }[];
}

let cli: OperatorDemo;
let parent: string;
beforeAll(async () => {
  cli = await startOperatorDemo();
  parent = await mkdtemp(join(tmpdir(), 'marquee-brand-renewals-'));
  expect((await cli.run('brand', 'export', 'lumen', join(parent, 'lumen'))).code).toBe(0);
  await aRenewing(cli.shop);
  await aRenewing(cli.shop, { planId: '102' });
}, 60_000);
afterAll(async () => {
  await cli?.close();
  await rm(parent, { recursive: true, force: true });
});

/** Changes the exported brand.yaml; returns what it was. */
async function changeFile(change: (file: BrandFile) => void): Promise<{ path: string; text: string }> {
  const path = join(parent, 'lumen', 'brand.yaml');
  const text = await readFile(path, 'utf8');
  const file = parse(text) as BrandFile; // as: the file that the command wrote
  change(file);
  await writeFile(path, stringify(file, { aliasDuplicateObjects: false }));
  return { path, text };
}

/** What `brand apply` says of renewals, for a change of the exported brand.yaml. */
async function warnings(change: (file: BrandFile) => void): Promise<string[]> {
  const { path, text } = await changeFile(change);
  const { out, told } = await cli.run('brand', 'apply', join(parent, 'lumen'));
  await writeFile(path, text);
  expect(told).toMatch(/Nothing (is written yet|differs)/);
  return out.filter((line) => line.startsWith('!'));
}

const ends = (renewals: string) => [`! ${renewals} will be turned off, and the customers told, when due`];
const asks = (renewals: string) => [`! ${renewals} will ask the customers to accept the higher price`];
const setPrice = ({ plans }: BrandFile, planId: string, price: number) => {
  for (const { id, prices } of plans) if (id === planId) prices['BRL'] = price;
};

it('a brand that is applied names the renewals and payments that it changes, before anything is written', async () => {
  expect(await warnings(() => {})).toEqual([]);
  expect(await warnings((file) => setPrice(file, '101', 99.9))).toEqual(asks('1 renewal'));
  expect(await warnings((file) => setPrice(file, '101', 9.9))).toEqual([]);
  expect(await warnings((file) => setPrice(file, '301', 999))).toEqual([]);
  const withoutCard = (file: BrandFile) => {
    file.methods = file.methods.filter(({ code }) => code !== 'card');
  };
  expect(await warnings(withoutCard)).toEqual(ends('2 renewals'));
  await (await cli.shop.buyer()).pay(byPix);
  const withoutPix = (file: BrandFile) => {
    file.methods = file.methods.filter(({ code }) => code !== 'pix');
  };
  expect(await warnings(withoutPix)).toEqual(['! 1 open payment by what is no longer sold can still be paid']);
  const withoutPlan = (file: BrandFile) => {
    file.plans = file.plans.filter(({ id }) => id !== '102');
    setPrice(file, '101', 99.9);
  };
  expect(await warnings(withoutPlan)).toEqual([...ends('1 renewal'), ...asks('1 renewal')]);
  const withoutAll = (file: BrandFile) => {
    withoutCard(file);
    setPrice(file, '101', 99.9);
  };
  // a renewal that ends asks for no price
  expect(await warnings(withoutAll)).toEqual(ends('2 renewals'));
});

it('lists the renewals that are on, and whose customers have yet to accept a higher price', async () => {
  const { shop } = cli;
  const listed = async (...options: string[]) => (await cli.run('renewals', 'list', '--json', ...options)).facts;
  const [month, halfYear] = await listed();
  expect([month, halfYear]).toMatchObject([
    { brand: 'lumen', plan: '101', status: 'on', price: { amount: 1990, currency: 'BRL' }, asked: null },
    { brand: 'lumen', plan: '102', price: { amount: 9990, currency: 'BRL' } },
  ]);
  const days = ['noticeAt', 'chargeAt', 'paidUntil'].map((name) => Date.parse(String(month?.[name])) / 86_400_000);
  expect(days.map((one) => one - (days[2] ?? 0))).toEqual([-8, -1, 0]);
  expect(await listed('--plan=102')).toEqual([halfYear]);
  expect(await listed('--brand=mego')).toEqual([]);
  expect((await cli.run('renewals', 'list', '--limit=1')).told).toContain('There are more than this one.');
  expect((await cli.run('renewals', 'list', '--asked')).told).toBe('No such renewal is on.\n');

  await changeFile((file) => setPrice(file, '101', 24.9));
  expect((await cli.run('brand', 'apply', join(parent, 'lumen'), '--yes', '--why=prices')).code).toBe(0);
  await shop.deps.catalog.refresh();
  await advanceDays(shop, 23, 24);
  expect(await listed('--asked')).toMatchObject([
    { plan: '101', price: { amount: 1990, currency: 'BRL' }, asked: { amount: 2490, currency: 'BRL' } },
  ]);
});

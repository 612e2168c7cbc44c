import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { checkFolder } from '#server/brand/folder/read-folder.ts';
import type { Problem } from '#server/brand/folder/read-yaml.ts';
import { findConflicts, storedRows } from '#server/brand/folder/stored-rows.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { openPreview } from '#server/operator/preview-shop.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoBrand, demoBrands } from '#sandbox/demo-brands.ts';
import { demoBrandsFolder } from '#sandbox/demo-brands-folder.ts';
import { aBrandFolder, type BrandFolder } from '#tests/builders/a-brand-folder.ts';
import { aRenewing, advanceDays } from '#tests/builders/a-renewal.ts';
import { aShop } from '#tests/builders/a-shop.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#0a7" d="M0 0h9v9H0z"/></svg>';
const yes = ['--yes', '--why', 'TICKET-1'];

describe('the folder of a brand', () => {
  let acme: BrandFolder;
  beforeEach(async () => {
    acme = await aBrandFolder({}, '--languages', 'en,pt');
  });
  afterEach(() => acme.remove());
  const faults = async () => {
    const { code, out } = await acme.run('brand', 'check', acme.folder);
    expect(code).toBe(1);
    return out.map((line) => line.slice(acme.folder.length + 1));
  };

  it('can be applied as generated, and so can those of the demo', async () => {
    expect(await acme.run('brand', 'check', acme.folder)).toMatchObject({ code: 0, out: [] });
    for (const { brand } of demoBrands()) {
      expect((await acme.run('brand', 'check', `${demoBrandsFolder}/${brand.code}`)).code, brand.code).toBe(0);
    }
  });

  it('grants the same withdrawal period in its terms as on the payment button', async () => {
    const demonstration = demoBrands().map(({ brand }) => `${demoBrandsFolder}/${brand.code}`);
    for (const folder of [acme.folder, ...demonstration]) {
      const { rows } = await checkFolder(folder);
      const days = rows?.brand.config.payment.withdrawalDays;
      const terms = rows?.documents.filter(({ type }) => type === 'terms') ?? [];
      expect(terms.length, folder).toBeGreaterThan(1);
      for (const { language, content } of terms)
        expect(JSON.stringify(content), `${folder} ${language}`).toMatch(new RegExp(`\\b${days} d|\\b${days} д`));
    }
    await acme.edit('brand.yaml', (text) => text.replace(/^ +withdrawalDays.*\n/m, ''));
    expect(await faults()).toContainEqual(
      expect.stringMatching(/^documents\/terms\.en\.md.* says \{withdrawalDays\}, and payment\.withdrawalDays/),
    );
  });

  it('gets all its errors reported at once, by file and line', async () => {
    await acme.edit('brand.yaml', (text) =>
      text
        .replace('days: 30', 'dayz: 30')
        .replace(/origin: \S+/, 'origin: acme.test')
        .replace('savesCard: true', 'savesCard: yes'),
    );
    expect(await faults()).toEqual([
      expect.stringMatching(/^brand\.yaml:\d+: origin must be a scheme and a host/),
      expect.stringMatching(/^brand\.yaml:\d+: plans\[0\]\.days is missing$/),
      expect.stringMatching(/^brand\.yaml:\d+: plans\[0\]\.dayz is not known here$/),
      expect.stringMatching(/^brand\.yaml:\d+: methods\[0\]\.savesCard: expected boolean, but it is "yes"$/),
    ]);
    await acme.put('brand.yaml', 'code: [unclosed\nname: x\n');
    expect((await faults())[0]).toMatch(/^brand\.yaml:2: /);
  });

  it.each([
    ['a price finer than its currency', /USD/g, 'JPY', /plans\.0\.prices\.JPY: 4\.99 has more digits than JPY has$/],
    ['a currency that ISO 4217 does not have', /USD/g, 'EUT', /must be a currency code of ISO 4217, such as EUR/],
    ['a fund', /USD/g, 'CLF', /must be a currency code of ISO 4217, such as EUR/],
  ])('gets %s reported by file and line', async (_what, from, to, expected) => {
    await acme.edit('brand.yaml', (text) => text.replace(from, to));
    const lines = await faults();
    expect(lines.find((line) => expected.test(line))).toMatch(/^brand\.yaml:\d+: /);
    const { code, told } = await acme.run('brand', 'apply', acme.folder);
    expect([code === 0, told === '']).toEqual([false, false]);
  });

  it('accepts prices with three digits where their currency has them', async () => {
    await acme.edit('brand.yaml', (text) => text.replaceAll('USD', 'KWD').replace('KWD: 4.99', 'KWD: 4.995'));
    expect(await acme.run('brand', 'check', acme.folder)).toMatchObject({ code: 0, out: [] });
    await acme.edit('brand.yaml', (text) => text.replace('KWD: 4.995', 'KWD: 4.9955'));
    expect((await faults()).join()).toContain('4.9955 has more digits than KWD has');
  });

  it('gets contradictions between its parts reported', async () => {
    await acme.edit('brand.yaml', (text) =>
      text
        .replace('{ USD: 4.99 }', '{ USD: 4.999, BRL: 20 }')
        .replace('id: "103"', 'id: "101"')
        .replace(/^( +)gateway: sandbox\b.*$/m, '$1gateway: payssion')
        .replace('fields: [ card, name ]', 'fields: [ mobile ]')
        .replace('defaultLanguage: en', 'defaultLanguage: es'),
    );
    await acme.put('documents/help.pt.md', '# Ajuda\n\nsem lugar\n');
    await acme.put('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 4"><script>1</script></svg>');
    await acme.put('pictures/avatar.svg', drawing.replace('#0a7', '#fefefe'));
    await acme.put('pictures/background.jpg', drawing);
    await acme.put(
      'pictures/mobile-background.svg',
      drawing.replace('<path', '<image href="https://evil.test/x.png"/><path'),
    );
    await acme.put('pictures/wordmark.svg', drawing.replace('</svg>', `<!--${'x'.repeat(60_000)}--></svg>`));
    await acme.put('pictures/1-home-720x1480.png', drawing);
    await acme.put('words/en.po', 'msgid "Nobody says this"\nmsgstr "{a"\n');
    const reported = (await faults()).join('\n');
    for (const part of [
      'brand.yaml:10: defaultLanguage: es is not one of the languages',
      'plans.0.prices.USD: 4.999 has more digits than USD has',
      'plans.0.prices.BRL: BRL is not one of the currencies',
      'plans.1.id: 101 is there twice',
      "methods.0.details: a method of Payssion needs its pmId, Payssion's own name of it, such as alipay_cn",
      'methods.0.details: a number is asked for, so diallingCodes has to name the code of its country for USD',
      'documents/terms.es.md:1: is missing',
      'documents/help.pt.md:1: begins with the day of its last change',
      'documents/help.pt.md:3: stands before the first section',
      'logo.svg:1: has elements other than shapes (script)',
      'logo.svg:1: is 9 by 4, and must be square',
      'pictures/avatar.svg:1: remark: hardly stands out from a page in the light look',
      'pictures/background.jpg:1: is another kind of file than its name says',
      'pictures/mobile-background.svg:1: refers to something elsewhere',
      'pictures/wordmark.svg:1: has more than 60000 bytes',
      'pictures/1-home-720x1480.png:1: is another kind of file than its name says',
      'words/en.po:1: "Nobody says this": is no message',
      'words/en.po:1: remark: "Nobody says this": no text of the storefront has this name',
    ]) {
      expect(reported).toContain(part);
    }
  });
});

describe('a brand that is applied to an empty shop', () => {
  let acme: BrandFolder;
  let postgres: RunningPostgres;
  let opened: OpenedDatabase;
  let shop: Awaited<ReturnType<typeof testApp>>;
  const host = 'acme.example';
  beforeAll(async () => {
    postgres = await startPostgres();
    acme = await aBrandFolder(
      { SANDBOX: 'false', DATABASE_URL: postgres.url },
      '--host',
      host,
      '--languages',
      'pt,en',
      '--currency',
      'BRL',
      '--price',
      '29.90',
    );
    await acme.put(
      'words/pt.po',
      [
        'msgid "All plans"\nmsgstr "Tudo o que temos"',
        'msgid "{0, plural, one {# device at a time} other {# devices at the same time}}"\nmsgstr "{0, plural, one {# tela} other {# telas}}"',
        'msgid "errCode.2008"\nmsgstr "<b>Acabou</b>"',
        'msgid "mail.code.subject"\nmsgstr "{code}: bem-vindo a {name}"',
        'msgid "manifest.orders"\nmsgstr "Compras"',
      ].join('\n\n'),
    );
    for (const name of ['avatar', 'background', 'mobile-background']) await acme.put(`pictures/${name}.svg`, drawing);
    expect((await acme.run('brand', 'apply', acme.folder)).told).toContain('Nothing is written yet');
    expect((await acme.run('brand', 'apply', acme.folder, ...yes)).told).toContain('Written.');
    expect((await acme.run('brand', 'apply', acme.folder, ...yes)).told).toContain('Nothing differs.');
    opened = await openPostgres(postgres.url, createLog('silent'));
    shop = await testApp({ db: opened.db, env: { SANDBOX: 'false', DEFAULT_BRAND: 'acme' } });
  }, 60_000);
  afterAll(async () => {
    await opened.close();
    await postgres.stop();
    await acme.remove();
  });

  it('serves a whole shop without the sandbox', async () => {
    const at = { host };
    expect((await shop.request(endpoints.theme, {}, at)).data).toMatchObject({ name: 'Acme TV', tenantId: 'acme' });
    const { data } = await shop.request(endpoints.listPlans, { query: { language: 'pt' } }, at);
    expect(data.plans).toMatchObject([
      { id: '101', name: 'Mensal', price: { amount: 2990, currency: 'BRL' } },
      { id: '103', price: { amount: 29900 }, listPrice: { amount: 35880 }, recommended: true },
    ]);
    for (const type of ['privacy', 'terms', 'help'] as const) {
      const document = await shop.request(endpoints.dynamicConfig, { query: { type, code: 'pt' } }, at);
      expect(document.data.sections.length).toBeGreaterThan(4);
      expect(JSON.stringify(document.data)).not.toMatch(/\{\w+\}/);
    }
    const customer = await shop.customer({ host });
    expect(
      (await shop.request(endpoints.queryInfo, { body: customer }, { token: customer.token, host })).code,
    ).not.toBe(21);
  });

  it('serves icons of its logo, the same from every process', async () => {
    const get = (path: string, headers = {}) =>
      shop.app.request(`http://${host}${path}`, { headers: { host, ...headers } });
    for (const [name, size] of [
      ['icon-192.png', 192],
      ['maskable-512.png', 512],
      ['share.png', 1200],
    ] as const) {
      const answer = await get(`/icons/acme/${name}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(new DataView(await answer.arrayBuffer()).getUint32(16)).toBe(size);
    }
    const drawing = await get('/icons/acme/favicon.svg');
    expect(drawing.headers.get('content-security-policy')).toContain('sandbox');
    const tag = drawing.headers.get('etag') ?? '';
    expect((await get('/icons/acme/favicon.svg', { 'if-none-match': tag })).status).toBe(304);
    const { data } = await shop.request(endpoints.functionConfig, {}, { host });
    expect(data.imgConfig).toEqual({
      avatar: '/icons/acme/avatar.svg',
      pcBackground: '/icons/acme/background.svg',
      mobileBackground: '/icons/acme/mobile-background.svg',
      share: '/icons/acme/share.png',
    });
    expect((await get('/icons/acme/mobile-background.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('shows its own translations as text: in the storefront with plurals, in mail and in the manifest', async () => {
    const { data } = await shop.request(endpoints.i18nMessage, { query: { language: 'pt' } }, { host });
    const messages = Object.values(data);
    expect(messages).toContain('Tudo o que temos');
    expect(messages).toContain('<b>Acabou</b>');
    expect(messages).toContainEqual([['0', 'plural', { one: ['#', ' tela'], other: ['#', ' telas'] }]]);
    // Messages that only the server uses are not sent to the browser.
    expect(JSON.stringify(messages)).not.toContain('bem-vindo');
    const brand = shop.deps.catalog.byCode('acme');
    if (!brand) throw new Error('no brand');
    expect(i18nIn('pt', brand)._('manifest.orders')).toBe('Compras');
    expect(i18nIn('en', brand)._('manifest.orders')).toBe('Orders');
    const account = 'nova@example.com';
    await shop.request(
      endpoints.sendVerificationCode,
      { body: { account, type: 'email', scene: 'signup', language: 'pt' } },
      { host },
    );
    await writeRequestedMessages(shop.deps);
    const [mail] = await shop.db.select().from(outbox).where(eq(outbox.recipient, account));
    expect(mail?.subject).toMatch(/^\d{4}: bem-vindo a Acme TV$/);
  });

  it('is recorded once in the audit log, with its reason', async () => {
    expect(await shop.db.select().from(auditLog)).toMatchObject([
      { command: 'brand apply', brand: 'acme', why: 'TICKET-1', detail: { changed: 0, removed: 0 } },
    ]);
  });
});

it('an exported brand can be applied unchanged; a retired one sells nothing until it is applied again', async () => {
  const acme = await aBrandFolder();
  try {
    await acme.edit('brand.yaml', (text) =>
      text.replace('# icon: { background: "#FFFFFF" }', 'icon: { background: "#111111" }'),
    );
    await acme.put('pictures/avatar.svg', drawing);
    await acme.run('brand', 'apply', acme.folder, ...yes);
    const copy = `${acme.folder}-copy`;
    expect((await acme.run('brand', 'export', 'acme', copy)).code).toBe(0);
    expect(await acme.run('brand', 'apply', copy)).toMatchObject({ out: [], told: 'Nothing differs.\n' });
    expect((await acme.run('brand', 'retire', 'acme', ...yes)).out).toEqual([
      '- plan 101 is sold no longer',
      '- plan 103 is sold no longer',
    ]);
    expect((await acme.run('brand', 'list')).out.find((line) => line.startsWith('acme'))).toContain('\t0\t');
    expect((await acme.run('brand', 'apply', copy)).out).toEqual([
      '+ plan 101 is sold again',
      '+ plan 103 is sold again',
    ]);
    const refused = await acme.run('brand', 'new', copy);
    expect([refused.code, refused.told]).toEqual([1, `${copy} has a brand already.\n`]);
  } finally {
    await acme.remove();
  }
}, 60_000);

describe('a brand that changes during purchases', () => {
  /** Lumen with another price for the monthly plan, or without that plan. */
  const month = (amount: number | undefined) => {
    const lumen = demoBrand('lumen');
    const plans = lumen.plans.flatMap((plan) => {
      if (plan.id !== '101') return [plan];
      return amount === undefined ? [] : [{ ...plan, prices: { ...plan.prices, BRL: amount } }];
    });
    return { ...lumen, plans };
  };

  it('charges no price other than the one shown, and renews at no price without consent', async () => {
    const shop = await aShop();
    const apply = async (amount: number | undefined) => {
      await writeRows(shop.db, month(amount), await storedRows(shop.db, 'lumen'));
      await shop.deps.catalog.refresh();
    };
    try {
      const ana = await aRenewing(shop);
      const body = await ana.body();
      const pay = () => shop.request(endpoints.pay, { body }, { ...ana, idempotencyKey: crypto.randomUUID() });
      await apply(2490);
      const refused = await pay();
      expect([refused.errCode, refused.params.newTotal]).toEqual([1015, { amount: 2490, currency: 'BRL' }]);
      expect((await shop.books()).charges).toHaveLength(1);
      await advanceDays(shop, 23, 24);
      expect(await ana.told()).toEqual(['asks']);
      await advanceDays(shop, 8, 24);
      expect(await ana.charges()).toEqual([]);
      // A customer who has a retired plan keeps it.
      await apply(undefined);
      expect((await pay()).errCode).toBe(2008);
      const { data } = await shop.request(endpoints.orders, { body: { page: 1, size: 5 } }, ana);
      expect(data.items[0]).toMatchObject({ planName: 'Monthly', status: 'PAYMENT_SUCCEEDED' });
      expect((await storedRows(shop.db, 'lumen'))?.plans.find(({ id }) => id === '101')).toMatchObject({
        active: false,
      });
    } finally {
      await shop.close();
    }
  });

  it('cannot change the days of a plan that was sold, nor use the host of another brand', async () => {
    const shop = await aShop();
    try {
      const lumen = month(1990);
      const longer = { ...lumen, plans: lumen.plans.map((plan) => (plan.id === '101' ? { ...plan, days: 31 } : plan)) };
      const now = await storedRows(shop.db, 'lumen');
      expect(await findConflicts(shop.db, longer, now)).toEqual([]);
      await (await shop.buyer()).pay();
      expect(await findConflicts(shop.db, longer, now)).toEqual([
        expect.stringContaining('Plan 101 has been sold with 30 days'),
      ]);
      expect(await findConflicts(shop.db, { ...lumen, hosts: ['mego.localhost'] }, now)).toEqual([
        'The host mego.localhost belongs to the brand mego.',
      ]);
    } finally {
      await shop.close();
    }
  });
});

it(
  'a preview shows the brand folder without a database, and each change at once',
  { tags: 'slow', timeout: 60_000 },
  async () => {
    const acme = await aBrandFolder();
    const shared = join(acme.folder, '..', 'shared');
    await rename(join(acme.folder, 'documents'), shared);
    await acme.edit('brand.yaml', (text) => `${text}\ndocuments: ../shared\n`);
    const { rows } = await checkFolder(acme.folder);
    if (!rows) throw new Error('the folder has faults');
    const reports: (readonly Problem[])[] = [];
    const changed = () =>
      vi.waitFor(() => expect(reports.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 });
    const preview = await openPreview(acme.folder, rows, {
      port: await freePort(),
      onChange: (problems) => void reports.push(problems),
      beside: [shared],
    });
    const page = async () => (await fetch(`${preview.origin}/pricing-table`)).text();
    try {
      expect(await page()).toContain('$4.99');
      await acme.edit('brand.yaml', (text) => text.replace('USD: 4.99', 'USD: 5.49'));
      await changed();
      expect(await page()).toContain('$5.49');
      reports.length = 0;
      await acme.edit('../shared/privacy.en.md', (text) => `${text}\nWe count nothing else.\n`);
      await changed();
      expect(await (await fetch(`${preview.origin}/privacy`)).text()).toContain('We count nothing else.');
      reports.length = 0;
      await acme.edit('brand.yaml', (text) => text.replace('days: 30', 'days: many'));
      await changed();
      expect(
        reports
          .flat()
          .map(({ file, message }) => `${file} ${message}`)
          .join(),
      ).toContain('brand.yaml plans[0].days');
      expect(await page()).toContain('$5.49');
    } finally {
      await preview.close();
      await acme.remove();
    }
  },
);

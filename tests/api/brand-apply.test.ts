import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { i18nIn } from '#server/brand/i18n.ts';
import { writeRequestedMessages } from '#server/jobs/write-requested-messages.ts';
import { createLog } from '#server/runtime/log.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { startPostgres, type RunningPostgres } from '#tests/fixtures/postgres.ts';
import { aBrandFolder, drawing, type BrandFolder } from '#tests/builders/a-brand-folder.ts';

const yes = ['--yes', '--why', 'TICKET-1'];

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
    const [retired] = (await acme.run('audit', 'list', '--json')).out;
    expect(JSON.parse(retired ?? '{}')).toMatchObject({ command: 'brand retire', changed: 0, removed: 2 });
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFolder } from '#server/brand/folder/read-folder.ts';
import { demoBrands } from '#sandbox/demo-brands.ts';
import { demoBrandsFolder } from '#sandbox/demo-brands-folder.ts';
import { aBrandFolder, drawing, type BrandFolder } from '#tests/builders/a-brand-folder.ts';

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
      expect.stringMatching(/^brand\.yaml:\d+: plans\[0\]\.days is missing: write a whole number from 1 to 3660$/),
      expect.stringMatching(/^brand\.yaml:\d+: plans\[0\]\.dayz is not known here; did you mean days\?$/),
      expect.stringMatching(/^brand\.yaml:\d+: methods\[0\]\.savesCard must be true or false, not yes$/),
    ]);
    await acme.put('brand.yaml', 'code: [unclosed\nname: x\n');
    expect((await faults())[0]).toMatch(/^brand\.yaml:1: "code: \[unclosed" has a bracket that is not closed/);
  });

  it.each([
    ['a price finer than its currency', /USD/g, 'JPY', /plans\[0\]\.prices\.JPY: 4\.99 has more digits than JPY has$/],
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

  it('needs the package of an app to publish its certificates', async () => {
    const certificates = `[${Array.from({ length: 32 }, () => 'AB').join(':')}]`;
    await acme.edit('brand.yaml', (text) => `${text}\napp: { link: acme://open, certificates: ${certificates} }\n`);
    expect(await faults()).toEqual([
      expect.stringMatching(/^brand\.yaml:\d+: app must have an intent for its certificates/),
    ]);
    await acme.edit('brand.yaml', (text) =>
      text.replace(
        'acme://open, cert',
        'acme://open, intent: "intent://open#Intent;package=com.acme.player;end", cert',
      ),
    );
    expect(await acme.run('brand', 'check', acme.folder)).toMatchObject({ code: 0, out: [] });
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
      'plans[0].prices.USD: 4.999 has more digits than USD has',
      'plans[0].prices.BRL: BRL is not one of the currencies',
      'plans[1].id: 101 is there twice',
      "methods[0].details: a method of Payssion needs its pmId, Payssion's own name of it, such as alipay_cn",
      'methods[0].details: a number is asked for, so diallingCodes has to name the code of its country for USD',
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

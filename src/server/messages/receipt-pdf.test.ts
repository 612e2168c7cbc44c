import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '#contract/money.ts';
import { languages } from '#contract/fields.ts';
import { clustersOf } from './receipt-layout/clusters.ts';
import { baseFont } from './receipt-layout/fonts.ts';
import { receiptPdf, type ReceiptContent } from './receipt-pdf.ts';

const paidAt = Date.UTC(2026, 10, 26);
const paper = (over: Partial<ReceiptContent> = {}): ReceiptContent => ({
  brand: 'Lumen',
  title: 'Receipt',
  seller: ['Lumen Mídia do Brasil Ltda.', 'Tax number: 11.222.333/0001-81'],
  rows: [['Customer', 'Ana Lima']],
  amounts: [['Total', 'R$ 59,97']],
  taxes: [],
  ...over,
});
const everywhere = (text: string) =>
  paper({ brand: text, seller: [text, text], rows: [[text, text]], amounts: [[text, text]] });

interface DrawnGlyph {
  readonly originalCharCode: number;
  readonly unicode: string;
}

/** What a PDF reader draws and copies: the number of missing glyphs, and the text. */
async function read(pdf: Buffer) {
  const { OPS } = await getResolvedPDFJS();
  const page = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1);
  const { fnArray, argsArray } = await page.getOperatorList();
  // as: the arguments of this operator are the glyphs and the spaces between them
  const shown = argsArray.filter((_, index) => fnArray[index] === OPS.showText) as [(DrawnGlyph | number)[]][];
  const glyphs = shown.flatMap(([drawn]) => drawn).filter((glyph) => typeof glyph !== 'number');
  const { items } = await page.getTextContent();
  return {
    shapeless: glyphs.filter(({ originalCharCode }) => originalCharCode === 0).length,
    text: items.map((item) => ('str' in item ? item.str : '')).join(' '),
    letters: glyphs.map(({ unicode }) => unicode).join(''),
  };
}

interface Tag {
  readonly role?: string;
  readonly id?: string;
  readonly children?: readonly Tag[];
}

/** The roles of a tagged PDF as nested lists; its content is left out. */
const rolesOf = ({ role, children = [] }: Tag): unknown[] => [
  role,
  ...children.filter((child) => child.role !== undefined).map(rolesOf),
];

const utf16 = new TextDecoder('utf-16be');

/** The text for screen readers, in order, and the number of drawings that they skip. */
async function markedContent(pdf: Buffer) {
  const streams = pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g);
  const code = Array.from(streams, ([, packed = '']) => inflated(Buffer.from(packed, 'latin1'))).join('\n');
  const texts = code.matchAll(/\/ActualText (<[0-9a-f]*>|\((?:\\.|[^\\)])*\))/gs);
  return {
    artifacts: code.match(/\/Artifact /g)?.length,
    spoken: Array.from(texts, ([, literal = '']) => textOf(literal)),
  };
}

const inflated = (bytes: Buffer) => {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    // fonts and metadata are not packed
    return '';
  }
};

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string of a PDF: in UTF-16 if it begins with a byte order mark. */
function textOf(literal: string): string {
  const text = literal.slice(1, -1).replaceAll(/\\([\s\S])/g, (_, one: string) => escapes[one] ?? one);
  return text.startsWith('\xfe\xff') ? utf16.decode(Buffer.from(text.slice(2), 'latin1')) : text;
}

const namesOfThePlanet = {
  'Simplified Chinese': '小明 王',
  'Traditional Chinese': '陳大文',
  Japanese: '渡邉 さくら ヤマダ',
  Korean: '김민준',
  Thai: 'สมชาย ใจดี จำกัด',
  Arabic: 'محمد علي',
  'Arabic with Latin letters and digits': 'Ana محمد (Ali) ٠١٢٣ 12',
  Persian: 'می‌خواهم ۱۲۳',
  'vocalised Arabic': 'الْعَرَبِيَّة',
  Hebrew: 'דוד כהן',
  Hindi: 'श्रीमती ज्योति क्षत्रिय',
  Bengali: 'রহিম উদ্দিন',
  Tamil: 'முருகன் கிருஷ்ணன்',
  Telugu: 'తెలుగు',
  Gujarati: 'ગુજરાતી',
  Punjabi: 'ਪੰਜਾਬੀ',
  Kannada: 'ಕನ್ನಡ',
  Malayalam: 'മലയാളം',
  Odia: 'ଓଡ଼ିଆ',
  Sinhala: 'ශ්‍රී ලංකා',
  Khmer: 'ខ្មែរ',
  Lao: 'ລາວ ຄຳ',
  Burmese: 'မြန်မာ',
  Amharic: 'አማርኛ',
  Georgian: 'გიორგი',
  Armenian: 'Արամ',
  Dhivehi: 'ދިވެހި',
  Vietnamese: 'Nguyễn Văn Thành',
  'Vietnamese, decomposed': 'Nguyễn Văn Thành'.normalize('NFD'),
  Russian: 'Анна Щёголева',
  Greek: 'Ελένη Παπαδοπούλου',
  'an emoji': 'Plan 🎬 Família ❤️',
  symbols: '★ ① ㈱ № ™ →',
} as const;

const sorted = (text: string) =>
  Array.from(text.normalize('NFKD').replaceAll(/[,\s\p{Default_Ignorable_Code_Point}]/gu, '')).toSorted();

// the first text that needs it compiles the shaper and lists the fonts
describe('a receipt', { timeout: 30_000 }, () => {
  it.each([0, 11, 22])('draws and copies names in every script, regular and bold (from number %i on)', async (from) => {
    const names = Object.entries(namesOfThePlanet).slice(from, from + 11);
    const all = names.map(([, name]) => name).join(' ');
    const drawn = await read(
      await receiptPdf({ content: paper({ brand: all, seller: [], rows: names }), language: 'en', paidAt }),
    );
    expect(drawn.shapeless).toBe(0);
    expect(sorted(drawn.letters)).toEqual(sorted(`Receipt${names.join('')}${all}TotalR$59,97`));
  });

  it('copies text of scripts without reordered vowels as it was typed', async () => {
    const { Korean, Thai, Georgian, Russian, Japanese } = namesOfThePlanet;
    const names = [Korean, Thai, Georgian, Russian, Japanese, 'محمد', 'דוד', '小明'];
    const { text } = await read(
      await receiptPdf({ content: paper({ rows: names.map((name) => ['', name]) }), language: 'en', paidAt }),
    );
    const copied = text.replaceAll(/\s/g, '').normalize('NFKC');
    for (const name of names) expect(copied).toContain(name.replaceAll(/\s/g, '').normalize('NFKC'));
  });

  it('shows a replacement character for what no font contains, and styled letters as plain ones', async () => {
    const { letters, shapeless } = await read(
      await receiptPdf({
        content: paper({ rows: [['Customer', '𐎀 𝓐𝓷𝓪 \uD800 \u{E0001}\u202E\u0007']] }),
        language: 'en',
        paidAt,
      }),
    );
    expect(shapeless).toBe(0);
    expect(letters).toContain('\uFFFD Ana \uFFFD');
  });

  it('draws any text, whatever it consists of', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc
        .array(fc.constantFrom(...Array.from(Object.values(namesOfThePlanet).join(''))), { maxLength: 30 })
        .map((all) => all.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const drawn = await read(
          await receiptPdf({ content: paper({ rows: [['Customer', name]] }), language: 'en', paidAt }),
        );
        expect(drawn.shapeless).toBe(0);
      }),
      { numRuns: 6 },
    );
  });

  it.each(languages)('is read aloud in %s, in order, with each label beside its value', async (language) => {
    const names = [namesOfThePlanet.Arabic, namesOfThePlanet.Hindi, 'one two '.repeat(20).trim()];
    const seller = ['Silva & Filhos <Ltda.>', 'Tax number: 11.222.333/0001-81'];
    const content = paper({ seller, rows: names.map((name) => ['Customer', name]) });
    const document = await getDocumentProxy(new Uint8Array(await receiptPdf({ content, language, paidAt })));
    const { info, metadata } = await document.getMetadata();
    expect(info).toMatchObject({ Language: language, Title: 'Receipt', Author: seller[0] });
    expect(metadata?.get('dc:creator')).toEqual([seller[0]]);
    expect(metadata?.getRaw()).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
    expect(await document.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
    const row = ['TR', ['TH'], ['TD']];
    expect(rolesOf(await (await document.getPage(1)).getStructTree())).toEqual([
      'Root',
      ['Document', ['P'], ['H1'], ['P'], ['P'], ['Table', row, row, row], ['Table', row]],
    ]);
  });

  it('gives readers its text as it was typed, and hides its lines from them', async () => {
    const text = `${namesOfThePlanet.Arabic} ${'two words '.repeat(20).trim()}`;
    const pdf = await receiptPdf({ content: paper({ rows: [['Customer', text]] }), language: 'en', paidAt });
    const { artifacts, spoken } = await markedContent(pdf);
    expect(spoken).toContain(text);
    expect(spoken[1]).toBe('Receipt');
    expect(artifacts).toBe(2);
  });

  it('stays small with a long address in Chinese', async () => {
    const address =
      '上海市浦东新区世纪大道一百号环球金融中心邮编电话联系人王小明先生办公室主任欢迎访问我们的网站谢谢您的购买请妥善保管此收据';
    const pdf = await receiptPdf({ content: everywhere(address), language: 'en', paidAt });
    expect(pdf.length).toBeLessThan(200_000);
    const pages = await getDocumentProxy(new Uint8Array(pdf));
    expect(pages.numPages).toBe(1);
  });

  it('reads no further font for the languages of the storefront', async () => {
    const money = languages.flatMap((language) =>
      ['BRL', 'USD', 'EUR', 'RUB', 'KES', 'MXN'].map((currency) =>
        formatMoney({ amount: -123_456_789, currency }, language),
      ),
    );
    const texts = [
      ...money,
      'Ana D’Angelo',
      'João Łukasz – •••• 4242',
      'Щёголева',
      'Nguyễn',
      'Ελένη',
      '26 нояб. 2026 г.',
    ];
    const clusters = await clustersOf(
      await baseFont(),
      texts.flatMap((text) => [
        { text, weight: '400' as const },
        { text, weight: '700' as const },
      ]),
      () => Promise.reject(new Error('a fallback font was requested')),
    );
    expect(
      texts.map((text) =>
        clusters
          .get(text)
          ?.map((one) => one.text)
          .join(''),
      ),
    ).toEqual(texts.map((text) => text.replaceAll('\u202F', '\u00A0')));
  });
});

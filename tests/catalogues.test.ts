import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow, type CompiledMessage } from '@lingui/message-utils/compileMessage';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicSources } from '../lingui.config.ts';
import { errors } from '#contract/error-codes.ts';
import { languages, type Language } from '#contract/fields.ts';
import { paths, type PathRow } from '#contract/paths.ts';
import { under } from '#tests/fixtures/architecture.ts';
import { root } from '#tests/fixtures/source-tree.ts';

const catalogues = ['', 'private/', 'server/'];

interface Entry {
  readonly catalogue: string;
  readonly id: string;
  readonly english: string;
  readonly text: string;
}

async function read(catalogue: string, locale: Language) {
  const filename = join(root, 'locales', `${catalogue}${locale}.po`);
  return formatter().parse(readFileSync(filename, 'utf8'), { locale, sourceLocale: 'en', filename });
}

async function entriesOf(language: Language): Promise<Entry[]> {
  const all = catalogues.map(async (catalogue) => {
    const english = await read(catalogue, 'en');
    return Object.entries(await read(catalogue, language)).map(([id, { translation = '' }]) => ({
      catalogue,
      id,
      english: english[id]?.translation ?? '',
      text: translation,
    }));
  });
  return (await Promise.all(all)).flat();
}

const parts = (message: CompiledMessage) => (typeof message === 'string' ? [message] : message);

/** What must be the same in every language: the names of values and the numbers of tags, in any position. */
function slotsOf(message: CompiledMessage): string[] {
  const slots = parts(message).flatMap((token) => {
    if (typeof token === 'string') return token.match(/<\/?\d+\/?>/g) ?? [];
    const [name, , branches] = token;
    const inner = branches instanceof Object ? Object.values(branches) : [];
    return [`{${name}}`, ...inner.flatMap((part) => (Array.isArray(part) ? slotsOf(part) : []))];
  });
  return [...new Set(slots)].toSorted();
}

/** The plural forms of the whole numbers up to 1,000 in a language. */
function pluralForms(language: Language): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1001 }, (_, number) => rules.select(number)))];
}

function missingForms(message: CompiledMessage, forms: readonly string[]): string[] {
  const plural = parts(message).find((token) => typeof token !== 'string' && token[1] === 'plural');
  const branches = typeof plural === 'object' && plural[2] instanceof Object ? plural[2] : undefined;
  return branches ? forms.filter((form) => !(form in branches)) : [];
}

/** Sentences that the specification prescribes word for word. */
const given = ['Invalid Email', 'Need Help?', 'Accept our Terms Of Use and Privacy Policy'];

/** Words for a thing that has another term, which is used everywhere. */
const otherTerms: Readonly<Partial<Record<Language, readonly RegExp[]>>> = {
  en: [
    /\bsign(?:s|ed|ing)?[ -](?:in|out|it out|up)s?\b/i,
    /\bgiv(?:e|es|en|ing) (?:it |them )?back\b/i,
    /\be-mail|(?<!\{)\bmails?\b/i,
    /\bauto-?renew|\bby (?:it|them)sel(?:f|ves)\b/i,
    /\b(?:your|another) picture\b|\bpicture of the (?:receipt|transfer)\b/i,
    /\bTerms Of|\bterms of use|\bTerms of Service/,
    /\bslips?\b/i,
  ],
  pt: [
    /\bdevolv/i,
    /(?<!\{)\bemail|\bcorreio/i,
    /\bsozinh[oa]\b/i,
    /\bfavorecid/i,
    /Termos de Uso|\btermos de serviço/,
    /\b(?:[dn]?o|ao|pelo) \{name\}/i,
    /\b(?:teu|tua|teus|tuas|contigo)\b/i,
    /\bdeslig|\bconfigurações da conta/i,
  ],
  es: [
    /\bentr(?:ar|as|aste|ado)\b/i,
    /\bdevuel(?:to|ta|ve)/i,
    /(?<!\{)\be-?mails?\b/i,
    /\bboleta/i,
    /\brenueva sol[oa]\b|\bpor sí sol[oa]\b/i,
    /\bañad|\bordenador|\baplicaci|\bcaduc|\bintroduce\b|[«»]/i,
    /\b(?:usted|vosotros|vuestr[oa]s?|escanee|espere|elija|pulse|haga)\b/i,
    /Términos de Uso|\btérminos y condiciones/,
  ],
  ru: [
    /(?<!\p{L})(?:снимок|снимк)/iu,
    /псевдоним/iu,
    /(?<!\p{L})план(?!ш)/iu,
    /(?<!\{)e-?mail|имейл|(?<!\p{L})мейл/iu,
    /прод\p{L}+ сам|сам\p{Ll}* по себе/iu,
    /(?<!\p{L})(?:ты|тебя|тебе|тво\p{Ll}+)(?!\p{L})/iu,
    /["”]|\d%|[\d>}] %/u,
    // a day ends with "г.", and its dot ends the sentence too
    /\{(?:date|day|at)\}\./u,
    /Пользовательское соглашение/iu,
  ],
};

/** Parts of a text that continue what is before them on the page. */
const fragments = [
  'and runs until {end}',
  'for {0, plural, one {# day} other {# days}}',
  'from <0><1/></0> for {0, plural, one {# day} other {# days}}',
  'instead of',
  'now, until <0/>',
  'or',
  'renews on <0/>',
  'up to −<0/>',
];

const names =
  /\b(?:Google|PayPal|Pix|Boleto|Safari|Chrome|Edge|Dock|Android|JavaScript|Terms of Use|Privacy Policy|Mach|Share|Install app|Add(?: to (?:Home Screen|Dock))?|Home Screen|File|Help|WebP|“[^”]+”)(?!\p{L})/gu;

describe('Catalogues', () => {
  it.each(languages)(
    'have the messages of %s with the values, tags and plural forms of the source',
    async (language) => {
      const entries = await entriesOf(language);
      const forms = pluralForms(language);
      const differs = ({ english, text }: Entry) => {
        const translated = compileMessageOrThrow(text);
        return (
          String(slotsOf(translated)) !== String(slotsOf(compileMessageOrThrow(english))) ||
          missingForms(translated, forms).length > 0
        );
      };
      expect(entries.filter(differs)).toEqual([]);
    },
  );

  it.each(languages)(
    'have one translation into %s for a message that is in both browser catalogues',
    async (language) => {
      // The server merges them, and a browser loads one after the other: the hydrated page would have another text.
      const [shared, own] = [await read('', language), await read('private/', language)];
      const differing = Object.keys(shared).filter(
        (id) => id in own && own[id]?.translation !== shared[id]?.translation,
      );
      expect(differing).toEqual([]);
    },
  );

  it.each(languages)('have a translation of each message into %s', async (language) => {
    const missing = (await entriesOf(language)).filter(({ text }) => text === '');
    expect(missing.map(({ catalogue, id, english }) => `${catalogue}${language}.po ${id}: ${english}`)).toEqual([]);
  });

  it('have a message for every error code', async () => {
    const messages = await read('private/', 'en');
    expect(Object.values(errors).filter(({ code }) => !messages[`errCode.${code}`])).toEqual([]);
  });

  it.each(languages)('have one term for one thing in %s', async (language) => {
    const found = (await entriesOf(language)).flatMap(({ text }) =>
      (otherTerms[language] ?? []).filter((term) => term.test(text)).map((term) => `${String(term)}: ${text}`),
    );
    expect(found.filter((text) => !given.some((sentence) => text.endsWith(sentence)))).toEqual([]);
  });

  it('are in sentence case in English', async () => {
    const entries = (await entriesOf('en')).filter(({ text }) => !given.includes(text));
    // A branch of a plural may begin the sentence.
    const sentences = (text: string) =>
      text
        .replace(names, 'x')
        .replace(/\b\w+, plural, |\b\w+ \{/g, '. ')
        .replace(/[{}]|<\/?\d+\/?>/g, ' ');
    const hasCapitals = ({ text }: Entry) => /[\p{L}\d,;’] +\p{Lu}\p{Ll}/u.test(sentences(text));
    const isLowerCase = ({ id, text }: Entry) => /^\p{Ll}/u.test(text) && !/^(?:sms|mail)\./.test(id);
    expect(entries.filter(hasCapitals)).toEqual([]);
    // a fragment may be in both catalogues
    const lowerCase = new Set(entries.filter(isLowerCase).map(({ text }) => text));
    expect([...lowerCase].toSorted()).toEqual(fragments);
  });

  // On a page they have U+2011, because "e-" or "digite-" at the end of a line is not read as a part of the next one.
  it('never let "e-mail" or a verb and its pronoun break on a page in Portuguese', async () => {
    const entries = await entriesOf('pt');
    const breaks = ({ catalogue, text }: Entry) =>
      catalogue !== 'server/' && /\s/.test(text) && /\be-mail|\p{L}-(?:l?[oa]s?)(?!\p{L})/iu.test(text);
    expect(entries.filter(breaks)).toEqual([]);
  });
});

describe('The public catalogue', () => {
  /** Route files by whether the page is public; a feature is private when no public route imports it. */
  const routes = under('src/web/routes/');
  let privateFiles: string[];

  beforeAll(() => {
    const rows: [string, PathRow][] = Object.entries(paths);
    const isPrivate = (code: string) => {
      const path = /createFileRoute\('\/_\w+(\/[^']*)'\)/
        .exec(code)?.[1]
        ?.replace(/(?<=.)\/$/, '')
        .replace('$id', '{id}');
      const [, row] = rows.find(([one]) => one === path) ?? [];
      return row?.kind === 'app' && row.layout !== 'auth';
    };
    const featureOf = (target: string) => /^src\/web\/features\/[^/]+\//.exec(target)?.[0];
    const importedBy = (files: typeof routes) =>
      new Set(files.flatMap(({ imports }) => imports.flatMap(({ target }) => featureOf(target) ?? [])));
    const shown = routes.filter(({ code }) => isPrivate(code));
    const publicFeatures = importedBy(routes.filter((route) => !shown.includes(route)));
    const features = [...importedBy(shown)].filter((feature) => !publicFeatures.has(feature));
    privateFiles = [
      ...shown.map(({ path }) => path),
      ...under('src/web/features/')
        .map(({ path }) => path)
        .filter((path) => features.some((one) => path.startsWith(one))),
    ];
  });

  it('has no message of a private page', () => {
    expect(privateFiles.length).toBeGreaterThan(50);
    expect(privateFiles.filter((file) => publicSources.some((glob) => matchesGlob(file, glob)))).toEqual([]);
  });

  it('is collected from sources that exist', () => {
    const files = under('src/web/').map(({ path }) => path);
    expect(publicSources.filter((glob) => !files.some((file) => matchesGlob(file, glob)))).toEqual([]);
  });
});

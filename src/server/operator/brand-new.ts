import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { languages, languageSchema, type Language } from '#contract/fields.ts';
import { knownCurrencySchema } from '#contract/money.ts';
import { dynamicConfigTypeSchema } from '#contract/documents.ts';
import { writeFiles, filesOfRows } from '#server/brand/folder/write-folder.ts';
import { minorUnitsOf } from '#server/brand/folder/rows.ts';
import { loadSandbox } from '#server/runtime/wiring/open-deps.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { newBrandYaml, newLogo, newWords, type NewBrand } from './brand-template.ts';
import {
  requireOption,
  OperatorError,
  type Command,
  type OptionValues,
  type LocalCommand,
  type LocalContext,
  type ShopCommand,
} from './command.ts';
import { eq } from 'drizzle-orm';
import { storedRows } from '#server/brand/folder/stored-rows.ts';
import { brandPictures } from '#server/db/schema/brands.ts';
import { changeBrand, changeOptions } from './brand-folders.ts';
import { brandOf } from './open-shop.ts';
import { createOperatorFile } from './operator-files.ts';

/** The six questions; each is also an option. */
const questions = {
  name: { value: 'words', summary: 'what customers call it, such as Acme TV' },
  host: { value: 'host', summary: 'where customers find it, such as acme.example; acme.localhost to try' },
  colour: { value: '#rrggbb', summary: 'its colour' },
  languages: { value: 'codes', summary: `${languages.join(', ')}, separated by commas, the default first` },
  currency: { value: 'code', summary: 'what it sells in, such as USD' },
  price: { value: 'amount', summary: 'of a month, such as 4.99' },
} as const satisfies Command['options'];
type Question = keyof typeof questions;

/**
 * Writes a folder that can be applied unchanged, with comments at every setting that an operator will want to change.
 */
export const newBrandCommand: LocalCommand = {
  name: 'brand new',
  summary: 'writes the folder of a new brand; the name of the folder is its code',
  words: ['folder'],
  options: questions,
  run: async (given, desk) => {
    const folder = requireOption(given, 'folder');
    const code = basename(resolve(folder)).toLowerCase();
    if (existsSync(join(folder, 'brand.yaml'))) throw new OperatorError(`${folder} has a brand already.`);
    if (!/^[a-z][a-z\d-]{1,30}$/.test(code)) {
      throw new OperatorError(
        `${code} is not a valid code: name the folder with 2 to 31 lower-case letters, digits and dashes.`,
      );
    }
    const brand = await answersOf(given, code, desk);
    writeFiles(folder, await filesOf(brand, await loadSandbox()));
    desk.explain(
      [
        `${brand.name} is in ${folder}. Look at brand.yaml, logo.svg and documents/, then:`,
        ...['brand check', 'brand preview', 'brand apply'].map((name) => `  npm run operator -- ${name} ${folder}`),
      ].join('\n'),
    );
  },
};

async function filesOf(brand: NewBrand, { demoBrand, demoBrandsFolder }: Sandbox): Promise<Map<string, string>> {
  const documents = dynamicConfigTypeSchema.options.flatMap((type) =>
    brand.languages.map((language) => {
      const draft = (code: Language) => join(demoBrandsFolder, `documents/${type}.${code}.md`);
      const own = existsSync(draft(language)) ? language : 'en';
      return [`documents/${type}.${language}.md`, readFileSync(draft(own), 'utf8')] as const;
    }),
  );
  return new Map([
    ['brand.yaml', newBrandYaml(brand, await demoBrand('lumen'))],
    ['logo.svg', newLogo],
    [`words/${brand.languages[0] ?? 'en'}.po`, newWords(brand)],
    ...documents,
  ]);
}

async function answersOf(given: OptionValues, code: string, desk: LocalContext): Promise<NewBrand> {
  const usual: Record<Question, string> = {
    name: code.charAt(0).toUpperCase() + code.slice(1),
    host: `${code}.localhost`,
    colour: '#1F6FEB',
    languages: 'en',
    currency: 'USD',
    price: '4.99',
  };
  const answers: Record<Question, string> = { ...usual };
  // as: the names of the questions
  for (const name of Object.keys(questions) as Question[]) {
    const said = given[name] ?? (await desk.ask?.(`${name} (${questions[name].summary}) [${usual[name]}]: `));
    answers[name] = said?.trim() || usual[name];
  }
  const { name, host, colour } = answers;
  const own = languagesOf(answers.languages);
  const currency = parsed(
    knownCurrencySchema,
    answers.currency.toUpperCase(),
    'the currency is a code of ISO 4217 such as USD',
  );
  const price = Number(answers.price.replace(',', '.'));
  if (!(price > 0) || minorUnitsOf(price, currency) === undefined) {
    throw new OperatorError(`The price ${answers.price} is not an amount of ${currency}.`);
  }
  if (!/^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(host))
    throw new OperatorError(`${host} is not a host name such as acme.example.`);
  if (!/^#[\da-f]{6}$/i.test(colour)) throw new OperatorError(`${colour} is not a colour such as #1F6FEB.`);
  return { code, name, host, colour, languages: own, currency, price };
}

function languagesOf(text: string): Language[] {
  const schema = v.pipe(v.array(languageSchema), v.minLength(1));
  const codes = text.split(/[\s,]+/).filter((code) => code !== '');
  return parsed(schema, codes, `the languages are of ${languages.join(', ')}`);
}

function parsed<S extends v.GenericSchema>(schema: S, value: unknown, wrong: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new OperatorError(`${String(value)} is invalid: ${wrong}.`);
}

/** One line each: code, name, hosts, numbers of plans and methods, and remarks. */
export const listBrandsCommand: ShopCommand = {
  name: 'brand list',
  summary: 'lists the brands of the shop',
  options: {},
  inShop: async (_, { settings, deps: { catalog }, row, explain }) => {
    for (const { code, name, hosts, plans, methods } of catalog.all()) {
      const isDefault = code === settings.DEFAULT_BRAND;
      row({ code, name, hosts: hosts.join(' '), plans: plans.length, methods: methods.length, default: isDefault });
    }
    const unserved = catalog.unserved();
    if (unserved.length > 0) explain(`Not served without the sandbox: ${unserved.join(', ')}.`);
  },
};

export const exportBrandCommand: ShopCommand = {
  name: 'brand export',
  summary: 'writes the folder of a brand from the database',
  words: ['code', 'folder'],
  options: {},
  inShop: async (given, { deps, done }) => {
    const [code, folder] = [requireOption(given, 'code'), requireOption(given, 'folder')];
    const rows = await deps.db.transaction((tx) => storedRows(tx, brandOf(deps, code).code));
    if (!rows) throw new OperatorError(`There is no brand ${code}.`);
    const stored = await deps.db
      .select({ path: brandPictures.path, bytes: brandPictures.bytes })
      .from(brandPictures)
      .where(eq(brandPictures.brand, code));
    const files = filesOfRows(rows, new Map(stored.map(({ path, bytes }) => [path, bytes])));
    for (const [name, content] of files) await createOperatorFile(join(folder, name), [Buffer.from(content)]);
    const without = files.has('logo.svg')
      ? ''
      : ' The database has no logo.svg of it; demo brands have theirs elsewhere.';
    done(`${rows.brand.name} is in ${folder}: ${[...files.keys()].join(', ')}.${without}`, { code, folder });
  },
};

/**
 * Ends the sales of a brand and nothing else: customers keep their accounts, paid access and receipts, pending orders
 * can be paid, and plans no longer renew. Applying its folder reopens it.
 */
export const retireBrandCommand: ShopCommand = {
  name: 'brand retire',
  summary: 'retires a brand: none of its plans can be bought or renewed',
  words: ['code'],
  options: changeOptions,
  inShop: async (given, shop) => {
    const code = requireOption(given, 'code');
    await changeBrand(given, shop, {
      command: 'brand retire',
      code,
      wantedOf: (now) => {
        if (!now) throw new OperatorError(`There is no brand ${code}.`);
        return { ...now, plans: [], banners: [] };
      },
    });
  },
};

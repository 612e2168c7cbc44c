import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { languageSchema, type Language } from '#contract/fields.ts';
import { knownCurrencySchema } from '#contract/currencies.ts';
import { dynamicConfigTypeSchema } from '#contract/site.ts';
import { writeFiles } from '#server/brand/folder/write-folder.ts';
import { minorUnitsOf } from '#server/brand/folder/rows.ts';
import { loadSandbox } from '#server/runtime/wiring/load-sandbox.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { newBrandYaml, newLogo, newWords, type NewBrand } from './brand-template.ts';
import {
  requireOption,
  OperatorError,
  type Command,
  type OptionValues,
  type LocalCommand,
  type LocalContext,
} from './command.ts';

/** The six questions; each is also an option. */
const questions = {
  name: { value: 'words', summary: 'what customers call it, such as Acme TV' },
  host: { value: 'host', summary: 'where customers find it, such as acme.example; acme.localhost to try' },
  colour: { value: '#rrggbb', summary: 'its colour' },
  languages: { value: 'codes', summary: 'en, pt, es, ru, separated by commas, the default first' },
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
      const name = `documents/${type}.${language}.md`;
      return [name, readFileSync(join(demoBrandsFolder, name), 'utf8')] as const;
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
  const languages = languagesOf(answers.languages);
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
  return { code, name, host, colour, languages, currency, price };
}

function languagesOf(text: string): Language[] {
  const schema = v.pipe(v.array(languageSchema), v.minLength(1));
  const codes = text.split(/[\s,]+/).filter((code) => code !== '');
  return parsed(schema, codes, 'the languages are of en, pt, es, ru');
}

function parsed<S extends v.GenericSchema>(schema: S, value: unknown, wrong: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new OperatorError(`${String(value)} is invalid: ${wrong}.`);
}

import { readFileSync } from 'node:fs';
import { setupI18n, type I18n } from '@lingui/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { parsePo } from 'pofile-ts';
import type { CompiledBrandMessages } from '#contract/brand-messages.ts';
import { languages, languageTable, type Language } from '#contract/fields.ts';
import { timeZoneOf } from './time-zone.ts';

/**
 * The server runs from its sources, so no bundler expands lingui's macros or compiles its catalogues. A message is
 * therefore a descriptor with an explicit id, `i18n._({ id, message, values })`, which lingui's extractor finds by the
 * name `i18n`. The catalogues in `locales/server` are read and compiled at the start, so that a running server never
 * mixes two versions of them.
 */
function readCatalogue(language: Language): I18n {
  const file = new URL(`../../../locales/server/${language}.po`, import.meta.url);
  const { items } = parsePo(readFileSync(file, 'utf8'));
  // untranslated messages use the source text
  const translated = items.filter(({ msgstr }) => msgstr[0]);
  const messages = Object.fromEntries(
    translated.map(({ msgid, msgstr }) => [msgid, compileMessageOrThrow(msgstr[0] ?? '')]),
  );
  const { locale } = languageTable[language];
  const i18n = setupI18n({ locale: language, locales: locale, messages: { [language]: messages } });
  return i18n.setMessagesCompiler(compileMessageOrThrow);
}

function readLanguage(language: Language) {
  return { i18n: readCatalogue(language) };
}

const known = new Map(languages.map((language) => [language, readLanguage(language)]));

function of(language: Language): ReturnType<typeof readLanguage> {
  const found = known.get(language);
  if (!found) throw new RangeError(`There are no messages in ${language}`);
  return found;
}

type Words = Readonly<Record<string, string>>;
/** The part of a brand that has its own texts. */
export interface BrandWithCopy {
  readonly wordings?: Readonly<Partial<Record<Language, Words>>> | undefined;
}

const branded = new WeakMap<Words, I18n>();

/** The server's messages in a language, with the brand's own texts where it has any. */
export function i18nIn(language: Language, { wordings }: BrandWithCopy): I18n {
  const own = wordings?.[language];
  const { i18n } = of(language);
  if (!own) return i18n;
  const known = branded.get(own);
  if (known) return known;
  const said = Object.entries(own).flatMap(([id, text]) => {
    const parts = isServerText(id) ? compiledOrNothing(text) : undefined;
    return parts === undefined ? [] : [[id, parts] as const];
  });
  const messages = { ...i18n.messages, ...Object.fromEntries(said) };
  const { locale } = languageTable[language];
  const made = setupI18n({ locale: language, locales: locale, messages: { [language]: messages } });
  made.setMessagesCompiler(compileMessageOrThrow);
  branded.set(own, made);
  return made;
}

const isServerText = (id: string): boolean => Object.hasOwn(of('en').i18n.messages, id);

/** Falls back to the catalogue where a text is invalid; `brand check` has reported it. */
function compiledOrNothing(text: string): ReturnType<typeof compileMessageOrThrow> | undefined {
  try {
    return compileMessageOrThrow(text);
  } catch {
    return undefined;
  }
}

const sent = new WeakMap<Words, CompiledBrandMessages>();

/**
 * The brand's texts for the storefront: without those that only the server uses, except texts of a page before
 * hydration. A browser has no compiler, so they are sent compiled.
 */
export function compileForBrowser(own: Words): CompiledBrandMessages {
  const known = sent.get(own);
  if (known) return known;
  const words = Object.entries(own).flatMap(([id, text]): [string, CompiledBrandMessages[string]][] => {
    if (isServerText(id) && !id.startsWith('page.')) return [];
    const parts = compiledOrNothing(text);
    if (parts === undefined) return [];
    const [only] = parts;
    return [[id, parts.length === 1 && typeof only === 'string' ? only : [...parts]]];
  });
  const made = Object.fromEntries(words);
  sent.set(own, made);
  return made;
}

/** The part of a brand that determines its time zone. */
export interface WithTimeZone {
  readonly config: Parameters<typeof timeZoneOf>[0];
}

const formats = {
  day: { dateStyle: 'long' },
  time: { dateStyle: 'long', timeStyle: 'short' },
  zone: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating one costs more than the rest of a mail. */
function formatterOf(kind: keyof typeof formats, language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${kind} ${language} ${timeZone}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(languageTable[language].locale, { ...formats[kind], timeZone });
  formatters.set(key, made);
  return made;
}

/** A day in the brand's time zone, from epoch milliseconds or from `YYYY-MM-DD`, which is not shifted. */
export function formatDay({ config }: WithTimeZone, language: Language, day: number | string): string {
  if (typeof day === 'string') return formatterOf('day', language, 'UTC').format(Date.parse(day));
  return formatterOf('day', language, timeZoneOf(config)).format(day);
}

/** Date and time in the brand's time zone, with its name, from epoch milliseconds. */
export function formatDateTime({ config }: WithTimeZone, language: Language, instant: number): string {
  const timeZone = timeZoneOf(config);
  const parts = formatterOf('zone', language, timeZone).formatToParts(instant);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${formatterOf('time', language, timeZone).format(instant)} (${zone})`;
}

import * as v from 'valibot';

/** Field schemas shared by several calls. Lengths bound untrusted input. */

/**
 * Every text of the contract, in both directions: Unicode that can be stored and encoded, so neither NUL (which
 * PostgreSQL cannot store) nor a lone surrogate (which UTF-8 cannot encode).
 */
export const textSchema = v.pipe(v.string(), v.regex(/^[^\0\p{Cs}]*$/u));

export const text = (max: number) => v.pipe(textSchema, v.maxLength(max));
export const nonEmptyText = (max: number) => v.pipe(textSchema, v.trim(), v.minLength(1), v.maxLength(max));

/** 13-digit epoch milliseconds, UTC. */
export const instantSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1_000_000_000_000),
  v.maxValue(9_999_999_999_999),
);

/**
 * Every language of the storefront: its own name, so that who reads only that one finds it, the locale by which dates and
 * names of countries are written. A new one is a line here and in `numbers.ts`, and its catalogues in `locales`.
 */
export const languageTable = {
  en: { name: 'English', locale: 'en' },
  pt: { name: 'Português', locale: 'pt-BR' },
  es: { name: 'Español', locale: 'es' },
  ru: { name: 'Русский', locale: 'ru' },
} as const satisfies Record<string, { name: string; locale: string }>;
export type Language = keyof typeof languageTable;
// as: TypeScript types object keys as strings
export const languages = Object.keys(languageTable) as readonly Language[];
export const languageSchema = v.picklist(languages);

/** A plan ID starts with a digit, as the operators' systems generate it. */
export const planIdSchema = v.pipe(textSchema, v.regex(/^\d[\w-]{0,31}$/));

/** An order ID; the server generates 24 unguessable characters. */
export const orderIdSchema = v.pipe(textSchema, v.regex(/^[A-Z0-9]{8,32}$/));

/** Reads the public state of a payment (`queryToken`); grants nothing else. */
export const resultTokenSchema = v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/));

export const methodCodeSchema = v.pipe(textSchema, v.regex(/^[a-z][a-z0-9-]{1,31}$/));

/** The key of one purchase intent: sending it again never starts a second purchase. */
export const idempotencyKeySchema = v.pipe(textSchema, v.uuid());

/** A path of this site: one leading slash, never `//` or a scheme, so that it cannot lead to another origin. */
export const ownPathSchema = v.pipe(textSchema, v.maxLength(512), v.regex(/^\/(?![/\\])[^\\\s]*$/));

export const emptySchema = v.strictObject({});

/** An ISO 4217 code. */
export const currencySchema = v.pipe(textSchema, v.regex(/^[A-Z]{3}$/));

import * as v from 'valibot';

/** Small field schemas that several calls share. Lengths bound what a stranger can send. */

/**
 * Every text of the contract, whichever side sends it: Unicode that can be stored and encoded, so neither NUL (no text
 * of PostgreSQL has it) nor half a surrogate pair (no UTF-8 has it).
 */
export const textSchema = v.pipe(v.string(), v.regex(/^[^\0\p{Cs}]*$/u));

export const text = (max: number) => v.pipe(textSchema, v.maxLength(max));
export const filledText = (max: number) => v.pipe(textSchema, v.trim(), v.minLength(1), v.maxLength(max));

/** 13-digit epoch milliseconds, UTC. */
export const instantSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1_000_000_000_000),
  v.maxValue(9_999_999_999_999),
);

export const languageSchema = v.picklist(['en', 'pt', 'es', 'ru']);
export type Language = v.InferOutput<typeof languageSchema>;
export const languages = languageSchema.options;

/** A plan's id starts with a digit (spec 2). */
export const planIdSchema = v.pipe(textSchema, v.regex(/^\d[\w-]{0,31}$/));

/** An order's id: brand letters and 20 unguessable characters. */
export const orderIdSchema = v.pipe(textSchema, v.regex(/^[A-Z0-9]{8,32}$/));

/** Opens the public face of a payment (contract, `queryToken`); grants nothing else. */
export const resultTokenSchema = v.pipe(textSchema, v.regex(/^[\w-]{16,64}$/));

export const methodCodeSchema = v.pipe(textSchema, v.regex(/^[a-z][a-z0-9-]{1,31}$/));

export const couponCodeSchema = v.pipe(textSchema, v.trim(), v.toUpperCase(), v.regex(/^[A-Z0-9-]{2,32}$/));

/** The key of one purchase intent (decisions, "Paying"). */
export const idempotencyKeySchema = v.pipe(textSchema, v.uuid());

/** A path of our own site: one leading slash, never `//` or a scheme, so it cannot lead elsewhere. */
export const ownPathSchema = v.pipe(textSchema, v.maxLength(512), v.regex(/^\/(?![/\\])[^\\\s]*$/));

export const emptySchema = v.strictObject({});

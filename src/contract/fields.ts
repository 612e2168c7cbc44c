import * as v from 'valibot';

/** Small field schemas that several calls share. Lengths bound what a stranger can send. */

export const text = (max: number) => v.pipe(v.string(), v.maxLength(max));
export const filledText = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

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
export const planIdSchema = v.pipe(v.string(), v.regex(/^\d[\w-]{0,31}$/));

/** An order's id: brand letters and 20 unguessable characters. */
export const orderIdSchema = v.pipe(v.string(), v.regex(/^[A-Z0-9]{8,32}$/));

/** Opens the public face of a payment (contract, `queryToken`); grants nothing else. */
export const resultTokenSchema = v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/));

export const methodCodeSchema = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{1,31}$/));

export const couponCodeSchema = v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z0-9-]{2,32}$/));

/** The key of one purchase intent (decisions, "Paying"). */
export const idempotencyKeySchema = v.pipe(v.string(), v.uuid());

/** A path of our own site: one leading slash, never `//` or a scheme, so it cannot lead elsewhere. */
export const ownPathSchema = v.pipe(v.string(), v.maxLength(512), v.regex(/^\/(?![/\\])[^\\\s]*$/));

export const emptySchema = v.strictObject({});

import * as v from 'valibot';
import { textSchema } from './fields.ts';

const numeric = v.pipe(
  v.union([v.number(), v.pipe(textSchema, v.regex(/^-?\d{1,6}$/), v.transform(Number))]),
  v.integer(),
);

/** Values that help a person with a refusal; never prose. */
export const refusalParamsSchema = v.partial(
  v.object({
    field: textSchema,
    waitSeconds: v.number(),
    triesLeft: v.number(),
    orderId: textSchema,
    newTotal: v.object({ amount: v.number(), currency: textSchema }),
    availableFrom: v.number(),
    /** of 6000: the plan that cannot be bought */
    planId: textSchema,
    /** of `couponUnavailable`, `couponNotUsable` and 9991: what the coupon is for (`couponTermsSchema`) */
    onlyFor: v.unknown(),
    /** of 2002: why the bank refused the card, by a code of the catalogue */
    declineCode: v.number(),
    /** of -3035: only this way to a ticket will do ([Note: Captcha] in captcha.ts) */
    way: v.literal('work'),
  }),
);
export type RefusalParams = v.InferOutput<typeof refusalParamsSchema>;

/**
 * What every answer under /api is wrapped in. Success is `code === 0` and no `errCode`.
 * `errCode` may arrive as a number or as its digits; both mean the same.
 */
export const envelopeSchema = v.looseObject({
  code: numeric,
  errCode: v.nullish(numeric),
  params: v.optional(v.fallback(v.optional(refusalParamsSchema), undefined)),
  traceId: v.optional(v.fallback(textSchema, '')),
});
export type Envelope = v.InferOutput<typeof envelopeSchema>;

/** Tells a success from a refusal; a refusal carries its code. */
export function refusalCode(envelope: Pick<Envelope, 'code' | 'errCode'>): number | undefined {
  if (envelope.errCode) return envelope.errCode;
  return envelope.code === 0 ? undefined : envelope.code;
}

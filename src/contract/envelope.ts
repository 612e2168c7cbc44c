import * as v from 'valibot';
import { textSchema } from './fields.ts';

const numeric = v.pipe(
  v.union([v.number(), v.pipe(textSchema, v.regex(/^-?\d{1,6}$/), v.transform(Number))]),
  v.integer(),
);

/** Values that explain an error; never prose. */
export const refusalParamsSchema = v.partial(
  v.object({
    field: textSchema,
    waitSeconds: v.number(),
    triesLeft: v.number(),
    orderId: textSchema,
    newTotal: v.object({ amount: v.number(), currency: textSchema }),
    availableFrom: v.number(),
    /** for `cannotBuyPlan`: the plan */
    planId: textSchema,
    /**
     * for `couponUnavailable`, `couponNotUsable` and `couponNotVerified`: what the coupon is restricted to
     * (`couponTermsSchema`)
     */
    onlyFor: v.unknown(),
    /** for `billingCardNotUpdated`: why the bank refused the card, as a code of the catalogue */
    declineCode: v.number(),
    /** for `wrongCaptcha`: only proof of work is accepted (captcha.ts) */
    way: v.literal('work'),
  }),
);
export type RefusalParams = v.InferOutput<typeof refusalParamsSchema>;

/**
 * The envelope of every answer under /api. Success is `code === 0` and no `errCode`. `errCode` may arrive as a number
 * or as a string of digits; both mean the same.
 */
export const envelopeSchema = v.looseObject({
  code: numeric,
  errCode: v.nullish(numeric),
  params: v.optional(v.fallback(v.optional(refusalParamsSchema), undefined)),
  traceId: v.optional(v.fallback(textSchema, '')),
});
export type Envelope = v.InferOutput<typeof envelopeSchema>;

/** The code of an error; undefined for a success. */
export function refusalCode(envelope: Pick<Envelope, 'code' | 'errCode'>): number | undefined {
  if (envelope.errCode) return envelope.errCode;
  return envelope.code === 0 ? undefined : envelope.code;
}

import * as v from 'valibot';
import { moneySchema } from './money.ts';

/**
 * What the customer does after pay (decisions, "The wire"). `expiresAt` is epoch milliseconds of the server's clock.
 * Later payment families add their variants here; one component per `type` shows each.
 */
export const nextStepSchema = v.variant('type', [
  v.object({ type: v.literal('none') }),
  v.object({ type: v.literal('redirect'), url: v.pipe(v.string(), v.url()), expiresAt: v.optional(v.number()) }),
  v.object({
    type: v.literal('qr'),
    /** the Pix "copia e cola": a BR Code in text */
    payload: v.string(),
    amount: moneySchema,
    expiresAt: v.number(),
    /** a page of the bank, where there is one to open on this phone */
    bankUrl: v.optional(v.pipe(v.string(), v.url())),
  }),
]);
export type NextStep = v.InferOutput<typeof nextStepSchema>;

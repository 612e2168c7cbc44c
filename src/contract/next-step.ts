import * as v from 'valibot';
import { text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';

const webUrl = v.pipe(textSchema, v.url());
const instant = v.number();

/** Providers whose payment has to be finished after the customer is back from their page (contract, `payment-steps`). */
export const finisherSchema = v.picklist(['useepay', 'payssion', 'paypal', 'stripe']);
export type Finisher = v.InferOutput<typeof finisherSchema>;

const redirectStep = v.object({
  type: v.literal('redirect'),
  url: webUrl,
  expiresAt: v.optional(instant),
  /** who has to be told that the customer is back; absent where the provider's notice is enough */
  finish: v.optional(finisherSchema),
});

const qrStep = v.object({
  type: v.literal('qr'),
  /** the Pix "copia e cola": a BR Code in text */
  payload: textSchema,
  amount: moneySchema,
  expiresAt: instant,
  /** a page of the bank, where there is one to open on this phone */
  bankUrl: v.optional(webUrl),
});

/** A Boleto. `barcode` has 44 digits, `line` the 47 that people type, grouped as on the slip. */
const ticketStep = v.object({
  type: v.literal('ticket'),
  barcode: v.pipe(textSchema, v.regex(/^\d{44}$/)),
  line: text(60),
  amount: moneySchema,
  /** the last day, by the bank's calendar (America/Sao_Paulo), `YYYY-MM-DD`; it ends at `expiresAt` */
  dueDate: v.pipe(textSchema, v.regex(/^\d{4}-\d{2}-\d{2}$/)),
  expiresAt: instant,
  /** as in `qrStep` */
  bankUrl: v.optional(webUrl),
});

/** A question on the payer's own phone. */
const pushStep = v.object({
  type: v.literal('push'),
  /** the number that it was sent to, masked */
  phone: text(24),
  amount: moneySchema,
  expiresAt: instant,
});

const otpStep = v.object({
  type: v.literal('otp'),
  digits: v.number(),
  /** the number that got the code, masked; null where the customer asks the operator for it */
  sentTo: v.nullable(text(24)),
  /** what the customer dials to be given a code, `#144*391#` for instance */
  dial: v.optional(text(24)),
  triesLeft: v.number(),
  amount: moneySchema,
  expiresAt: instant,
});

/** A coin on a network, `usdt-tron` for instance. */
export const coinSchema = v.pipe(textSchema, v.regex(/^[a-z0-9]{2,8}-[a-z]{3,12}$/));
export const coinOptionSchema = v.object({ coin: coinSchema, asset: text(12), network: text(24) });
export type CoinOption = v.InferOutput<typeof coinOptionSchema>;

/** Amounts of a coin are decimal text, because they have more digits than a number holds exactly. */
const coinAmount = v.pipe(textSchema, v.regex(/^\d{1,12}(\.\d{1,18})?$/));

/** The customer first chooses the coin; then `chosen` says where it goes. */
const cryptoStep = v.object({
  type: v.literal('crypto'),
  options: v.array(coinOptionSchema),
  chosen: v.nullable(
    v.object({
      ...coinOptionSchema.entries,
      /** an invoice of Lightning is a long one */
      address: text(1200),
      amount: coinAmount,
      /** what a wallet reads from the QR: EIP-681, BIP-21, or the bare address on TRON */
      uri: text(1200),
      received: coinAmount,
      /** what has still to be sent; `0` when all is there and only confirmations are awaited */
      missing: coinAmount,
      confirmations: v.number(),
      confirmationsNeeded: v.number(),
    }),
  ),
  amount: moneySchema,
  expiresAt: instant,
  /** as in `qrStep`: a page of whoever receives the coins */
  bankUrl: v.optional(webUrl),
});

/** PayNow goes to an account that is shown; a Caishen transfer goes to whom its code names. */
export const transferFlavourSchema = v.picklist(['paynow', 'caishen']);

/** Why the shop's people have found a proof to be none, for the customer who sends another. */
export const proofRejectionSchema = v.object({
  reason: v.picklist(['notFound', 'unreadable', 'otherAmount', 'otherReference', 'noTransfer']),
  /** what they add in words of their own: plain text, shown as it is */
  words: v.exactOptional(text(200)),
});
export type ProofRejection = v.InferOutput<typeof proofRejectionSchema>;

/** A transfer that the shop's people check. The customer sends a picture of it. */
const uploadStep = v.object({
  type: v.literal('upload'),
  flavour: transferFlavourSchema,
  /** text of the QR; null where there is none to scan */
  payload: v.nullable(text(512)),
  receiver: v.object({
    name: text(80),
    account: text(80),
    /** within how many hours its people usually look at a proof */
    checkedWithinHours: v.optional(v.number()),
  }),
  /** what the customer writes into the transfer, so that it is found */
  reference: text(40),
  amount: moneySchema,
  proof: v.picklist(['none', 'received', 'rejected']),
  /** of a proof that was rejected */
  rejection: v.optional(proofRejectionSchema),
  expiresAt: instant,
});

/**
 * What the customer does after pay. `expiresAt` is epoch milliseconds of the server's clock.
 * One component per `type` shows it, whatever the method.
 */
export const nextStepSchema = v.variant('type', [
  v.object({ type: v.literal('none') }),
  redirectStep,
  qrStep,
  ticketStep,
  pushStep,
  otpStep,
  cryptoStep,
  uploadStep,
]);
export type NextStep = v.InferOutput<typeof nextStepSchema>;
export type StepType = Exclude<NextStep['type'], 'none'>;
export type NextStepOf<Type extends NextStep['type']> = Extract<NextStep, { type: Type }>;

/** What usually comes after paying by a method; `none` for a card, whose bank may still ask its holder first. */
export const flowSchema = v.picklist(['none', 'redirect', 'qr', 'ticket', 'push', 'otp', 'crypto', 'upload'] satisfies [
  NextStep['type'],
  ...NextStep['type'][],
]);

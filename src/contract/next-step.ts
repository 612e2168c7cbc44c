import * as v from 'valibot';
import { text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';

const webUrl = v.pipe(textSchema, v.url());
const instant = v.number();

/**
 * Providers whose payment the server has to complete after the customer returns from their page (`payment-steps.ts`).
 */
export const confirmingProviderSchema = v.picklist(['useepay', 'payssion', 'paypal', 'stripe']);
export type ConfirmingProvider = v.InferOutput<typeof confirmingProviderSchema>;

const redirectStep = v.object({
  type: v.literal('redirect'),
  url: webUrl,
  expiresAt: v.optional(instant),
  /** the provider to notify of the customer's return; absent if the provider's notice is enough */
  finish: v.optional(confirmingProviderSchema),
});

const qrStep = v.object({
  type: v.literal('qr'),
  /** the Pix "copia e cola": a BR Code as text */
  payload: textSchema,
  amount: moneySchema,
  expiresAt: instant,
  /** a page of the bank to open on this phone, if there is one */
  bankUrl: v.optional(webUrl),
});

/** A Boleto. `barcode` has 44 digits, `line` the 47 that a customer types, grouped as on the slip. */
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

/** A prompt on the payer's phone. */
const pushStep = v.object({
  type: v.literal('push'),
  /** the masked number that receives the prompt */
  phone: text(24),
  amount: moneySchema,
  expiresAt: instant,
});

const otpStep = v.object({
  type: v.literal('otp'),
  digits: v.number(),
  /** the masked number that received the code; null if the customer requests it from the mobile operator */
  sentTo: v.nullable(text(24)),
  /** what the customer dials to receive a code, such as `#144*391#` */
  dial: v.optional(text(24)),
  triesLeft: v.number(),
  amount: moneySchema,
  expiresAt: instant,
});

/** A coin on a network, such as `usdt-tron`. */
export const coinSchema = v.pipe(textSchema, v.regex(/^[a-z0-9]{2,8}-[a-z]{3,12}$/));
const coinOptionSchema = v.object({ coin: coinSchema, asset: text(12), network: text(24) });
export type CoinOption = v.InferOutput<typeof coinOptionSchema>;

/** Amounts of a coin are decimal text, because they have more digits than a number can represent exactly. */
const coinAmount = v.pipe(textSchema, v.regex(/^\d{1,12}(\.\d{1,18})?$/));

/** The customer first chooses the coin; then `chosen` contains the address. */
const cryptoStep = v.object({
  type: v.literal('crypto'),
  options: v.array(coinOptionSchema),
  chosen: v.nullable(
    v.object({
      ...coinOptionSchema.entries,
      /** long enough for a Lightning invoice */
      address: text(1200),
      amount: coinAmount,
      /** the payload of the QR: EIP-681, BIP-21, or the bare address on TRON */
      uri: text(1200),
      received: coinAmount,
      /** the amount still to be sent; `0` when only confirmations are missing */
      missing: coinAmount,
      confirmations: v.number(),
      confirmationsNeeded: v.number(),
    }),
  ),
  amount: moneySchema,
  expiresAt: instant,
  /** as in `qrStep`: a page of the provider that receives the coins */
  bankUrl: v.optional(webUrl),
});

/** PayNow goes to an account that is shown; a Caishen transfer goes to the receiver in its code. */
export const transferFlavourSchema = v.picklist(['paynow', 'caishen']);

/** Why the brand's staff rejected a proof of payment; the customer can send another. */
export const proofRejectionSchema = v.object({
  reason: v.picklist(['notFound', 'unreadable', 'otherAmount', 'otherReference', 'noTransfer']),
  /** an optional explanation by the staff: plain text, shown unchanged */
  words: v.exactOptional(text(200)),
});
export type ProofRejection = v.InferOutput<typeof proofRejectionSchema>;

/** A transfer that the brand's staff verifies. The customer uploads a picture of it. */
const uploadStep = v.object({
  type: v.literal('upload'),
  flavour: transferFlavourSchema,
  /** text of the QR; null without a QR */
  payload: v.nullable(text(512)),
  receiver: v.object({
    name: text(80),
    account: text(80),
    /** the usual time in hours until staff verifies a proof */
    checkedWithinHours: v.optional(v.number()),
  }),
  /** the reference that the customer adds to the transfer, so that it can be matched */
  reference: text(40),
  amount: moneySchema,
  proof: v.picklist(['none', 'received', 'rejected']),
  /** for a rejected proof */
  rejection: v.optional(proofRejectionSchema),
  expiresAt: instant,
});

/**
 * What the customer does after `pay`. `expiresAt` is epoch milliseconds of the server's clock. One component per `type`
 * shows it, whatever the method.
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

/**
 * The step that usually follows `pay` for a method; `none` for a card, although its bank may still require a
 * confirmation.
 */
export const flowSchema = v.picklist(['none', 'redirect', 'qr', 'ticket', 'push', 'otp', 'crypto', 'upload'] satisfies [
  NextStep['type'],
  ...NextStep['type'][],
]);

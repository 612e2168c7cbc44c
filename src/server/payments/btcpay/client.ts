import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import { sendProviderRequest, type SendRequest } from '../send-provider-request.ts';

/** A store at a BTCPay Server, with its address. */
export interface BtcpayStore {
  /** without a trailing slash */
  readonly url: string;
  readonly storeId: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly currencies: readonly string[];
  readonly confirmations: number;
  readonly send: SendRequest;
}

interface BtcpayCall {
  readonly method: 'GET' | 'POST';
  /** after `/api/v1` */
  readonly path: string;
  readonly body?: object;
}

/** `refused` is a definite refusal by the server; `problems` are error codes, or the invalid fields. */
export type BtcpayAnswer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly problems: readonly string[] };

export interface BtcpayClient {
  /** Undefined if nothing may be concluded: no response, a broken connection, rate limiting, an unreadable response. */
  call<Schema extends v.GenericSchema>(
    call: BtcpayCall,
    schema: Schema,
  ): Promise<BtcpayAnswer<v.InferOutput<Schema>> | undefined>;
}

/** Statuses that leave the outcome open: timeouts and rate limiting. */
const inconclusive = new Set([408, 425, 429]);

/** Calls the Greenfield API with the API key of the store, which does not leave this file. */
export function btcpayClient({ url, apiKey, send }: BtcpayStore, { log }: { log: Logger }): BtcpayClient {
  return {
    call: async ({ method, path, body }, schema) => {
      const request = new Request(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `token ${apiKey}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = await sendProviderRequest(send, request, v.unknown());
      if (!answer || inconclusive.has(answer.status)) return undefined;
      if (answer.status < 300) {
        const parsed = v.safeParse(schema, answer.body);
        return parsed.success ? { kind: 'done', body: parsed.output } : undefined;
      }
      const problem = v.safeParse(problemSchema, answer.body);
      // an error without a name is not from BTCPay Server, but from a proxy in between
      if (answer.status < 400 || !problem.success) return undefined;
      const named = Array.isArray(problem.output)
        ? problem.output.map((one) => one.path ?? '')
        : [problem.output.code ?? ''];
      if (answer.status === 401 || answer.status === 403)
        log.error({ status: answer.status, problems: named }, 'the configured BTCPay Server key lacks a permission');
      return { kind: 'refused', status: answer.status, problems: named };
    },
  };
}

/**
 * The fields of BTCPay Server's responses and notices that the server reads (Greenfield API v1;
 * `swagger.template.invoices.json`, `.pull-payments.json` and `.webhooks.json` in
 * github.com/btcpayserver/btcpayserver). All else is dropped unread.
 */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));
/** decimal text; negative after an overpayment */
const decimal = v.pipe(v.string(), v.regex(/^-?\d{1,20}(\.\d{1,20})?$/));
/** seconds on the wire, milliseconds here */
const instant = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((seconds) => seconds * 1000),
);

const paymentSchema = v.object({ value: decimal, status: v.picklist(['Invalid', 'Processing', 'Settled']) });

const paymentMethodSchema = v.object({
  paymentMethodId: v.string(),
  destination: v.nullish(v.string(), ''),
  paymentLink: v.nullish(v.string(), ''),
  totalPaid: decimal,
  due: decimal,
  amount: decimal,
  payments: v.array(paymentSchema),
  activated: v.boolean(),
});
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

const metadata = v.optional(v.object({ orderId: v.nullish(v.string(), '') }), {});

/** An invoice in the response to its creation, without payment methods. */
export const bareInvoiceSchema = v.object({ id });

export const invoiceSchema = v.object({
  id,
  storeId: v.string(),
  amount: decimal,
  currency: v.string(),
  checkoutLink: v.string(),
  createdTime: instant,
  expirationTime: instant,
  monitoringExpiration: instant,
  status: v.picklist(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
  additionalStatus: v.picklist(['None', 'PaidLate', 'PaidPartial', 'Marked', 'Invalid', 'PaidOver']),
  metadata,
  paymentMethods: v.array(paymentMethodSchema),
});
export type Invoice = v.InferOutput<typeof invoiceSchema>;

/** The owner of an invoice, whatever its other fields contain: the store is shared with other products. */
export const ownerSchema = v.looseObject({
  id,
  storeId: v.string(),
  metadata: v.fallback(v.object({ orderId: v.string() }), { orderId: '' }),
});

/** Either a named error, or a list of invalid fields. */
const problemSchema = v.union([
  v.array(v.object({ path: v.nullish(v.string(), '') })),
  v.object({ code: v.nullish(v.string(), '') }),
]);

/** A refund: the holder of its link claims the money at an address of their own. */
export const pullPaymentSchema = v.object({
  id,
  name: v.nullish(v.string(), ''),
  currency: v.string(),
  amount: decimal,
  archived: v.boolean(),
});
export type PullPayment = v.InferOutput<typeof pullPaymentSchema>;

export const payoutsSchema = v.array(
  v.object({
    originalCurrency: v.string(),
    originalAmount: decimal,
    state: v.picklist(['AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled']),
  }),
);

export const apiKeySchema = v.object({ permissions: v.array(v.string()) });

/** A notice. Only the invoice's ID is used. */
export const eventSchema = v.object({
  deliveryId: id,
  originalDeliveryId: v.nullish(id),
  invoiceId: v.nullish(id),
});

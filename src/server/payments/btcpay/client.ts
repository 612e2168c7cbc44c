import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import { askProvider, type SendRequest } from '../ask-provider.ts';
import { problemSchema } from './schemas.ts';

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

export interface BtcpayCall {
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
      const answer = await askProvider(send, request, v.unknown());
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
        log.error({ status: answer.status, problems: named }, 'BTCPay Server does not let the configured key do this');
      return { kind: 'refused', status: answer.status, problems: named };
    },
  };
}

import * as v from 'valibot';
import type { Logger } from '#server/runtime/log.ts';
import { askProvider, type SendRequest } from '../ask-provider.ts';
import { problemSchema } from './schemas.ts';

/** A store at a BTCPay Server, and how it is reached. */
export interface BtcpayStore {
  /** without a slash at its end */
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
  /** behind `/api/v1` */
  readonly path: string;
  readonly body?: object;
}

/** `refused` is the server's own, definite no; `problems` are the names of errors, or the fields that they are about. */
export type BtcpayAnswer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly problems: readonly string[] };

export interface BtcpayClient {
  /** Undefined where nothing may be concluded: no answer, a cut one, one that asks to wait, one that cannot be read. */
  call<Schema extends v.GenericSchema>(
    call: BtcpayCall,
    schema: Schema,
  ): Promise<BtcpayAnswer<v.InferOutput<Schema>> | undefined>;
}

/** "Request timeout", "too early" and "too many requests" say nothing about what was asked. */
const sayNothing = new Set([408, 425, 429]);

/** Calls the Greenfield API with the key of the store, which does not leave this file. */
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
      if (!answer || sayNothing.has(answer.status)) return undefined;
      if (answer.status < 300) {
        const parsed = v.safeParse(schema, answer.body);
        return parsed.success ? { kind: 'done', body: parsed.output } : undefined;
      }
      const problem = v.safeParse(problemSchema, answer.body);
      // what does not name its problem was not said by BTCPay Server, but by something on the way
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

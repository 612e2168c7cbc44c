import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { sendProviderRequest, type SendRequest } from '../send-provider-request.ts';

/** A short code and its app at Daraja, with their address. */
export interface MpesaAccount {
  /** scheme and host: `https://api.safaricom.co.ke` */
  readonly base: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shortCode: string;
  readonly passkey: string;
  /** the number of a till */
  readonly till: string | undefined;
  /** the API user that may reverse payments; without one refunds are made by hand */
  readonly initiator: { readonly name: string; readonly securityCredential: string } | undefined;
  readonly send: SendRequest;
}

/** `refused` is a refusal in Daraja's own format, whatever its HTTP status. */
type DarajaAnswer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly errorCode: string; readonly errorMessage: string };

export interface DarajaClient {
  /** Undefined if nothing may be concluded: no response, a broken connection, one that is not from Daraja. */
  call<Schema extends v.GenericSchema>(
    path: string,
    body: object,
    schema: Schema,
  ): Promise<DarajaAnswer<v.InferOutput<Schema>> | undefined>;
  /** whether Daraja issues a token; undefined without a response */
  signIn(): Promise<boolean | undefined>;
}

/** How long before its expiry a token is renewed, in milliseconds, so that no call is under way when it expires. */
const renewBeforeMs = 60_000;
/** "Invalid Access Token", the current and the former code. A call with this result did nothing. */
const badToken = new Set(['404.001.03', '400.003.01']);

/** The code of a refusal, sent with status 500. It is also the answer about a push that its customer has not ended yet. */
export const pushRefused = '500.001.1001';

/** Whether a body is that refusal: Daraja works, although its status says otherwise. */
export function isPushRefusal(body: string): boolean {
  const refusal = v.safeParse(v.pipe(v.string(), v.parseJson(), refusalSchema), body);
  return refusal.success && refusal.output.errorCode === pushRefused;
}

/** The error code of a call that was not made, because Daraja issued no token. */
export const noToken = 'no token';

/** Calls Daraja with a token. A call that is refused for its token is repeated once with a new one. */
export function darajaClient(account: MpesaAccount, deps: Pick<Deps, 'clock' | 'log'>): DarajaClient {
  const tokens = cachedToken(account, deps);
  const send = (token: string, path: string, body: object) =>
    sendProviderRequest(account.send, requestTo(account, { path, body, token }), v.unknown(), { errors: 'read' });
  return {
    signIn: async () => {
      const taken = await tokens.replace(undefined);
      return taken === undefined ? undefined : taken !== false;
    },
    call: async (path, body, schema) => {
      const token = await tokens.take();
      if (!token) return { kind: 'refused', errorCode: noToken, errorMessage: '' };
      const answer = await send(token, path, body);
      const refusal = v.safeParse(refusalSchema, answer?.body);
      if (!refusal.success || !badToken.has(refusal.output.errorCode)) return read(answer, schema);
      const fresh = await tokens.replace(token);
      return read(fresh ? await send(fresh, path, body) : answer, schema);
    },
  };
}

/** False if Daraja refuses to issue one, undefined without a response. */
type Token = string | false | undefined;

/**
 * The OAuth token, cached until shortly before its expiry. A new token invalidates the previous one (Authorization,
 * FAQ 3), so another process of this installation may invalidate ours. Neither the token nor the secret leaves this
 * file.
 */
function cachedToken(account: MpesaAccount, { clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let cached: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<Token> | undefined;
  const renew = async (): Promise<Token> => {
    const asked = clock();
    const answer = await sendProviderRequest(account.send, tokenRequest(account), v.unknown());
    const parsed = v.safeParse(tokenSchema, answer?.body);
    if (answer?.status === 200 && parsed.success) {
      cached = { token: parsed.output.access_token, until: asked + parsed.output.expires_in * 1000 - renewBeforeMs };
      return cached.token;
    }
    if (answer === undefined || answer.status === 429) return undefined;
    log.error({ status: answer.status }, 'Daraja rejects the configured consumer key and secret');
    return false;
  };
  // concurrent calls share one request
  const take = async (): Promise<Token> => {
    if (cached && cached.until > clock()) return cached.token;
    pending ??= renew().finally(() => (pending = undefined));
    return pending;
  };
  return {
    take,
    /** a token other than this one, which Daraja no longer accepts; without an argument, other than the cached one */
    replace: (refused: string | undefined): Promise<Token> => {
      if (refused === undefined || cached?.token === refused) cached = undefined;
      return take();
    },
  };
}

function read<Schema extends v.GenericSchema>(
  answer: { status: number; body: unknown } | undefined,
  schema: Schema,
): DarajaAnswer<v.InferOutput<Schema>> | undefined {
  if (!answer || answer.status === 429) return undefined;
  const refusal = v.safeParse(refusalSchema, answer.body);
  if (refusal.success) return { kind: 'refused', ...refusal.output };
  const parsed = v.safeParse(schema, answer.body);
  return answer.status === 200 && parsed.success ? { kind: 'done', body: parsed.output } : undefined;
}

function requestTo(
  { base }: MpesaAccount,
  { path, body, token }: { path: string; body: object; token: string },
): Request {
  return new Request(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function tokenRequest({ base, consumerKey, consumerSecret }: MpesaAccount): Request {
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
  return new Request(`${base}/oauth/v1/generate?grant_type=client_credentials`, {
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
  });
}

/** Authenticates a request of the short code: its timestamp in Nairobi's time, and a password derived from it. */
export function proofOf({ shortCode, passkey }: MpesaAccount, now: number) {
  const Timestamp = nairobiTime(now);
  const Password = Buffer.from(shortCode + passkey + Timestamp).toString('base64');
  return { BusinessShortCode: Number(shortCode), Password, Timestamp };
}

/** East Africa Time has been three hours ahead of UTC, without daylight saving time, since 1960. */
const nairobiAheadMs = 3 * 60 * 60_000;

/** `YYYYMMDDHHmmss` */
export function nairobiTime(now: number): string {
  return new Date(now + nairobiAheadMs).toISOString().replace(/\D/g, '').slice(0, 14);
}

/**
 * The fields of Daraja's responses and callbacks that the server reads (developer.safaricom.co.ke: Authorization,
 * M-Pesa Express Simulate, M-Pesa Express Query, Reversals). Codes are numbers in callbacks and text in responses.
 * Phone numbers and names are dropped unread.
 */
const code = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((told) => String(told).trim()),
  v.regex(/^[\w-]{1,20}$/),
);
const id = v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/));
const receipt = v.pipe(v.string(), v.regex(/^[A-Z0-9]{6,20}$/));

const tokenSchema = v.object({
  access_token: v.pipe(v.string(), v.minLength(1)),
  expires_in: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.minValue(1), v.maxValue(86_400)),
});

export const pushSchema = v.object({ CheckoutRequestID: id, ResponseCode: code });
export const querySchema = v.object({ ResponseCode: code, CheckoutRequestID: id, ResultCode: code });
export const acceptedSchema = v.object({ ResponseCode: code });

/** A refusal, whatever its HTTP status. */
const refusalSchema = v.object({
  errorCode: v.pipe(v.string(), v.regex(/^[\d.]{3,20}$/)),
  errorMessage: v.optional(v.string(), ''),
});

const item = v.object({ Name: v.string(), Value: v.optional(v.unknown()) });

export const callbackSchema = v.object({
  Body: v.object({
    stkCallback: v.object({
      CheckoutRequestID: id,
      ResultCode: code,
      CallbackMetadata: v.optional(v.object({ Item: v.array(item) })),
    }),
  }),
});

export const reversalResultSchema = v.object({
  Result: v.object({ ResultCode: code, ConversationID: id }),
});

/** The items of a paid callback: the amount in shillings, and the receipt. */
export const paidSchema = v.object({
  Amount: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.finite(), v.minValue(0)),
  MpesaReceiptNumber: receipt,
});

import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { askProvider, type SendRequest } from '../ask-provider.ts';
import { refusalSchema, tokenSchema } from './schemas.ts';

/** A short code and its app at Daraja, and how they are reached. */
export interface MpesaAccount {
  /** scheme and host: `https://api.safaricom.co.ke` */
  readonly base: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shortCode: string;
  readonly passkey: string;
  /** of a till its number */
  readonly till: string | undefined;
  /** who may reverse payments; without one nothing can be given back by the API */
  readonly initiator: { readonly name: string; readonly securityCredential: string } | undefined;
  readonly send: SendRequest;
}

/** `refused` is Daraja's own no, in its own form, whatever its HTTP status was. */
export type DarajaAnswer<Body> =
  | { readonly kind: 'done'; readonly body: Body }
  | { readonly kind: 'refused'; readonly errorCode: string; readonly errorMessage: string };

export interface DarajaClient {
  /** Undefined where nothing may be concluded: no answer, a cut one, one that is not Daraja's. */
  call<Schema extends v.GenericSchema>(
    path: string,
    body: object,
    schema: Schema,
  ): Promise<DarajaAnswer<v.InferOutput<Schema>> | undefined>;
  /** whether Daraja gives a token; undefined for no answer */
  signIn(): Promise<boolean | undefined>;
}

/** A token is renewed so long before its end, in milliseconds, that no call is under way when it ends. */
const renewBeforeMs = 60_000;
/** "Invalid Access Token", of today and of before. Nothing was done by a call that is answered so. */
const badToken = new Set(['404.001.03', '400.003.01']);

/** Of a call that was not made, because Daraja gave no token for it. */
export const noToken = 'no token';

/** Calls Daraja with a token; a call that is refused for its token alone is made once more with a new one. */
export function darajaClient(account: MpesaAccount, deps: Pick<Deps, 'clock' | 'log'>): DarajaClient {
  const tokens = keptToken(account, deps);
  const send = (token: string, path: string, body: object) =>
    askProvider(account.send, requestTo(account, { path, body, token }), v.unknown(), { errors: 'read' });
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

/** False where Daraja gives none, undefined where it does not answer. */
type Token = string | false | undefined;

/**
 * The OAuth token, kept until shortly before its end. A new one ends the one before (Authorization, FAQ 3), so another
 * process of this shop may end ours. Neither the token nor the secret leaves this file.
 */
function keptToken(account: MpesaAccount, { clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let asking: Promise<Token> | undefined;
  const renew = async (): Promise<Token> => {
    const asked = clock();
    const answer = await askProvider(account.send, tokenRequest(account), v.unknown());
    const parsed = v.safeParse(tokenSchema, answer?.body);
    if (answer?.status === 200 && parsed.success) {
      kept = { token: parsed.output.access_token, until: asked + parsed.output.expires_in * 1000 - renewBeforeMs };
      return kept.token;
    }
    if (answer === undefined || answer.status === 429) return undefined;
    log.error({ status: answer.status }, 'Daraja does not know the consumer key and secret that are configured');
    return false;
  };
  // calls that come together ask once
  const take = async (): Promise<Token> => {
    if (kept && kept.until > clock()) return kept.token;
    asking ??= renew().finally(() => (asking = undefined));
    return asking;
  };
  return {
    take,
    /** another one than this, which Daraja no longer accepts; or than whatever is kept */
    replace: (refused: string | undefined): Promise<Token> => {
      if (refused === undefined || kept?.token === refused) kept = undefined;
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

/** What proves a request to be of the short code: its timestamp in Nairobi's time, and a password made of it. */
export function proofOf({ shortCode, passkey }: MpesaAccount, now: number) {
  const Timestamp = nairobiTime(now);
  const Password = Buffer.from(shortCode + passkey + Timestamp).toString('base64');
  return { BusinessShortCode: Number(shortCode), Password, Timestamp };
}

/** East Africa Time has been three hours ahead of UTC, without summer time, since 1960. */
const nairobiAheadMs = 3 * 60 * 60_000;

/** `YYYYMMDDHHmmss` */
export function nairobiTime(now: number): string {
  return new Date(now + nairobiAheadMs).toISOString().replace(/\D/g, '').slice(0, 14);
}

import * as v from 'valibot';
import { userInfoSchema, type UserInfo } from '#contract/user.ts';
import { updateServerClock } from '#web/platform/session/server-clock.ts';
import { bindsSessions } from '#web/platform/session/session.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';

/** The pair of codes (RFC 8628, 3.2). */
const codesSchema = v.object({
  device_code: v.string(),
  user_code: v.string(),
  verification_uri: v.string(),
  verification_uri_complete: v.string(),
  expires_in: v.number(),
  /** seconds between two polls; five by default */
  interval: v.optional(v.number(), 5),
});
export type GrantCodes = v.InferOutput<typeof codesSchema>;

const grantedSchema = v.object({ user: userInfoSchema });
const errorSchema = v.object({ error: v.string() });

/** The outcome of a poll: the signed-in customer, an OAuth error, or no answer. */
export type GrantAnswer =
  | { readonly kind: 'granted'; readonly user: UserInfo }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'lost' };

const clientId = 'tv';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** A poll that hangs delays the next one. */
const timeoutMs = 15_000;

/** Requests a pair of codes for this TV; undefined where the server does not issue one now. */
export async function requestGrantCodes(): Promise<GrantCodes | undefined> {
  const answer = await post('/oauth/device_authorization', { client_id: clientId });
  const codes = v.safeParse(codesSchema, answer);
  return codes.success ? codes.output : undefined;
}

/** Polls whether the customer has agreed on the phone. */
export async function requestGrantSession(deviceCode: string): Promise<GrantAnswer> {
  const form = { client_id: clientId, grant_type: grantType, device_code: deviceCode };
  const answer = await post('/oauth/token', form);
  const granted = v.safeParse(grantedSchema, answer);
  if (granted.success) return { kind: 'granted', user: granted.output.user };
  const refused = v.safeParse(errorSchema, answer);
  return refused.success ? { kind: 'error', error: refused.output.error } : { kind: 'lost' };
}

/**
 * OAuth responses have no envelope. Where sessions are bound, each request has a proof by the clock of the previous
 * answer, so that a TV whose clock is wrong gets its token at the second poll. An answer that is not JSON, such as a captive portal's page, is undefined. */
async function post(path: string, form: Readonly<Record<string, string>>): Promise<unknown> {
  const hung = new AbortController();
  const timer = setTimeout(() => hung.abort(), timeoutMs);
  const sentAt = Date.now();
  try {
    const proof = bindsSessions() ? await (await import('./dpop.ts')).proveLogin(path) : undefined;
    const headers = new Headers(proof === undefined ? {} : { DPoP: proof });
    const body = new URLSearchParams(form);
    const init = { method: 'POST', headers, body, signal: hung.signal, cache: 'no-store' } as const;
    const response = await fetch(path, init);
    updateServerClock(response.headers.get('Date'), sentAt, Date.now());
    return parseJson(await response.text());
  } catch (error) {
    console.info('The server was not reached.', error);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

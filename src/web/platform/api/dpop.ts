import { exportJWK } from 'jose/key/export';
import { SignJWT } from 'jose/jwt/sign';
import * as v from 'valibot';
import { envelopeSchema, refusalCode } from '#contract/envelope.ts';
import { errorCode } from '#contract/error-codes.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { createBrowserKey, readBrowserKey } from '#web/platform/session/storage/browser-key.ts';
import { uuid } from '#web/platform/session/uuid.ts';

/** A call that needs a proof, because its token is bound, or may have one, because its result is a session. */
interface ProvenCall {
  readonly method: string;
  /** relative to the page */
  readonly url: string;
  /** the bound token that it sends */
  readonly token: string | null;
}

/**
 * Sends a call with a DPoP proof (RFC 9449). If the server's clock differs from ours, it is sent once more by the clock
 * of the answer. Rejects if the browser's store of keys does not answer. A key that is gone is left to the server, which
 * then ends the session.
 */
export async function sendProven<T extends { readonly json: unknown }>(
  call: ProvenCall,
  send: (proof: string | undefined) => Promise<T>,
): Promise<T> {
  const key = await keyFor(call);
  if (!key) return send(undefined);
  const answer = await send(await prove(key, call));
  return isStale(answer.json) ? send(await prove(key, call)) : answer;
}

/** The proof of a request for a session; undefined where the browser cannot keep a key. */
export async function proveLogin(url: string): Promise<string | undefined> {
  const key = await createBrowserKey();
  return key && prove(key, { method: 'POST', url, token: null });
}

async function keyFor({ token }: ProvenCall): Promise<CryptoKeyPair | undefined> {
  if (token === null) return createBrowserKey();
  const key = await readBrowserKey();
  if (key === 'unavailable') throw new Error('the key of the session cannot be read');
  return key === 'missing' ? undefined : key;
}

async function prove({ privateKey, publicKey }: CryptoKeyPair, { method, url, token }: ProvenCall): Promise<string> {
  const { origin, pathname } = new URL(url, location.href);
  const claims = {
    jti: uuid(),
    htm: method,
    htu: origin + pathname,
    ...(token !== null && { ath: await hash(token) }),
  };
  return new SignJWT(claims)
    .setIssuedAt(Math.floor(serverNow() / 1000))
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(publicKey) })
    .sign(privateKey);
}

/** base64url of the SHA-256. */
async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

function isStale(json: unknown): boolean {
  const envelope = v.safeParse(envelopeSchema, json);
  return envelope.success && refusalCode(envelope.output) === errorCode('staleProof');
}

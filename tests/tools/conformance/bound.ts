import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import * as endpoints from '#contract/index.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { UserInfo } from '#contract/user.ts';
import type { Backend } from './backend.ts';
import { refusedWith } from './probes.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A browser with a key, which proves it for each call (RFC 9449). */
async function openBrowser({ now, origin }: Pick<Backend, 'now' | 'origin'>) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const claimsOf = ({ method, path }: Endpoint, token?: string): Claims => ({
    jti: crypto.randomUUID(),
    htm: method,
    htu: origin + path,
    iat: Math.floor(now() / 1000),
    ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
  });
  return {
    /** `change` replaces correct claims */
    prove: (endpoint: Endpoint, token?: string, change: Claims = {}): Promise<string> =>
      new SignJWT({ ...claimsOf(endpoint, token), ...change })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
        .sign(privateKey),
    /** a proof that anyone can make */
    unsigned: (endpoint: Endpoint, token: string): string => {
      const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk })).toString('base64url');
      const [, payload = ''] = new UnsecuredJWT(claimsOf(endpoint, token)).encode().split('.');
      return `${header}.${payload}.AAAA`;
    },
  };
}

/** Older than any clock or network explains, in seconds. */
const tooOldSeconds = 3600;

/** A session that is bound to a key: its token alone, or with a proof of anything else, is worth nothing. */
export async function checkBinding(
  backend: Backend,
  credentials: { readonly account: string; readonly password: string; readonly type: 'email' },
): Promise<void> {
  const { call, book, now } = backend;
  const { login, queryInfo, saveNickname } = endpoints;
  const [browser, thief] = [await openBrowser(backend), await openBrowser(backend)];
  const opened = await call(login, { body: credentials }, { proof: await browser.prove(login) });
  const kind = opened.ok ? opened.data.tokenType : opened.reason;
  book.note('login', 'proof', kind !== 'DPoP' && `with a proof it answers ${kind ?? 'no tokenType'}, expected DPoP`);
  if (!opened.data) return;
  const user: UserInfo = opened.data;
  const { token, uid, account, type } = user;
  const note = (reason: string, reply: Parameters<typeof refusedWith>[1], when: string) =>
    book.note('queryInfo', 'proof', refusedWith(reason, reply, when));
  const read = (proof?: string) => call(queryInfo, { body: { uid, account, type } }, { token, proof });
  const own = await read(await browser.prove(queryInfo, token));
  book.note('queryInfo', 'proof', !own.ok && `is refused as ${own.reason} with a correct proof`);
  note('invalidToken', await read(), 'without a proof');
  note('invalidToken', await read(await thief.prove(queryInfo, token)), 'with a proof of another key');
  note('invalidToken', await read(await browser.prove(queryInfo)), 'with a proof without the hash of the token');
  const other = await browser.prove(queryInfo, `${token}A`);
  note('invalidToken', await read(other), 'with a proof for another token');
  const elsewhere = await browser.prove(queryInfo, token, { htu: backend.origin + saveNickname.path });
  note('invalidRequest', await read(elsewhere), 'with a proof for another call');
  const host = await browser.prove(queryInfo, token, { htu: `https://other.example${queryInfo.path}` });
  note('invalidRequest', await read(host), 'with a proof for another host');
  note('invalidRequest', await read(await browser.prove(queryInfo, token, { htm: 'GET' })), 'with a proof for GET');
  note('invalidRequest', await read(browser.unsigned(queryInfo, token)), 'with a proof without a signature');
  const old = { iat: Math.floor(now() / 1000) - tooOldSeconds };
  note('staleProof', await read(await browser.prove(queryInfo, token, old)), 'with a proof that is an hour old');
  await sendTwice(backend, await browser.prove(saveNickname, token), token);
}

/** A write whose proof is replayed, as by someone who has read the first request. */
async function sendTwice({ call, book }: Backend, proof: string, token: string): Promise<void> {
  const body = { nickname: 'Ana 1' };
  const first = await call(endpoints.saveNickname, { body }, { token, proof });
  if (!first.ok) return;
  const second = await call(endpoints.saveNickname, { body }, { token, proof });
  book.note('saveNickname', 'proof', refusedWith('staleProof', second, 'with a proof that was sent before'));
}

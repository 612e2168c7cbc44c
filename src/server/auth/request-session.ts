import type { Context } from 'hono';
import type { Endpoint } from '#contract/endpoint.ts';
import { consumeProof, isForSession, readDpopProof, type DpopProof } from './dpop.ts';
import { findSession, tokenHash } from './session.ts';
import type { Deps } from '#server/deps.ts';
import { refuseCommon, refuseInput } from '#server/runtime/request/api-error.ts';
import type { AppEnv, SessionUser } from '#server/runtime/request/request-context.ts';
import type { DpopFault } from '#server/runtime/metrics.ts';

interface RequestSession {
  readonly user: SessionUser | null;
  readonly tokenHash: string | null;
  /** the key to which a session of this call's result is bound */
  readonly keyHash: string | null;
}

/**
 * The session of a request. The token of a bound session counts only with a proof of its key for this call, so a stolen
 * token alone is refused like one that has ended. `loginOut` works without a proof: whoever has a token may end it.
 */
export async function readSession(
  c: Context<AppEnv>,
  deps: Deps,
  endpoint: Endpoint,
  token: string | null,
): Promise<RequestSession> {
  const brand = c.get('brand');
  const hash = token === null ? null : tokenHash(token);
  const needsSession = hash !== null && endpoint.access !== 'public';
  const found = needsSession ? await findSession(deps.db, brand.code, hash, deps.clock()) : null;
  const binds = endpoint.opensSession === true && brand.config.login.dpop;
  const proof = binds || found?.keyHash ? await readProof(c, deps) : null;
  const isProven = !found?.keyHash || (await proves(c, deps, endpoint, { proof, token, keyHash: found.keyHash }));
  return { user: isProven ? found : null, tokenHash: hash, keyHash: (binds && proof?.keyHash) || null };
}

/** The proof of a request, or null without one. Refuses `staleProof`, or an invalid one by the name of its header. */
export async function readProof(c: Context<AppEnv>, deps: Deps): Promise<DpopProof | null> {
  const header = c.req.header('dpop');
  if (header === undefined) return null;
  const url = c.get('origin') + new URL(c.req.url).pathname;
  const proof = await readDpopProof(header, { method: c.req.method, url, now: deps.clock() });
  if (typeof proof !== 'string') return proof;
  report(c, deps, proof, url);
  return proof === 'stale' ? refuseCommon('staleProof') : refuseInput('DPoP');
}

/**
 * Whether the proof of a call that reads or writes is one for this session. A proof that was sent before is refused for
 * writes: a read could only be repeated.
 */
async function proves(
  c: Context<AppEnv>,
  deps: Deps,
  { access, reads }: Endpoint,
  { proof, token, keyHash }: { proof: DpopProof | null; token: string | null; keyHash: string },
): Promise<boolean> {
  if (!proof || token === null || !isForSession(proof, { keyHash, token })) {
    // other calls are answered as for a visitor
    if (access === 'customer') report(c, deps, proof ? 'foreign' : 'missing');
    return false;
  }
  if (reads || (await consumeProof(deps, c.get('brand').code, proof))) return true;
  report(c, deps, 'repeated');
  return refuseCommon('staleProof');
}

/** `expected`: the address that this server sees, which a proxy may have changed. */
function report(c: Context<AppEnv>, { log, metrics }: Deps, fault: DpopFault, expected?: string): void {
  const brand = c.get('brand').code;
  metrics.dpopRefused(fault, brand);
  log.info({ brand, fault, ...(fault === 'address' && { expected }) }, 'a DPoP proof was refused');
}

import { errors, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Deps } from '#server/deps.ts';
import type { GoogleIdentity } from './google-provider.ts';

const algorithm = 'HS256';
const lifetimeSeconds = 10 * 60;

const ticketSchema = v.object({ sub: v.string(), email: v.string(), jti: v.string(), exp: v.number() });

/** A verified identity between login and sign-up, while the customer reads the terms. */
export interface Ticket extends Pick<GoogleIdentity, 'sub' | 'email'> {
  readonly jti: string;
  /** epoch milliseconds */
  readonly validUntil: number;
}

type TicketDeps = Pick<Deps, 'env' | 'clock' | 'random'>;

const keyOf = (env: TicketDeps['env']) => derivedKey(env, 'google ticket');

/** Signs an identity, whose address the provider has verified, for ten minutes and this brand. */
export function makeTicket({ env, clock, random }: TicketDeps, brand: string, { sub, email }: GoogleIdentity) {
  const iat = Math.floor(clock() / 1000);
  return new SignJWT({ email })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(sub)
    .setAudience(brand)
    .setJti(random.token(16))
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetimeSeconds)
    .sign(keyOf(env));
}

/** Reads a ticket of this brand; `loginFailedRefresh` if it is invalid or expired. */
export async function readTicket(
  refuse: Refuse<'loginFailedRefresh'>,
  { env, clock }: TicketDeps,
  brand: string,
  ticket: string,
): Promise<Ticket> {
  try {
    const options = { algorithms: [algorithm], audience: brand, currentDate: new Date(clock()) };
    const { payload } = await jwtVerify(ticket, keyOf(env), options);
    const { exp, ...identity } = v.parse(ticketSchema, payload);
    return { ...identity, validUntil: exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('loginFailedRefresh');
    throw error;
  }
}

import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { AppEnv } from './request-context.ts';
import { callerOf, peerOf } from './caller.ts';
import type { Env } from '#server/env.ts';
import { plainAddress } from './network.ts';

/** Names of ipaddr.js for ranges that are not routed on the internet: RFC 1918, RFC 3927, RFC 4193 and RFC 4291. */
const local: readonly string[] = ['loopback', 'private', 'linkLocal', 'uniqueLocal'];

function rangeOf(address: string): string {
  const plain = plainAddress(address);
  return plain === undefined ? '' : ipaddr.parse(plain).range();
}

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return rangeOf(address) === 'loopback';
}

/** Whether an address is a loopback address, or belongs to a private network. */
export function isPrivate(address: string): boolean {
  return local.includes(rangeOf(address));
}

/** Headers that proxies add to requests, in different conventions. */
const passedOn = [
  ...(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'] as const),
  ...(['x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip'] as const),
];

function isPassedOn(c: Context<AppEnv>): boolean {
  return passedOn.some((name) => c.req.header(name) !== undefined);
}

/** Whether both ends of the connection have the same address, which is only possible on this machine. */
function isOwnConnection(c: Context<AppEnv>): boolean {
  const { remoteAddress, localAddress } = c.env?.incoming?.socket ?? {};
  return remoteAddress !== undefined && remoteAddress === localAddress;
}

/** Whether the request comes from this machine and was not forwarded by a proxy. */
export function isFromThisMachine(c: Context<AppEnv>): boolean {
  return isLoopback(peerOf(c)) && !isPassedOn(c);
}

/**
 * Whether the caller is on this machine, at any of its addresses, or in a private network: by the address from a
 * trusted proxy, else by the connection. An untrusted proxy has a private address as well, and hides its client: its
 * requests do not count as private.
 */
export function isFromPrivateNetwork(c: Context<AppEnv>, env: Pick<Env, 'TRUST_PROXY'>): boolean {
  const { ip } = callerOf(c, env);
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const isHidden = isPassedOn(c) && ip === peerOf(c) && forwarded !== ip;
  if (isHidden) return false;
  return isPrivate(ip) || (ip === peerOf(c) && isOwnConnection(c));
}

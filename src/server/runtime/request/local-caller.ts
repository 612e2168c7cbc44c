import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { AppEnv } from './request-context.ts';
import { callerOf, peerOf } from './caller.ts';
import type { Env } from '#server/env.ts';
import { plainAddress } from './network.ts';

/** Names of ipaddr.js for what no router of the internet forwards: RFC 1918, RFC 3927, RFC 4193 and RFC 4291. */
const local: readonly string[] = ['loopback', 'private', 'linkLocal', 'uniqueLocal'];

function rangeOf(address: string): string {
  const plain = plainAddress(address);
  return plain === undefined ? '' : ipaddr.parse(plain).range();
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return rangeOf(address) === 'loopback';
}

/** Whether an address is this machine's own, or of a network that is nobody else's. */
export function isPrivate(address: string): boolean {
  return local.includes(rangeOf(address));
}

/** What proxies write on a request that they pass on, each in its own way. */
const passedOn = [
  ...(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'] as const),
  ...(['x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip'] as const),
];

function isPassedOn(c: Context<AppEnv>): boolean {
  return passedOn.some((name) => c.req.header(name) !== undefined);
}

/** Whether both ends of the connection have one address, which only this machine can bring about. */
function isOwnConnection(c: Context<AppEnv>): boolean {
  const { remoteAddress, localAddress } = c.env?.incoming?.socket ?? {};
  return remoteAddress !== undefined && remoteAddress === localAddress;
}

/** Whether somebody on this machine asks, and nobody for somebody else. */
export function isFromThisMachine(c: Context<AppEnv>): boolean {
  return isLoopback(peerOf(c)) && !isPassedOn(c);
}

/**
 * Whether the caller is on this machine, at whatever address, or in a private network: by the address that a trusted
 * proxy tells, else by the connection. A proxy that nobody said to trust has a private address as well, and hides whose request it brings: who
 * comes by one is no neighbour.
 */
export function isFromPrivateNetwork(c: Context<AppEnv>, env: Pick<Env, 'TRUST_PROXY'>): boolean {
  const { ip } = callerOf(c, env);
  const told = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const isHidden = isPassedOn(c) && ip === peerOf(c) && told !== ip;
  if (isHidden) return false;
  return isPrivate(ip) || (ip === peerOf(c) && isOwnConnection(c));
}

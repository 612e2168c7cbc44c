import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import proxyAddr from 'proxy-addr';
import type { AppEnv } from './request-context.ts';
import type { Env } from '#server/env.ts';
import { canonicalHost } from '../service-url.ts';
import { plainAddress, type Proxies } from './network.ts';
import ipaddr from 'ipaddr.js';

type Trust = Pick<Env, 'TRUST_PROXY'>;

/**
 * Address, browser and country of the caller. Forwarded values count only where the peer is a proxy of `TRUST_PROXY`.
 */
export function callerOf(c: Context<AppEnv>, env: Trust): { ip: string; userAgent: string; country: string } {
  const country = trusted(c, env) ? (c.req.header('cf-ipcountry') ?? c.req.header('x-country-code')) : undefined;
  return {
    ip: clientAddress(peerOf(c), c.req.header('x-forwarded-for'), env.TRUST_PROXY),
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 400),
    country: country && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '',
  };
}

interface RequestedHost {
  /** canonical, without its port */
  readonly name: string;
  /** scheme, name and port */
  readonly origin: string;
  /** whether the name has a final dot, which browsers treat as another origin */
  readonly isDotted: boolean;
}

/** Scheme and host of the request, or undefined for an invalid host. */
export function requestedHost(c: Context<AppEnv>, env: Trust): RequestedHost | undefined {
  const byProxy = trusted(c, env);
  const forwarded = byProxy ? lastOf(c.req.header('x-forwarded-host')) : undefined;
  const written = forwarded ?? (c.req.header('host') || new URL(c.req.url).host);
  const scheme = byProxy && lastOf(c.req.header('x-forwarded-proto')) === 'https' ? 'https' : 'http';
  const host = canonicalHost(written, scheme);
  return host && { name: host.name, origin: `${scheme}://${host.text}`, isDotted: /\.(:\d*)?$/.test(written) };
}

/** The other end of the connection; an in-process call has none and counts as this machine. */
function peerOf(c: Context<AppEnv>): string {
  const peer = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  return plainAddress(peer) ?? peer;
}

const trusted = (c: Context<AppEnv>, env: Trust) => env.TRUST_PROXY.trusts(peerOf(c));

/**
 * The nearest address that is not a trusted proxy. Each proxy appends the address of its peer, so the list is read from
 * its end, as far as the proxy that wrote an entry is trusted. Entries before that may be forged.
 */
export function clientAddress(peer: string, forwarded: string | undefined, proxies: Proxies): string {
  const entries = (forwarded ?? '').split(',').map((entry) => plainAddress(entry));
  const trustedEntries = entries.slice(entries.lastIndexOf(undefined) + 1).join(', ');
  const headers = { 'x-forwarded-for': trustedEntries };
  // as: the two properties of a request that proxy-addr reads
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return proxyAddr(request, (address) => proxies.trusts(address)).slice(0, 45);
}

/** Only the last entry was written by the nearest proxy. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim() || undefined;
}

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

/** Where the server says to the doctor what it sees of a request. */
export const callerPath = '/healthz/caller';

/** The header `Authorization` of the doctor: proves the token, and does not reveal it to a host that is not the shop. */
export const callerProof = (metricsToken: string): string =>
  `Doctor ${createHmac('sha256', metricsToken).update('caller of the doctor').digest('hex')}`;

/** Headers in which CDNs send the address of their client: Cloudflare, Akamai and Cloudflare, Fastly. */
const ofCdn = ['cf-connecting-ip', 'true-client-ip', 'fastly-client-ip'] as const;

/** What the server sees of a request through its proxies, for the doctor. Addresses are canonical. */
export function describeCaller(c: Context<AppEnv>, env: Trust) {
  const { ip } = callerOf(c, env);
  const list = (c.req.header('x-forwarded-for') ?? '').split(',').map((entry) => plainAddress(entry) ?? entry.trim());
  const cdn = ofCdn.map((name) => c.req.header(name)).find((value) => value !== undefined);
  return {
    peer: peerOf(c),
    isTrusted: trusted(c, env),
    client: ip,
    isClientTrusted: env.TRUST_PROXY.trusts(ip),
    scheme: requestedHost(c, env)?.origin.split(':')[0] ?? '',
    forwardedFor: list[0] === '' ? null : list.join(', '),
    clientOfCdn: cdn === undefined ? null : (plainAddress(cdn) ?? cdn),
  };
}

import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import proxyAddr from 'proxy-addr';
import type { AppEnv } from './request-context.ts';
import type { Env } from '#server/env.ts';
import { canonicalHost } from '../host-name.ts';
import { plainAddress, type Proxies } from './network.ts';

type Trust = Pick<Env, 'TRUST_PROXY'>;

/**
 * Where the request comes from: address, browser, country. Forwarded values count only where the peer itself is a proxy
 * of `TRUST_PROXY`.
 */
export function callerOf(c: Context<AppEnv>, env: Trust): { ip: string; userAgent: string; country: string } {
  const country = trusted(c, env) ? (c.req.header('cf-ipcountry') ?? c.req.header('x-country-code')) : undefined;
  return {
    ip: clientAddress(peerOf(c), c.req.header('x-forwarded-for'), env.TRUST_PROXY),
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 400),
    country: country && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '',
  };
}

export interface RequestedHost {
  /** canonical, without its port */
  readonly name: string;
  /** scheme, name and port */
  readonly origin: string;
  /** whether the name has a final dot, which browsers take for another origin */
  readonly isDotted: boolean;
}

/** Scheme and host that the caller asked for, or undefined when the host is no host. */
export function requestedHost(c: Context<AppEnv>, env: Trust): RequestedHost | undefined {
  const byProxy = trusted(c, env);
  const forwarded = byProxy ? lastOf(c.req.header('x-forwarded-host')) : undefined;
  const written = forwarded ?? (c.req.header('host') || new URL(c.req.url).host);
  const scheme = byProxy && lastOf(c.req.header('x-forwarded-proto')) === 'https' ? 'https' : 'http';
  const host = canonicalHost(written, scheme);
  return host && { name: host.name, origin: `${scheme}://${host.text}`, isDotted: /\.(:\d*)?$/.test(written) };
}

/** The other end of the connection; a call inside of this process has none and is this machine's own. */
export function peerOf(c: Context<AppEnv>): string {
  const told = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  return plainAddress(told) ?? told;
}

const trusted = (c: Context<AppEnv>, env: Trust) => env.TRUST_PROXY.trusts(peerOf(c));

/**
 * The nearest address that is no proxy of ours: each proxy appends whom it heard from, so the list is believed from its
 * end, and only as far as the one who wrote an entry is trusted. Whatever stands before that, anyone may have sent.
 */
export function clientAddress(peer: string, forwarded: string | undefined, proxies: Proxies): string {
  const heard = (forwarded ?? '').split(',').map((entry) => plainAddress(entry));
  const believed = heard.slice(heard.lastIndexOf(undefined) + 1).join(', ');
  const headers = { 'x-forwarded-for': believed };
  // as: the two properties of a request that proxy-addr reads
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return proxyAddr(request, (address) => proxies.trusts(address)).slice(0, 45);
}

/** The nearest proxy appends, so only the last entry is its own word. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim() || undefined;
}

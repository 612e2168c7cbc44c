import type { Context } from 'hono';
import type { AppEnv } from './app-env.ts';
import type { Env } from './env.ts';

type Trust = Pick<Env, 'TRUST_PROXY'>;

/** Where the request comes from: address, browser, country. Forwarded values count only from a trusted proxy. */
export function callerOf(c: Context<AppEnv>, env: Trust): { ip: string; userAgent: string; country: string } {
  const direct = c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1';
  const forwarded = env.TRUST_PROXY ? lastOf(c.req.header('x-forwarded-for')) : undefined;
  const country = env.TRUST_PROXY ? (c.req.header('cf-ipcountry') ?? c.req.header('x-country-code')) : undefined;
  return {
    ip: (forwarded ?? direct).replace(/^::ffff:/, '').slice(0, 45),
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 400),
    country: country && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '',
  };
}

/** Scheme and host that the caller asked for, or undefined when the host is no host. */
export function askedHost(c: Context<AppEnv>, env: Trust): { name: string; origin: string } | undefined {
  const forwarded = env.TRUST_PROXY ? lastOf(c.req.header('x-forwarded-host')) : undefined;
  const host = (forwarded ?? c.req.header('host') ?? new URL(c.req.url).host).toLowerCase();
  const name = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.exec(host)?.[1];
  if (name === undefined) return undefined;
  const secure = env.TRUST_PROXY && lastOf(c.req.header('x-forwarded-proto')) === 'https';
  return { name, origin: `${secure ? 'https' : 'http'}://${host}` };
}

/** The nearest proxy appends, so only the last entry is its own word. */
function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim() || undefined;
}

import * as v from 'valibot';

/**
 * The address of a service as an operator writes it: `scheme://user:password@host:port/path?name=value`. A generated
 * password often contains `/`, `#`, `@`, `?` or brackets, at which the standard URL parser stops or reads another host.
 */
export interface ServiceUrl {
  /** in lower case: schemes are case-insensitive (RFC 3986, section 3.1) */
  readonly scheme: string;
  /** decoded; undefined where the text has no user */
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly hosts: readonly ServiceHost[];
  /** as written, without its slash */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface ServiceHost {
  /** an IPv6 address is in brackets; empty where a parameter names the host */
  readonly host: string;
  readonly port: string;
}

const host = String.raw`(?:\[[\da-fA-F:.%]+\]|[^\s/?#@:,[\]]+)(?::\d{0,5})?`;
const afterUser = new RegExp(
  String.raw`^(?<hosts>(?:${host}(?:,${host})*)?)(?:/(?<path>[^/?#@]*))?(?:\?(?<query>[^#]*))?$`,
);

/**
 * Parses such an address; undefined where it is invalid. Only an `@` followed by hosts, a path and parameters that
 * `isParameter` knows can end the user and password. The first such `@` does.
 */
export function readServiceUrl(text: string, isParameter: (name: string) => boolean): ServiceUrl | undefined {
  const [, scheme, rest] = /^([a-z]+):\/\/(.*)$/is.exec(text.trim()) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const ends = [...rest.matchAll(/@/g)].map(({ index }) => index);
  for (const end of [undefined, ...ends]) {
    const found = afterUser.exec(end === undefined ? rest : rest.slice(end + 1))?.groups;
    if (!found) continue;
    const query = new URLSearchParams(found['query']);
    if (![...query.keys()].every(isParameter)) continue;
    const [user, ...password] = end === undefined ? [] : rest.slice(0, end).split(':');
    return {
      scheme: scheme.toLowerCase(),
      user: user === undefined ? undefined : decodePercent(user),
      password: password.length === 0 ? undefined : decodePercent(password.join(':')),
      hosts: (found['hosts'] ?? '').split(',').map(readHost),
      path: found['path'] ?? '',
      query,
    };
  }
  return undefined;
}

/**
 * The first parameter that `isParameter` does not know. Only the part after the last `@` is searched: the password
 * before it may contain `?` and `=` and must not be repeated.
 */
export function unknownParameter(text: string, isParameter: (name: string) => boolean): string | undefined {
  const address = text.slice(text.lastIndexOf('@') + 1);
  const query = /^[^?#]*\?([^#]*)$/.exec(address)?.[1];
  const names = [...new URLSearchParams(query).keys()];
  return names.find((name) => /^[\w.-]{1,60}$/.test(name) && !isParameter(name));
}

function readHost(written: string): ServiceHost {
  const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(written) ?? [];
  return { host: name, port };
}

/** Decodes `%2F` and the like; a percent sign that encodes nothing belongs to the password itself. */
function decodePercent(written: string): string {
  return written.replace(/(?:%[\da-fA-F]{2})+/g, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The same address for one of its hosts, in the form that every URL parser reads. */
export function writeServiceUrl(url: ServiceUrl, { host: name, port }: ServiceHost): string {
  const { scheme, user, password, path, query } = url;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const owner = user === undefined ? '' : `${encodeURIComponent(user)}${secret}@`;
  const parameters = query.size > 0 ? `?${query.toString()}` : '';
  return `${scheme}://${owner}${name}${port && `:${port}`}${path && `/${path}`}${parameters}`;
}

/** A host in canonical spelling, for comparisons. */
interface CanonicalHost {
  /** lower case, IDN in Punycode, without a final dot; IPv6 in brackets */
  readonly name: string;
  /** empty for the default port of the scheme */
  readonly port: string;
  /** name and port as in a URL */
  readonly text: string;
}

/**
 * Parses a host as spelt in a `Host` header, a setting or a URL (RFC 9110, section 7.2; RFC 3986, section 3.2.2):
 * `SHOP.Example.:443` is `shop.example`. Undefined for an invalid host.
 */
export function canonicalHost(written: string, scheme: 'http' | 'https' = 'http'): CanonicalHost | undefined {
  const text = decodeUtf8(written.trim());
  if (!/^[^\s/?#@\\]+$/.test(text)) return undefined;
  const url = URL.parse(`${scheme}://${text}`);
  if (!url) return undefined;
  const name = ipv4Of(url.hostname.replace(/\.$/, ''));
  if (name === '' || name.startsWith('.') || name.includes('..') || name.endsWith('.')) return undefined;
  return { name, port: url.port, text: url.port === '' ? name : `${name}:${url.port}` };
}

/** Scheme and host in canonical spelling; unchanged where the origin is invalid. */
export function canonicalOrigin(origin: string): string {
  const url = URL.parse(origin);
  const scheme = url?.protocol === 'https:' ? 'https' : 'http';
  const host = url && canonicalHost(url.host, scheme);
  return host ? `${scheme}://${host.text}` : origin;
}

/** Node reads header bytes as Latin-1; a few clients send an IDN as UTF-8. */
function decodeUtf8(text: string): string {
  if (!/[\u0080-\u00FF]/.test(text) || /[\u0100-\uFFFF]/.test(text)) return text;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}

/** The IPv4 address of an IPv4-mapped IPv6 address. */
function ipv4Of(name: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name) ?? [];
  if (high === undefined || low === undefined) return name;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/** `true` or `false`; `false` without a value. */
export const flag = v.pipe(
  v.optional(v.picklist(['true', 'false', '1', '0', '']), 'false'),
  v.transform((value) => value === 'true' || value === '1'),
);
/** Texts separated by commas. */
export const parts = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value.split(',').map((part) => part.trim())),
  v.transform((all) => all.filter((part) => part !== '')),
);
/** Names separated by commas, in lower case. */
export const list = v.pipe(
  parts,
  v.transform((all) => all.map((part) => part.toLowerCase())),
);
/** A scheme and a host, such as `https://shop.example`. */
export const origin = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host without a path, such as https://shop.example'),
  v.transform(canonicalOrigin),
);

/** A number of seconds, 1 or more. */
export const wholeSeconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a number of seconds'),
  v.transform(Number),
  v.minValue(1),
);
/** A number of seconds with a default. */
export const seconds = (usual: number) => v.optional(wholeSeconds, String(usual));

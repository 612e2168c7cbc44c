/** A host in canonical spelling, for comparisons. */
export interface CanonicalHost {
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

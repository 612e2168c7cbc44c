/** A host in the one spelling in which hosts are compared. */
export interface CanonicalHost {
  /** lower case, IDN in Punycode, without a final dot; IPv6 in brackets */
  readonly name: string;
  /** empty where it is the usual one of the scheme */
  readonly port: string;
  /** name and port as an address has them */
  readonly text: string;
}

/**
 * Reads a host as a `Host` header, a setting or an address spells it (RFC 9110, section 7.2; RFC 3986, section 3.2.2):
 * `SHOP.Example.:443` is `shop.example`. Undefined for what is no host.
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

/** Scheme and host in one spelling; as it is where it cannot be read. */
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

/** An IPv4 address that is written as an IPv6 one. */
function ipv4Of(name: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name) ?? [];
  if (high === undefined || low === undefined) return name;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

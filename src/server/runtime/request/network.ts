import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as v from 'valibot';

/**
 * [Note: Networks] A customer of an IPv6 network has a /64 at least, so an address of one is nobody: limits count its /64
 * as one neighbour, and its /48, which one customer of a provider can have, too, with wider limits. An IPv4 address is
 * one neighbour as it is, in whatever way it is written.
 */
export interface Networks {
  readonly near: string;
  /** undefined for IPv4 */
  readonly wide?: string;
}

/** `2001:db8::1` as `2001:db8::1`, `[2001:DB8:0::1]` and `fe80::1%eth0` write it, and 203.0.113.1 for `::ffff:cb00:7101`; undefined for what is no address. */
export function plainAddress(written: string): string | undefined {
  const bare = written
    .trim()
    .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return undefined;
  // the URL parser knows one way to write an IPv6 address
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The networks of an address; what is none is its own neighbour. */
export function networksOf(address: string): Networks {
  const plain = plainAddress(address) ?? address;
  // a browser and a program on one machine may reach `localhost` by either
  if (plain === '::1') return { near: '127.0.0.1' };
  if (!isIPv6(plain)) return { near: plain };
  const groups = groupsOf(plain);
  return { near: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
}

/** All eight groups of an address that is written in the one way. */
function groupsOf(plain: string): string[] {
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

/** The proxies in front of the shop; nobody else's word about a caller counts. */
export interface Proxies {
  /** whether a peer is one of them; `address` as a socket tells it */
  trusts(address: string): boolean;
  /** whether there are any */
  readonly some: boolean;
}

/** From addresses and networks (`10.0.0.0/8`, `2001:db8::/32`); answers those that are neither. */
export function readProxies(entries: readonly string[]): { proxies: Proxies; wrong: readonly string[] } {
  const list = new BlockList();
  const wrong = entries.filter((entry) => !addTo(list, entry));
  const trusts = (address: string) => {
    const plain = plainAddress(address);
    return plain !== undefined && list.check(plain, familyOf(plain));
  };
  return { proxies: { trusts, some: entries.length > wrong.length }, wrong };
}

/** Of a setting: addresses and networks; a switch would believe whoever can reach the port. */
export const readProxyList = v.rawTransform<string[], Proxies>(({ dataset, addIssue }) => {
  const { proxies, wrong } = readProxies(dataset.value);
  if (wrong.length > 0) {
    addIssue({
      message: `must list the proxies in front of the shop by address or network, such as 10.0.0.0/8, 2001:db8::1; this is neither: ${wrong.join(', ')}`,
    });
  }
  return proxies;
});

/** Of an address in its plain way of writing, as `BlockList` wants it. */
export const familyOf = (plain: string) => (isIP(plain) === 6 ? 'ipv6' : 'ipv4');

function addTo(list: BlockList, entry: string): boolean {
  const [written = '', bits, ...rest] = entry.split('/');
  const address = plainAddress(written);
  if (address === undefined || rest.length > 0) return false;
  const family = familyOf(address);
  if (bits === undefined) {
    list.addAddress(address, family);
    // a proxy on this machine that connects to `localhost` comes by either
    if (address === '127.0.0.1') list.addAddress('::1', 'ipv6');
    if (address === '::1') list.addAddress('127.0.0.1', 'ipv4');
    return true;
  }
  // everybody is not a list of proxies: /0 would believe any header of anyone
  const longest = family === 'ipv6' ? 128 : 32;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) < 1 || Number(bits) > longest) return false;
  list.addSubnet(address, Number(bits), family);
  return true;
}

/** This machine's IPv4 address in the local network, which a phone beside it can visit; undefined without a network. */
export function networkAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

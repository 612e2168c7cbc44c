import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import * as v from 'valibot';

/**
 * [Note: Networks] An IPv6 customer has at least a /64, so a single address identifies no caller: limits count the /64
 * as one network, and the /48, which one customer of a provider can have, with wider limits. An IPv4 address is one
 * network, however it is written.
 */
export interface Networks {
  readonly near: string;
  /** undefined for IPv4 */
  readonly wide?: string;
}

const rememberedAnswers = 1000;
/** Characters of the longest valid address; longer input would only use up memory. */
const longestAddress = 45;

/**
 * Stores the answers for the latest addresses: each request has several questions about the same few proxies, and
 * parsing addresses would take a fifth of its time.
 */
function remember<Answer>(answerFor: (address: string) => Answer): (address: string) => Answer {
  const answers = new Map<string, Answer>();
  return (address) => {
    const known = answers.get(address);
    if (known !== undefined) return known;
    const answer = answerFor(address);
    if (answers.size >= rememberedAnswers) answers.clear();
    if (address.length <= longestAddress) answers.set(address, answer);
    return answer;
  };
}

/**
 * The canonical spelling: `2001:db8::1` for `[2001:DB8:0::1]`, without the zone of `fe80::1%eth0`, and 203.0.113.1 for
 * `::ffff:cb00:7101`; undefined for an invalid address.
 */
export const plainAddress = remember((written: string): string | undefined => {
  const bare = written
    .trim()
    .replace(/^\[([^\]]*)\](:\d{1,5})?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  // ipaddr.js also reads `127.1` and octal numbers, and treats the deprecated `::1.2.3.4` as IPv4
  if (isIP(bare) === 0 || /^::\d+\./.test(bare)) return undefined;
  return ipaddr.process(bare).toString();
});

/** The networks of an address; an invalid address is a network of its own. */
export function networksOf(address: string): Networks {
  const plain = plainAddress(address);
  if (plain === undefined) return { near: address };
  // a browser and a program on one machine may connect to `localhost` by either protocol
  if (plain === '::1') return { near: '127.0.0.1' };
  const parsed = ipaddr.parse(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return { near: plain };
  const groups = parsed.parts.map((group) => group.toString(16));
  return { near: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
}

/** The trusted proxies in front of the shop; forwarded headers of other peers are ignored. */
export interface Proxies {
  /** whether a peer is one of them; `address` as the socket reports it */
  trusts(address: string): boolean;
  /** whether any are configured */
  readonly some: boolean;
}

/** Parses addresses and networks (`10.0.0.0/8`, `2001:db8::/32`); `wrong` are the invalid entries. */
export function readProxies(entries: readonly string[]): { proxies: Proxies; wrong: readonly string[] } {
  const read = entries.map((entry) => [entry, proxyNetworks(entry)] as const);
  const networks = read.flatMap(([, found]) => found ?? []);
  const isTrusted = proxyAddr.compile(networks);
  return {
    proxies: { trusts: remember((address) => isTrusted(plainAddress(address) ?? '', 0)), some: networks.length > 0 },
    wrong: read.filter(([, found]) => found === undefined).map(([entry]) => entry),
  };
}

/** The setting is a list of addresses and networks; a boolean would trust every caller that can reach the port. */
export const readProxyList = v.rawTransform<string[], Proxies>(({ dataset, addIssue }) => {
  const { proxies, wrong } = readProxies(dataset.value);
  if (wrong.length > 0) {
    addIssue({
      message: `must list the proxies in front of the shop by address or network, such as 10.0.0.0/8, 2001:db8::1; this is neither: ${wrong.join(', ')}`,
    });
  }
  return proxies;
});

/** An entry in the format of `proxy-addr`; undefined where it is neither an address nor a network. */
function proxyNetworks(entry: string): readonly string[] | undefined {
  const [written = '', bits, ...rest] = entry.split('/');
  const address = plainAddress(written);
  if (address === undefined || rest.length > 0) return undefined;
  if (bits !== undefined) {
    const network = `${address}/${bits}`;
    // /0 would trust the headers of every caller
    return ipaddr.isValidCIDR(network) && Number(bits) > 0 ? [network] : undefined;
  }
  // a proxy on this machine that connects to `localhost` may use either protocol
  return address === '127.0.0.1' || address === '::1' ? ['127.0.0.1', '::1'] : [address];
}

/** This machine's IPv4 address in the local network, for phones in the same network; undefined without a network. */
export function networkAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket as Datagrams } from 'node:dgram';
import { Socket, type LookupFunction, type TcpNetConnectOpts } from 'node:net';

const fetchOfNode = globalThis.fetch;

/** Whether the server may connect to a host and port that match a pattern, such as browsers' push services. */
type DestinationRule = (host: string, port: number) => boolean;

const destinations = new Set<string>();
const rules = new Set<DestinationRule>();
const mailContext = new AsyncLocalStorage<boolean>();

/** A request or a connection to a host that no setting names. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
  constructor(host: string) {
    super(`no request to ${host}: the server calls configured providers only`);
  }
}

/** Lets this process connect to a host and port that the operator has configured. */
export function allowDestination(host: string, port: number): void {
  destinations.add(`${plainHost(host)} ${port}`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Lets this process connect to the HTTP proxies that Node uses (nodejs.org/api/cli.html, --use-env-proxy). */
export function allowProxies(env: Environment, execArgv: readonly string[]): void {
  if (!usesProxies(env, execArgv)) return;
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const url = URL.parse(env[name] ?? '');
    if (url) allowDestination(url.hostname, portOf(url));
  }
}

/** In Node's order: the command line overrides the environment, the last option wins, and underscores are allowed. */
function usesProxies(env: Environment, execArgv: readonly string[]): boolean {
  const ofEnvironment = (env['NODE_OPTIONS'] ?? '').replaceAll('"', '').split(/\s+/);
  const options = [...ofEnvironment, ...execArgv].map((option) => option.replaceAll('_', '-'));
  const last = options.findLast((option) => /^--(?:no-)?use-env-proxy$/.test(option));
  return last === undefined ? env['NODE_USE_ENV_PROXY'] === '1' : last === '--use-env-proxy';
}

/** Runs a library that resolves its configured host itself and then connects to one of the addresses: nodemailer. */
export function withConnections<T>(act: () => T): T {
  return mailContext.run(true, act);
}

/** Whether a setting names the host and port. */
export function isAllowedDestination(host: string, port: number): boolean {
  const plain = plainHost(host);
  if (mailContext.getStore() === true || destinations.has(`${plain} ${port}`)) return true;
  return [...rules].some((allows) => allows(plain, port));
}

/**
 * The HTTP client for configured providers: for these origins, or for hosts that match a rule, and no others. A
 * redirect is an error, because its target is not configured.
 */
export function providerFetch(...providers: readonly (string | DestinationRule)[]): typeof fetch {
  const origins = providers.filter((one) => typeof one === 'string').map((address) => new URL(address));
  const patterns = providers.filter((one) => typeof one === 'function');
  for (const url of origins) allowDestination(url.hostname, portOf(url));
  for (const pattern of patterns) rules.add(pattern);
  const allows = (url: URL) =>
    origins.some(({ origin }) => origin === url.origin) ||
    (url.protocol === 'https:' && patterns.some((pattern) => pattern(plainHost(url.hostname), portOf(url))));
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!allows(url)) throw new OutboundRefused(url.host);
    return fetchOfNode(input, { redirect: 'error', ...init });
  };
}

const portOf = (url: URL) => Number(url.port) || (url.protocol === 'http:' ? 80 : 443);

/** Lower case, without the brackets of an IPv6 address and without a final dot. */
function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/**
 * Refuses every connection of this thread to a host that no setting names, before DNS lookup. Libraries parse what
 * callers send, and may request a URL in it: `@simplewebauthn/server` downloads the revocation list that a certificate
 * names. `net.Socket` is below http, https, http2, tls, `fetch`, `WebSocket` and `EventSource`; Unix sockets are
 * allowed. `onRefused` receives the host. Returns a function that removes the guard.
 */
export function refuseOtherConnections(onRefused: (host: string) => void): () => void {
  const refused = (host: string) => {
    onRefused(host);
    return new OutboundRefused(host);
  };
  const before = { connect: Socket.prototype.connect, fetch: globalThis.fetch };
  // as: one of its overloads, which `call` does not choose
  const connectBy = before.connect as (this: Socket, options: TcpNetConnectOpts) => Socket;
  const datagrams = { connect: Datagrams.prototype.connect, send: Datagrams.prototype.send };
  Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]): Socket {
    const target = targetOf(args);
    // as: the arguments are passed on unchanged
    if (!target || isAllowedDestination(target.host, target.port)) return before.connect.apply(this, args as never);
    const error = refused(target.host);
    // a failed DNS lookup is an error that every user of a socket handles
    const lookup: LookupFunction = (_host, _options, done) => void setImmediate(done, error, '');
    return connectBy.call(this, { ...target, host: 'refused.invalid', lookup });
  };
  globalThis.fetch = async (input) => {
    throw refused(new URL(input instanceof Request ? input.url : input).host);
  };
  // the server itself does not use UDP; the resolver has sockets of its own
  Datagrams.prototype.connect = (port: number, address?: unknown) => {
    throw refused(typeof address === 'string' ? address : `port ${port}`);
  };
  Datagrams.prototype.send = () => {
    throw refused('an address by UDP');
  };
  return () => {
    Socket.prototype.connect = before.connect;
    globalThis.fetch = before.fetch;
    Object.assign(Datagrams.prototype, datagrams);
  };
}

/**
 * The target of `connect`, whose arguments are a port and a host, options, or the normalized list that `net.connect`
 * passes; undefined for a Unix socket.
 */
function targetOf([first, second]: readonly unknown[]): { host: string; port: number } | undefined {
  if (Array.isArray(first)) return targetOf(first);
  if (typeof first === 'object' && first !== null) {
    // as: Node's own types of the arguments of `connect`
    const { path, host, port } = first as Partial<TcpNetConnectOpts> & { readonly path?: string };
    // Node uses the path where both are given
    return path ? undefined : { host: host ?? 'localhost', port: Number(port) };
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined;
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) };
}

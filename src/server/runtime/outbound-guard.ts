import { Socket as Datagrams } from 'node:dgram';
import { Socket, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { isAllowedDestination, OutboundRefused } from './outbound.ts';

/**
 * Refuses every connection of this thread to a host that no setting names, before its name is looked up. Libraries read
 * what callers send, and may call an address that they find in it: `@simplewebauthn/server` downloads the revocation list
 * that a certificate names.
 *
 * `net.Socket` is below http, https, http2, tls, `fetch`, `WebSocket` and `EventSource`; sockets of the file system pass.
 * `onRefused` receives the host. Returns a function that removes the guard.
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
    // as: the arguments are passed on as they came
    if (!target || isAllowedDestination(target.host, target.port)) return before.connect.apply(this, args as never);
    const error = refused(target.host);
    // fails the DNS lookup, an error that every user of a socket already handles
    const lookup: LookupFunction = (_host, _options, done) => void setImmediate(done, error, '');
    return connectBy.call(this, { ...target, host: 'refused.invalid', lookup });
  };
  globalThis.fetch = async (input) => {
    throw refused(new URL(input instanceof Request ? input.url : input).host);
  };
  // nothing of the server uses UDP; the resolver has sockets of its own
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
 * Where `connect` leads, whose arguments are a port and a host, options, or the list of both that `net.connect` has made
 * of them; undefined for a socket of the file system.
 */
function targetOf([first, second]: readonly unknown[]): { host: string; port: number } | undefined {
  if (Array.isArray(first)) return targetOf(first);
  if (typeof first === 'object' && first !== null) {
    // as: Node's own types of what `connect` takes
    const { path, host, port } = first as Partial<TcpNetConnectOpts> & { readonly path?: string };
    // Node reads a path first where both are given
    return path ? undefined : { host: host ?? 'localhost', port: Number(port) };
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined;
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) };
}

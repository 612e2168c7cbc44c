import { Socket as Datagrams } from 'node:dgram';
import { Socket, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { isAllowedDestination, OutboundRefused } from './outbound.ts';

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

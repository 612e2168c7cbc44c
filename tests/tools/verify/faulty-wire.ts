import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The faults of one request: the connection is cut before, within, or after the request, when the server has processed
 * it; the response is truncated, delayed, or of another sender; the request arrives twice; a proxy answers 502.
 */
export const mishaps = [
  'before',
  'inside',
  'after',
  'truncated',
  'delayed',
  'repeated',
  'badGateway',
  'garbage',
] as const;
export type Mishap = (typeof mishaps)[number];

/** A request on its way, before its fault is decided. */
export interface Passing {
  readonly method: string;
  /** path and query */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface FaultyWire {
  readonly port: number;
  /** sets the port that requests are forwarded to */
  leadTo(port: number): void;
  /** sets the function that decides the fault of each request; undefined forwards it */
  decide(fate: (passing: Passing) => Mishap | undefined): void;
  /** sets callbacks around each forwarded request; a promise delays it */
  watch(watcher: Watcher): void;
  close(): Promise<void>;
}

export interface Watcher {
  /** the request was received and is not forwarded yet */
  asked?(passing: Passing): Promise<void> | void;
  /** the server has answered and the response is not forwarded yet */
  answered?(passing: Passing): Promise<void> | void;
}

interface ReceivedRequest {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

/** Starts a faulty proxy on a free port of this machine. Hosts and headers are unchanged. */
export async function startFaultyWire(): Promise<FaultyWire> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let upstream = 0;
  let fate: (passing: Passing) => Mishap | undefined = () => undefined;
  let watcher: Watcher = {};

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const received = { incoming, body: await buffer(incoming) };
    const { method = 'GET', url = '/', headers } = incoming;
    const passing = { method, url, headers, body: received.body };
    const mishap = fate(passing);
    if (mishap === 'before') return cut(incoming);
    if (mishap === 'inside') return sendHalf(received, upstream).finally(() => cut(incoming));
    if (mishap === 'badGateway') return refuse(outgoing, 502);
    await watcher.asked?.(passing);
    if (mishap === 'delayed') await delay(passing);
    const answer = await forward(received, { upstream, agent });
    if (mishap === 'repeated') await forward(received, { upstream, agent });
    await watcher.answered?.(passing);
    if (mishap === 'after') return cut(incoming);
    if (mishap === 'garbage') return refuse(outgoing, 200);
    respond(outgoing, answer, mishap === 'truncated');
  }

  const server = createServer((incoming, outgoing) => {
    // the server may have been killed, or the client closed
    pass(incoming, outgoing).catch(() => cut(incoming));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // as: a listening TCP server has an address with a port
    leadTo: (port) => void (upstream = port),
    decide: (next) => void (fate = next),
    watch: (next) => void (watcher = next),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cut(incoming: IncomingMessage): void {
  incoming.socket.destroy();
}

/**
 * Delays up to half a second, and sometimes so long that the shop has inquired at the provider or the customer has
 * retried meanwhile. The delay depends on the request, so that a run can be repeated.
 */
function delay({ body }: Passing): Promise<void> {
  const ms = body.length % 6 === 0 ? 3500 : 20 + ((body.length * 37) % 480);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The page of a proxy without an upstream, or of a captive portal. */
function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<html><title>Please wait</title>');
}

interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

async function forward(
  { incoming, body }: ReceivedRequest,
  { upstream, agent }: { upstream: number; agent: Agent },
): Promise<Answer> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { connection: _own, ...forwarded } = headers;
  const sent = request({ host: '127.0.0.1', port: upstream, method, path: url, headers: forwarded, agent });
  const answered = once(sent, 'response');
  sent.end(body);
  // as: `response` carries exactly one message
  const [answer] = (await answered) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: endToEndHeaders(answer.rawHeaders), body: await buffer(answer) };
}

/** The headers without the hop-by-hop ones: the body is complete here. */
function endToEndHeaders(raw: readonly string[]): [string, string][] {
  const pairs = raw.flatMap((name, index) => (index % 2 ? [] : [[name, raw[index + 1] ?? ''] as [string, string]]));
  return pairs.filter(([name]) => !/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name));
}

function respond(outgoing: ServerResponse, { status, headers, body }: Answer, truncated: boolean): void {
  outgoing.writeHead(status, [...headers, ['content-length', String(body.length)]].flat());
  if (!truncated) return void outgoing.end(body);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

/** Sends the head and half of the body and then closes, like a phone that loses its connection. */
async function sendHalf({ incoming, body }: ReceivedRequest, port: number): Promise<void> {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const lines = endToEndHeaders(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${url} HTTP/1.1\r\n${lines.join('')}content-length: ${body.length + 1}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const part = body.subarray(0, Math.floor(body.length / 2));
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), part]), resolve));
  socket.destroy();
}

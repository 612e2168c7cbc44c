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
 * What a wire does to one request: it is cut before anything left, in the middle of the request, or after the other side
 * has done what was asked; the answer is cut short, late, or somebody else's; the request comes twice; a proxy on the way
 * says that nobody is there.
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

/** A request on the wire, before its fate is decided. */
export interface Passing {
  readonly method: string;
  /** path and query */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface FaultyWire {
  readonly port: number;
  /** where requests go, once that is known */
  leadTo(port: number): void;
  /** decides what becomes of each request from now on; undefined lets it pass */
  decide(fate: (passing: Passing) => Mishap | undefined): void;
  /** called around each request that reaches the other side; a promise holds it there */
  watch(watcher: Watcher): void;
  close(): Promise<void>;
}

export interface Watcher {
  /** the request is here and has not been passed on */
  asked?(passing: Passing): Promise<void> | void;
  /** the other side has answered and the answer has not been passed on */
  answered?(passing: Passing): Promise<void> | void;
}

interface Whole {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

/** Starts a wire on a free port of this machine. Hosts and headers pass through as they are. */
export async function startFaultyWire(): Promise<FaultyWire> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let upstream = 0;
  let fate: (passing: Passing) => Mishap | undefined = () => undefined;
  let watcher: Watcher = {};

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const whole = { incoming, body: await buffer(incoming) };
    const { method = 'GET', url = '/', headers } = incoming;
    const passing = { method, url, headers, body: whole.body };
    const mishap = fate(passing);
    if (mishap === 'before') return cut(incoming);
    if (mishap === 'inside') return halfOf(whole, upstream).finally(() => cut(incoming));
    if (mishap === 'badGateway') return refuse(outgoing, 502);
    await watcher.asked?.(passing);
    if (mishap === 'delayed') await late(passing);
    const answer = await forward(whole, { upstream, agent });
    if (mishap === 'repeated') await forward(whole, { upstream, agent });
    await watcher.answered?.(passing);
    if (mishap === 'after') return cut(incoming);
    if (mishap === 'garbage') return refuse(outgoing, 200);
    hand(outgoing, answer, mishap === 'truncated');
  }

  const server = createServer((incoming, outgoing) => {
    // whoever is on the other side may have died, or the asker gone: either way this wire is dead
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
 * Up to half a second, and now and then for so long that others have been faster: the shop has asked the provider meanwhile,
 * or the customer has asked again. By what is asked, so that the same course of events can be had again.
 */
function late({ body }: Passing): Promise<void> {
  const ms = body.length % 6 === 0 ? 3500 : 20 + ((body.length * 37) % 480);
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What a proxy says that has lost its other side, or that wants a login of its own. */
function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<html><title>Please wait</title>');
}

interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Buffer;
}

async function forward(
  { incoming, body }: Whole,
  { upstream, agent }: { upstream: number; agent: Agent },
): Promise<Answer> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { connection: _own, ...kept } = headers;
  const sent = request({ host: '127.0.0.1', port: upstream, method, path: url, headers: kept, agent });
  const answered = once(sent, 'response');
  sent.end(body);
  // as: `response` carries exactly one message
  const [answer] = (await answered) as [IncomingMessage];
  return { status: answer.statusCode ?? 502, headers: ownHeaders(answer.rawHeaders), body: await buffer(answer) };
}

/** Without the headers that belong to one connection: the body is whole here. */
function ownHeaders(raw: readonly string[]): [string, string][] {
  const pairs = raw.flatMap((name, index) => (index % 2 ? [] : [[name, raw[index + 1] ?? ''] as [string, string]]));
  return pairs.filter(([name]) => !/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name));
}

function hand(outgoing: ServerResponse, { status, headers, body }: Answer, truncated: boolean): void {
  outgoing.writeHead(status, [...headers, ['content-length', String(body.length)]].flat());
  if (!truncated) return void outgoing.end(body);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

/** Sends the head and half of the body, and then nothing more: as a phone does that enters a tunnel. */
async function halfOf({ incoming, body }: Whole, port: number): Promise<void> {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const lines = ownHeaders(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${url} HTTP/1.1\r\n${lines.join('')}content-length: ${body.length + 1}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const part = body.subarray(0, Math.floor(body.length / 2));
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), part]), resolve));
  socket.destroy();
}

import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

import { addressOf } from '#contract/endpoint.ts';
import { listPlans, login } from '#contract/index.ts';

/** The load of a group of clients, each of which sends one request after another over its own connection. */
export interface Crowd {
  readonly port: number;
  readonly members: number;
  readonly seconds: number;
  /** the pause of a client between two requests, in milliseconds */
  readonly restMs: number;
  /** whether each client has another IP address of this machine */
  readonly scattered: boolean;
  readonly what: 'log in' | 'plan list' | 'pricing page' | 'login page';
}

export interface Seen {
  /** the number of responses by status */
  readonly statuses: Readonly<Record<string, number>>;
  /** the times of all responses in milliseconds, ascending */
  readonly times: readonly number[];
}

let sentCount = 0;

function requestFor(what: Crowd['what']): { method: string; path: string; body?: string } {
  sentCount += 1;
  const n = `${process.pid}-${sentCount}`;
  switch (what) {
    case 'log in': {
      const account = `nobody.${n}@example.com`;
      const body = JSON.stringify({ account, type: 'email', password: 'a wrong password' });
      return { method: 'POST', path: login.path, body };
    }
    case 'plan list':
      return { method: 'GET', path: addressOf(listPlans, { query: { language: 'pt' } }) };
    case 'pricing page':
      return { method: 'GET', path: `/pricing-table?x=${n}` };
    case 'login page':
      return { method: 'GET', path: `/login?return=/${n}` };
  }
}

/** Sends a request; returns the status, or `lost` when the connection was refused or ended. */
async function send(agent: Agent, localAddress: string, { port, what }: Crowd): Promise<string> {
  const { method, path, body } = requestFor(what);
  const headers = {
    host: `localhost:${port}`,
    authorization: 'null',
    language: 'pt',
    'accept-encoding': 'br',
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
  };
  try {
    const sent = request({ host: '127.0.0.1', port, localAddress, agent, method, path, headers });
    const answered = once(sent, 'response');
    sent.end(body);
    const [answer] = (await answered) as [IncomingMessage]; // as: `response` carries exactly one message
    answer.resume();
    await once(answer, 'end');
    return String(answer.statusCode);
  } catch {
    return 'lost';
  }
}

async function runClient(
  index: number,
  crowd: Crowd,
  statuses: Record<string, number>,
  times: number[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const address = crowd.scattered ? `127.0.${1 + (index >> 8)}.${index & 255}` : '127.0.0.1';
  const end = performance.now() + crowd.seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    const status = await send(agent, address, crowd);
    times.push(performance.now() - started);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, crowd.restMs));
  }
  agent.destroy();
}

/**
 * Runs the load in a separate process, so that clients do not slow each other down, and sends the results to the
 * parent.
 */
async function run(crowd: Crowd): Promise<void> {
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  await Promise.all(Array.from({ length: crowd.members }, (_, index) => runClient(index, crowd, statuses, times)));
  process.send?.({ statuses, times: times.toSorted((one, other) => one - other) } satisfies Seen);
}

process.once('message', (crowd: Crowd) => void run(crowd));

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Constant } from './bare-hono.ts';
import { median, perSecond, times, type Figure } from './figures.ts';

const rounds = 5;
const requests = 6000;
const connections = 8;
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

async function load(port: number, path: string): Promise<number> {
  const args = [script('load.ts'), String(port), `localhost:${port}`, path, String(requests), String(connections)];
  const { stdout } = await run(process.execPath, args);
  // as: load.ts prints exactly this
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

/** Records a response, still encoded. */
async function record(origin: string, path: string): Promise<Constant> {
  const headers = { 'accept-encoding': 'br', 'accept-language': 'pt', language: 'pt', authorization: 'null' };
  const sent = get(`${origin}${path}`, { headers });
  // as: `response` carries exactly one message
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer); // as: without an encoding the chunks are buffers
  const { 'content-type': type = 'text/plain', 'content-encoding': encoding } = answer.headers;
  return {
    base64: Buffer.concat(chunks).toString('base64'),
    headers: { 'Content-Type': type, ...(encoding && { 'Content-Encoding': encoding }) },
  };
}

async function bareHono(constant: Constant): Promise<{ port: number; close: () => void }> {
  const child = fork(script('bare-hono.ts'));
  child.send(constant);
  // as: bare-hono.ts answers with its port
  const [port] = (await once(child, 'message')) as [number];
  return { port, close: () => child.disconnect() };
}

/** Measures requests per second of one URL, alternately with bare Hono serving the same bytes as a constant. */
async function compare(what: string, origin: string, path: string): Promise<Figure> {
  const port = Number(new URL(origin).port);
  const bare = await bareHono(await record(origin, path));
  const ours: number[] = [];
  const theirs: number[] = [];
  await load(port, path);
  await load(bare.port, '/');
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await load(bare.port, '/'));
    ours.push(await load(port, path));
  }
  bare.close();
  const share = median(ours) / median(theirs);
  return {
    what,
    measured: `${perSecond(median(ours))} = ${times(share)}`,
    against: `bare Hono ${perSecond(median(theirs))}`,
    target: 'at least 0.33 x',
    met: share >= 1 / 3,
  };
}

export async function measureThroughput(origin: string): Promise<Figure[]> {
  return [
    await compare('plan list', origin, '/api/site/listPlans/v1?language=pt'),
    await compare('pricing page as HTML', origin, '/pricing-table'),
  ];
}

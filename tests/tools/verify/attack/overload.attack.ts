import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import type { Attack } from './attack.ts';
import type { Crowd, Seen } from './overload-client.ts';

/** The 99th percentile of the plan list, in milliseconds. */
const targetMs = 300;
const seconds = 10;
const client = fileURLToPath(new URL('overload-client.ts', import.meta.url));

async function send(crowd: Crowd): Promise<Seen> {
  const child = fork(client);
  child.send(crowd);
  const [seen] = (await once(child, 'message')) as [Seen]; // as: overload-client.ts sends its results
  child.disconnect();
  return seen;
}

const percentile = (times: readonly number[], share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
const summaryOf = ({ times }: Seen) =>
  `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms, worst ${percentile(times, 1).toFixed(0)} ms`;

const crowds: readonly Omit<Crowd, 'port' | 'seconds'>[] = [
  { what: 'log in', members: 256, restMs: 0, scattered: false },
  { what: 'log in', members: 256, restMs: 0, scattered: true },
  { what: 'pricing page', members: 64, restMs: 0, scattered: false },
  { what: 'login page', members: 64, restMs: 0, scattered: true },
];

/** Runs one load while a few visitors open the plan list. */
async function overload(port: number, crowd: Omit<Crowd, 'port' | 'seconds'>, say: (line: string) => void) {
  const visitors = { port, what: 'plan list', members: 4, seconds, restMs: 10, scattered: false } as const;
  const [many, few] = await Promise.all([send({ ...crowd, port, seconds: seconds + 1 }), send(visitors)]);
  const { what, members, scattered } = crowd;
  say(
    `${members} x ${what}, ${scattered ? 'each from another address' : 'from one address'}: plan list ${summaryOf(few)}`,
  );
  say(`  the crowd: ${JSON.stringify(many.statuses)}, ${summaryOf(many)}`);
  const p99 = percentile(few.times, 0.99);
  if (p99 > targetMs) throw new Error(`the plan list took ${p99.toFixed(0)} ms`);
  if (Object.keys(few.statuses).join() !== '200')
    throw new Error(`the plan list answered ${JSON.stringify(few.statuses)}`);
  // 400 is -3035: so many tries require a captcha
  const broken = Object.keys(many.statuses).filter((status) => !/^(200|400|401|429|503)$/.test(status));
  if (broken.length > 0) throw new Error(`the clients got ${broken.join()}`);
}

async function overloadShop(kind: string, env: Record<string, string>, say: (line: string) => void): Promise<void> {
  const server = await startServer({ env: { ...env, LOG_LEVEL: 'error' } });
  try {
    say(kind);
    for (const crowd of crowds) await overload(server.port, crowd, say);
  } finally {
    await server.dispose();
  }
}

export const attack: Attack = {
  holds: `while 256 clients log in, or 64 open pages, 99 % of plan list requests take at most ${targetMs} ms`,
  run: async (say) => {
    await overloadShop('embedded database', {}, say);
    const postgres = await startPostgres();
    try {
      await overloadShop('PostgreSQL', { DATABASE_URL: postgres.url }, say);
    } finally {
      await postgres.stop();
    }
  },
};

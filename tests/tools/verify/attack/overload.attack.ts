import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer } from '#tests/fixtures/server-process.ts';
import type { Attack } from './attack.ts';
import type { Crowd, Seen } from './overload-client.ts';

/** The plan list answers within this for 99 of 100, in milliseconds. */
const targetMs = 300;
const seconds = 10;
const client = fileURLToPath(new URL('overload-client.ts', import.meta.url));

async function send(crowd: Crowd): Promise<Seen> {
  const child = fork(client);
  child.send(crowd);
  const [seen] = (await once(child, 'message')) as [Seen]; // as: overload-client.ts answers with what it saw
  child.disconnect();
  return seen;
}

const at = (times: readonly number[], share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
const told = ({ times }: Seen) =>
  `half ${at(times, 0.5).toFixed(0)} ms, 99 % ${at(times, 0.99).toFixed(0)} ms, worst ${at(times, 1).toFixed(0)} ms`;

const crowds: readonly Omit<Crowd, 'port' | 'seconds'>[] = [
  { what: 'log in', members: 256, restMs: 0, scattered: false },
  { what: 'log in', members: 256, restMs: 0, scattered: true },
  { what: 'pricing page', members: 64, restMs: 0, scattered: false },
  { what: 'login page', members: 64, restMs: 0, scattered: true },
];

/** Everybody at once, while a few look at the plans. */
async function overrun(port: number, crowd: Omit<Crowd, 'port' | 'seconds'>, say: (line: string) => void) {
  const visitors = { port, what: 'plan list', members: 4, seconds, restMs: 10, scattered: false } as const;
  const [many, few] = await Promise.all([send({ ...crowd, port, seconds: seconds + 1 }), send(visitors)]);
  const { what, members, scattered } = crowd;
  say(`${members} x ${what}, ${scattered ? 'each from another address' : 'from one address'}: plan list ${told(few)}`);
  say(`  the crowd: ${JSON.stringify(many.statuses)}, ${told(many)}`);
  const p99 = at(few.times, 0.99);
  if (p99 > targetMs) throw new Error(`the plan list took ${p99.toFixed(0)} ms`);
  if (Object.keys(few.statuses).join() !== '200')
    throw new Error(`the plan list answered ${JSON.stringify(few.statuses)}`);
  // 400 is -3035: who tries that often is asked for a captcha
  const broken = Object.keys(many.statuses).filter((status) => !/^(200|400|401|429|503)$/.test(status));
  if (broken.length > 0) throw new Error(`the crowd met ${broken.join()}`);
}

async function overrunShop(kind: string, env: Record<string, string>, say: (line: string) => void): Promise<void> {
  const server = await startServer({ env: { ...env, LOG_LEVEL: 'error' } });
  try {
    say(kind);
    for (const crowd of crowds) await overrun(server.port, crowd, say);
  } finally {
    await server.dispose();
  }
}

export const attack: Attack = {
  holds: `while 256 log in, or 64 open pages, the plan list answers within ${targetMs} ms (99 of 100)`,
  run: async (say) => {
    await overrunShop('embedded database', {}, say);
    const postgres = await startPostgres();
    try {
      await overrunShop('PostgreSQL', { DATABASE_URL: postgres.url }, say);
    } finally {
      await postgres.stop();
    }
  },
};

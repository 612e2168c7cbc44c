import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { mountPages } from '#server/http/pages/mount-pages.ts';
import { faultOf, shown } from '#tests/tools/verify/fuzz/judge.ts';
import { shotNumber } from '#tests/tools/verify/fuzz/volley.ts';
import type { FuzzRequest } from '#tests/tools/verify/fuzz/shot.ts';
import { makeWorld, type Reply, type World } from '#tests/tools/verify/fuzz/world.ts';
import { watchOutgoingRequests } from '#tests/builders/outgoing-requests.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

/** `FUZZ_SEED=` has a volley again, `FUZZ_SHOTS=` makes it longer. */
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const shots = Number(process.env['FUZZ_SHOTS'] ?? 20_000);

/** For how long one request may keep the processor, in milliseconds: nobody else is answered meanwhile. */
const heldAtMost = 200;
const answerWithinMs = 10_000;

let shop: TestApp;
let world: World;
beforeAll(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1', SANDBOX_CAPTCHA: 'true' } });
  await mountPages(shop.app, shop.deps, { dev: false });
  world = await makeWorld(shop.db, send, () => shop.clock.now);
});
afterAll(() => shop.close());

async function send({ method, host, target, headers, body }: FuzzRequest): Promise<Reply> {
  const asked = shop.app.request(`http://localhost${target}`, {
    method,
    headers: { ...headers, host },
    ...(body !== undefined && method !== 'HEAD' && method !== 'GET' && { body }),
  });
  const late = new Promise<never>((_, refuse) => {
    setTimeout(() => refuse(new Error('no answer')), answerWithinMs).unref();
  });
  const answer = await Promise.race([asked, late]);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Milliseconds of the main thread that a request takes. Those of other programs on the machine do not count. */
async function heldBy(shot: FuzzRequest): Promise<{ reply: Reply; ms: number }> {
  const before = process.threadCpuUsage();
  const reply = await send(shot);
  const { user, system } = process.threadCpuUsage(before);
  return { reply, ms: (user + system) / 1000 };
}

it(
  'whatever is asked, by whomever, is answered: never by a fault of ours, never late, and nobody waits for it',
  { timeout: 600_000, tags: 'slow' },
  async () => {
    const faults: string[] = [];
    const outgoing = watchOutgoingRequests();
    const kinds = new Map<string, number>();
    for (let index = 0; index < shots && faults.length < 20; index += 1) {
      if (index % 1000 === 0) await world.renew();
      const shot = shotNumber(index, seed, world);
      const { reply, ms } = await heldBy(shot);
      const fault = faultOf(shot, reply);
      if (fault !== undefined) faults.push(`shot ${index} of seed ${seed}: ${fault}\n${shown(shot)}`);
      // a collection of garbage may have come in between: what is slow is slow each time
      if (ms > heldAtMost) {
        const again = [await heldBy(shot), await heldBy(shot)].map((one) => one.ms);
        if (Math.min(...again) > heldAtMost)
          faults.push(`shot ${index} of seed ${seed}: held ${ms} ms\n${shown(shot)}`);
      }
      const kind = `${shot.at} ${reply.status < 300 ? 'done' : reply.status < 400 ? 'led on' : 'refused'}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    outgoing.stop();
    expect(faults.join('\n\n')).toBe('');
    expect(outgoing.requests).toEqual([]);
    // a volley that only ever meets the first check would prove nothing
    const done = [...kinds.keys()].filter((kind) => kind.endsWith(' done')).map((kind) => kind.split(' ')[0] ?? '');
    const reached = Object.keys(endpoints).filter((name) => done.includes(name));
    expect(reached.length).toBeGreaterThan(Object.keys(endpoints).length * 0.6);
    console.info(`${shots} shots of seed ${seed}; calls that were let through: ${reached.length}`);
  },
);

import { describe, expect, it } from 'vitest';
import type { Logger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { observed } from './observe-provider.ts';
import { readTraceparent, withTrace } from './trace-context.ts';

// as: only `warn` is called
const silent = { warn: () => {} } as unknown as Logger;

/** A provider that answers as told, and what is seen of it. */
function aProvider() {
  const lines: object[] = [];
  const metrics = createMetrics();
  let now = 0;
  let next: () => Promise<Response> = () => Promise.resolve(new Response());
  // as: only `warn` is called
  const log = { warn: (fields: object, text: string) => void lines.push({ ...fields, text }) } as unknown as Logger;
  const send = observed({ log, metrics }, 'bank', () => next(), { now: () => now, isRefusal: (body) => body === 'no' });
  return {
    lines,
    wait: (ms: number) => void (now += ms),
    call: async (answer: () => Promise<Response>) => {
      next = answer;
      await send('https://bank.example').catch(() => undefined);
    },
    counts: async (): Promise<Record<string, number>> => {
      const text = await metrics.registry.metrics();
      const found = text.matchAll(/provider_requests_total\{provider="bank",outcome="(\w+)"\} (\d+)/g);
      return Object.fromEntries(Array.from(found, ([, outcome = '', count]) => [outcome, Number(count)]));
    },
  };
}

const status = (code: number) => () => Promise.resolve(new Response(null, { status: code }));
const fails = (name: string) => () => Promise.reject(Object.assign(new Error('a secret'), { name }));

describe('a provider that is observed', () => {
  it('is counted by what came of each request', async () => {
    const bank = aProvider();
    for (const answer of [
      status(200),
      status(402),
      status(429),
      status(503),
      fails('TimeoutError'),
      fails('AbortError'),
      fails('TypeError'),
    ])
      await bank.call(answer);
    expect(await bank.counts()).toEqual({ ok: 1, refused: 1, error: 2, timeout: 2, connection: 1 });
  });

  it('has answered with a status 500 whose body is a refusal', async () => {
    const bank = aProvider();
    const refuses = (code: number, body: string) => () => Promise.resolve(new Response(body, { status: code }));
    for (const answer of [refuses(500, 'no'), refuses(500, 'busy'), refuses(429, 'no')]) await bank.call(answer);
    expect(await bank.counts()).toEqual({ refused: 1, error: 2 });
  });

  it('is logged once a minute while it is down, and once when it answers again', async () => {
    const bank = aProvider();
    for (let second = 0; second < 90; second += 1) {
      await bank.call(fails('TypeError'));
      bank.wait(1000);
    }
    await bank.call(status(402));
    await bank.call(status(200));
    expect(bank.lines).toEqual([
      { provider: 'bank', outcome: 'connection', failures: 1, text: 'a provider does not answer' },
      { provider: 'bank', outcome: 'connection', failures: 60, text: 'a provider does not answer' },
      { provider: 'bank', text: 'a provider answers again' },
    ]);
  });

  it('is not logged while it answers', async () => {
    const bank = aProvider();
    await bank.call(status(200));
    await bank.call(status(404));
    expect(bank.lines).toEqual([]);
  });

  it('receives the trace context of the request that causes its own, beside its other headers', async () => {
    const seen: Headers[] = [];
    const send = observed({ log: silent, metrics: createMetrics() }, 'bank', async (input, init) => {
      seen.push(new Request(input, init).headers);
      return new Response();
    });
    const header = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const body = { method: 'POST', body: '{}', headers: { authorization: 'key' } };
    await withTrace(readTraceparent(header), async () => {
      await send(new Request('https://bank.example', body));
      await send('https://bank.example', body);
    });
    await send('https://bank.example', body);
    expect(seen.map((headers) => [headers.get('traceparent'), headers.get('authorization')])).toEqual([
      [header, 'key'],
      [header, 'key'],
      [null, 'key'],
    ]);
  });
});

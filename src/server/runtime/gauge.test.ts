import { describe, expect, it } from 'vitest';
import { addGauge } from './gauge.ts';
import { createMetrics } from './metrics.ts';

const gauge = { name: 'waiting_seconds', help: 'of a test', label: 'lane' };

describe('a value that is read at each scrape', () => {
  it('is there, and disappears when it cannot be read', async () => {
    const metrics = createMetrics();
    let fails = false;
    addGauge(metrics, gauge, () => {
      if (fails) throw new Error('the database is down');
      return { a: 3 };
    });
    expect(await metrics.registry.metrics()).toContain('waiting_seconds{lane="a"} 3');
    fails = true;
    expect(await metrics.registry.metrics()).not.toContain('waiting_seconds{');
  });

  it('does not hold up the others when its read hangs, and is read again only afterwards', async () => {
    const metrics = createMetrics();
    let reads = 0;
    let end = (_: Record<string, number>) => {};
    addGauge(metrics, gauge, () => {
      reads += 1;
      return new Promise((resolve) => (end = resolve));
    });
    metrics.request('GET', '/', 200, 0.1);
    for (const _ of [1, 2]) {
      const text = await metrics.registry.metrics();
      expect(text).toContain('http_requests_total{');
      expect(text).not.toContain('waiting_seconds{');
    }
    expect(reads).toBe(1);
    end({ a: 1 });
    await new Promise(setImmediate);
    const next = metrics.registry.metrics();
    await new Promise(setImmediate);
    end({ a: 2 });
    expect(await next).toContain('waiting_seconds{lane="a"} 2');
    expect(reads).toBe(2);
  });
});

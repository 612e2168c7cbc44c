import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** Shorter than the patience of a scrape, 10 s. */
const gaugePatienceMs = 1500;

/**
 * Values that are read at each scrape, one for each value of a label. If they cannot be read in time, the metric has no
 * values, and the others are still there: `/readyz` says why. A read that hangs is not repeated beside itself.
 */
export function addGauge(
  { registry }: Pick<Metrics, 'registry'>,
  { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
  read: () => Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>,
): void {
  let running: Promise<Readonly<Record<string, number>>> | undefined;
  const readOnce = async () => read();
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: async () => {
      running ??= readOnce().finally(() => (running = undefined));
      const late = new AbortController();
      const none = sleep(gaugePatienceMs, {}, { signal: late.signal }).catch(() => ({}));
      const values = await Promise.race([running.catch(() => ({})), none]);
      late.abort();
      gauge.reset();
      for (const [value, number] of Object.entries(values)) gauge.set({ [label]: value }, number);
    },
  });
}

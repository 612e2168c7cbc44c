import { Counter, Histogram, type Registry } from 'prom-client';

export const counter = (registry: Registry, name: string, help: string, labelNames: string[] = []) =>
  new Counter({ name, help, labelNames, registers: [registry] });

export function histogram(registry: Registry, name: string, help: string, label: string, buckets: number[]) {
  return new Histogram({ name, help, labelNames: [label], buckets, registers: [registry] });
}

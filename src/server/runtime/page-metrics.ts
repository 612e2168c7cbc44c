import type { Registry } from 'prom-client';
import type { VitalsReport } from '#contract/vitals-report.ts';
import { counter, histogram } from './instruments.ts';

/** What browsers report of pages. */
export interface PageMetrics {
  /** a CSP violation */
  violation(rule: string, blocked: string): void;
  /** a page whose scripts did not start */
  notStarted(labels: { readonly engine: string; readonly reason: string; readonly repair: string }): void;
  /** what a visitor experienced of a page */
  vitals(report: VitalsReport): void;
}

export function pageMetrics(registry: Registry): Pick<PageMetrics, 'violation' | 'notStarted'> {
  const help = 'What pages wanted and their policy forbids';
  const violations = counter(registry, 'policy_violations_total', help, ['rule', 'blocked']);
  const notStarted = counter(
    registry,
    'storefront_not_started_total',
    'Pages whose scripts did not start, by engine, reason and what the page did about it',
    ['engine', 'reason', 'repair'],
  );
  return {
    violation: (rule, blocked) => violations.inc({ rule, blocked }),
    notStarted: (labels) => notStarted.inc(labels),
  };
}

export function vitalsMetrics(registry: Registry): Pick<PageMetrics, 'vitals'> {
  // the limits of "good" and "poor" are among the buckets (web.dev/articles/vitals)
  const paint = histogram(
    registry,
    'web_vitals_lcp_seconds',
    'Largest paint of pages',
    'route',
    [1, 1.8, 2.5, 4, 6, 10],
  );
  const input = histogram(registry, 'web_vitals_inp_seconds', 'Slowest interaction', 'route', [0.1, 0.2, 0.3, 0.5, 1]);
  const shift = histogram(registry, 'web_vitals_cls', 'Layout shift of pages', 'route', [0.01, 0.02, 0.1, 0.25, 0.5]);
  return {
    vitals: ({ route, LCP, INP, CLS }) => {
      if (LCP !== undefined) paint.observe({ route }, LCP / 1000);
      if (INP !== undefined) input.observe({ route }, INP / 1000);
      if (CLS !== undefined) shift.observe({ route }, CLS);
    },
  };
}

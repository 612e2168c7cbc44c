import { onCLS, onINP, onLCP, type Metric } from 'web-vitals';
import type { PathPattern } from '#contract/paths.ts';
import { vitalsReportPath, type VitalsReport } from '#contract/vitals-report.ts';

/**
 * Reports the web vitals of the page that was loaded, once it is hidden, when they are final. Pages that follow it
 * without a load count to it. A phone may discard a hidden page, so there is no later chance.
 */
export function reportVitals(route: PathPattern): void {
  const found: Partial<Record<Metric['name'], number>> = {};
  const keep = ({ name, value }: Metric) => void (found[name] = value);
  onLCP(keep);
  onINP(keep);
  onCLS(keep);
  let isSent = false;
  const send = () => {
    if (isSent || document.visibilityState !== 'hidden' || Object.keys(found).length === 0) return;
    isSent = true;
    const report: VitalsReport = { route, ...found };
    navigator.sendBeacon(vitalsReportPath, JSON.stringify(report));
  };
  // added after the listeners of the package, which finish the values at the same event
  document.addEventListener('visibilitychange', send);
}

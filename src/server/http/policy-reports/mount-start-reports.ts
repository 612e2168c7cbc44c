import * as v from 'valibot';
import { startReportPath, startReportSchema } from '#contract/start-report.ts';
import type { Deps } from '#server/deps.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import type { App } from '#server/runtime/request/request-context.ts';
import type { Metrics } from '../metrics.ts';
import { empty, limiter, readJson } from './mount-policy-reports.ts';

/**
 * POST /start-reports: pages whose scripts did not start. Each adds one count and one log line, with labels from lists
 * of ours. The limits are those of policy reports.
 */
export function mountStartReports(app: App, deps: Deps, metrics: Metrics): void {
  const isTooMany = limiter(deps.clock);
  app.post(startReportPath, async (c) => {
    c.set('route', startReportPath);
    const { ip, userAgent } = callerOf(c, deps.env);
    if (isTooMany(ip)) return empty(429);
    const report = v.safeParse(startReportSchema, await readJson(c, deps));
    if (!report.success) return empty(400);
    const labels = { engine: engineOf(userAgent), ...report.output };
    metrics.notStarted(labels);
    deps.log.warn({ ...labels, traceId: c.get('traceId') }, 'a page did not start');
    return empty(204);
  });
}

/** For statistics only: code never decides what an engine supports by its name. */
function engineOf(userAgent: string): 'firefox' | 'chromium' | 'webkit' | 'other' {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  return /AppleWebKit\//.test(userAgent) ? 'webkit' : 'other';
}

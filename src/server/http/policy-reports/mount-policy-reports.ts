import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import type { Deps } from '#server/deps.ts';
import { networksOf } from '#server/runtime/request/network.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import * as v from 'valibot';
import { vitalsReportPath, vitalsReportSchema } from '#contract/vitals-report.ts';
import { startReportPath, startReportSchema } from '#contract/start-report.ts';
import { matchPath, type PathPattern } from '#contract/paths.ts';

const path = '/policy-reports';
const group = 'policy';

/** CSP directives that send violations here; `report-uri` is for engines without `report-to`. */
export const reportDirectives = [`report-uri ${path}`, `report-to ${group}`] as const;

/** Response headers that such a policy needs. */
export const reportHeaders = {
  'Reporting-Endpoints': `${group}="${path}"`,
} as const;

const maxBytes = 16 * 1024;
const types = /^application\/(csp-report|reports\+json)\s*(;|$)/i;
const windowMs = 60_000;
/** Reports per minute of one network, of a wider network, and of all: further ones are neither read nor logged. */
export const limits = { one: 20, wide: 200, all: 600 };

/**
 * POST /policy-reports: CSP violations. A report is untrusted: it adds one log line and one count, both with labels of
 * our own, and the response is always empty.
 */
export function mountPolicyReports(app: App, deps: Deps): void {
  const isTooMany = limiter(deps.clock);
  app.post(path, async (c) => {
    c.set('route', path);
    if (!types.test(c.req.header('content-type') ?? '')) return empty(415);
    if (isTooMany(callerOf(c, deps.env).ip)) return empty(429);
    const violations = sumByDay(await readJson(c, deps), c.get('origin'));
    if (!violations) return empty(400);
    for (const violation of violations) {
      deps.metrics.violation(violation.rule, violation.blocked);
      deps.log.warn({ ...violation, traceId: c.get('traceId') }, 'a page violated its content security policy');
    }
    return empty(204);
  });
}

/** Counts reports by network, in memory, because a report is not worth a database row. */
function limiter(clock: () => number): (address: string) => boolean {
  // created on first use, because it allocates its whole table at once and most shops receive no report
  let counts: LRUCache<string, { count: number; until: number }> | undefined;
  const isOver = (key: string, tries: number) => {
    counts ??= new LRUCache({ max: 10_000 });
    const now = clock();
    const known = counts.get(key);
    const window = known && known.until > now ? known : { count: 0, until: now + windowMs };
    window.count += 1;
    counts.set(key, window);
    return window.count > tries;
  };
  return (address) => {
    const { near, wide } = networksOf(address);
    // a network over its limit does not use up the limit of all
    return isOver(near, limits.one) || (wide !== undefined && isOver(wide, limits.wide)) || isOver('all', limits.all);
  };
}

/** The body as JSON; undefined where it is too long or invalid. */
export async function readJson(c: Context<AppEnv>, deps: Deps): Promise<unknown> {
  try {
    return JSON.parse(await readText(c, deps, { maxBytes }));
  } catch (error) {
    // too long, or invalid JSON: ignored alike
    if (error instanceof SyntaxError || error instanceof ApiRefusal) return undefined;
    throw error;
  }
}

export function empty(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}

/**
 * POST /start-reports: pages whose scripts did not start. Each adds one count and one log line, with labels from lists
 * of ours. The limits are those of policy reports.
 */
export function mountStartReports(app: App, deps: Deps): void {
  const isTooMany = limiter(deps.clock);
  app.post(startReportPath, async (c) => {
    c.set('route', startReportPath);
    const { ip, userAgent } = callerOf(c, deps.env);
    if (isTooMany(ip)) return empty(429);
    const report = v.safeParse(startReportSchema, await readJson(c, deps));
    if (!report.success) return empty(400);
    const labels = { engine: engineOf(userAgent), ...report.output };
    deps.metrics.notStarted(labels);
    deps.log.warn({ ...labels, traceId: c.get('traceId') }, 'a page did not start');
    return empty(204);
  });
}

/** POST /vitals-reports: web vitals of a sample of visits. The limits are those of policy reports. */
export function mountVitalsReports(app: App, deps: Deps): void {
  const isTooMany = limiter(deps.clock);
  app.post(vitalsReportPath, async (c) => {
    c.set('route', vitalsReportPath);
    if (isTooMany(callerOf(c, deps.env).ip)) return empty(429);
    const report = v.safeParse(vitalsReportSchema, await readJson(c, deps));
    if (!report.success) return empty(400);
    deps.metrics.vitals(report.output);
    return empty(204);
  });
}

/** For statistics only: code never decides what an engine supports by its name. */
function engineOf(userAgent: string): 'firefox' | 'chromium' | 'webkit' | 'other' {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  return /AppleWebKit\//.test(userAgent) ? 'webkit' : 'other';
}

/** One violation in labels of our own: it contains no text of the browser or the caller. */
interface Violation {
  readonly rule: (typeof rules)[number] | 'other';
  readonly blocked: 'inline' | 'eval' | 'trusted-types' | 'own' | 'data' | 'extension' | 'elsewhere' | 'unknown';
  readonly page: PathPattern | 'other';
}

/** Directives of CSP Level 3 that our pages use or fall back from. */
const rules = [
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'worker-src',
  'require-trusted-types-for',
  'trusted-types',
] as const;

const labels: Readonly<Record<string, Violation['blocked']>> = {
  inline: 'inline',
  eval: 'eval',
  'wasm-eval': 'eval',
  'trusted-types-policy': 'trusted-types',
  'trusted-types-sink': 'trusted-types',
  data: 'data',
  blob: 'data',
};

const reported = v.optional(v.pipe(v.string(), v.maxLength(8192)), '');
const shortList = <S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.maxLength(20));

/** The format of `report-uri` (CSP Level 2). */
const oldSchema = v.object({
  'csp-report': v.object({
    'document-uri': reported,
    'effective-directive': reported,
    'violated-directive': reported,
    'blocked-uri': reported,
  }),
});

/** The format of `report-to` (Reporting API; CSP Level 3, 5.3). Other report types are ignored. */
const newSchema = shortList(
  v.object({
    type: reported,
    body: v.optional(
      v.nullable(v.object({ documentURL: reported, effectiveDirective: reported, blockedURL: reported })),
    ),
  }),
);

/** The violations in a report's JSON, sent by a browser at `origin`; undefined where it is not a report. */
function sumByDay(json: unknown, origin: string): Violation[] | undefined {
  const old = v.safeParse(oldSchema, json);
  if (old.success) {
    const { 'csp-report': report } = old.output;
    const rule = report['effective-directive'] || report['violated-directive'];
    return [violation(rule, report['blocked-uri'], report['document-uri'], origin)];
  }
  const sent = v.safeParse(newSchema, json);
  if (!sent.success) return undefined;
  return sent.output.flatMap(({ type, body }) => {
    if (!body || type !== 'csp-violation') return [];
    return [violation(body.effectiveDirective, body.blockedURL, body.documentURL, origin)];
  });
}

function violation(rule: string, blocked: string, page: string, origin: string): Violation {
  const [name = ''] = rule.split(' ');
  const address = URL.parse(page);
  return {
    rule: rules.find((known) => known === name) ?? 'other',
    blocked: blockedOf(blocked, origin),
    page: (address?.host === new URL(origin).host && matchPath(address.pathname)) || 'other',
  };
}

function blockedOf(blocked: string, origin: string): Violation['blocked'] {
  if (Object.hasOwn(labels, blocked)) return labels[blocked] ?? 'unknown';
  const address = URL.parse(blocked);
  if (!address) return 'unknown';
  if (address.protocol.endsWith('-extension:')) return 'extension';
  if (address.protocol === 'data:' || address.protocol === 'blob:') return 'data';
  return address.host === new URL(origin).host ? 'own' : 'elsewhere';
}

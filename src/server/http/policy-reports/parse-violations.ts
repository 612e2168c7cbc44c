import * as v from 'valibot';
import { matchPath, type PathPattern } from '#contract/paths.ts';

/** One violation in labels of our own: it contains no text of the browser or the caller. */
export interface Violation {
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
export function sumByDay(json: unknown, origin: string): Violation[] | undefined {
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

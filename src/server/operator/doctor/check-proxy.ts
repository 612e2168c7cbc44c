import * as v from 'valibot';
import { callerPath, callerProof } from '#server/runtime/request/caller.ts';
import { noteFinding, okFinding, reasonOf, request, wrongFinding, type Finding } from './finding.ts';

/** What `describeCaller` returns. */
const callerSchema = v.object({
  peer: v.string(),
  isTrusted: v.boolean(),
  client: v.string(),
  isClientTrusted: v.boolean(),
  scheme: v.string(),
  forwardedFor: v.nullable(v.string()),
  clientOfCdn: v.nullable(v.string()),
});

type Caller = v.InferOutput<typeof callerSchema>;

/** An address for documentation (RFC 5737), which no caller has. */
const forged = '192.0.2.1';

const sharedLimits = 'all customers share one address, and the mistakes of a few lock out everyone';

/** Whether the shop knows its customers behind the proxies of this address: what it sees of two requests of ours. */
export async function checkProxy({ origin, hostname }: URL, token: string | undefined): Promise<Finding[]> {
  if (token === undefined) return [];
  const what = `proxy of ${hostname}`;
  try {
    const seen = await ask(origin, token);
    if (!seen) {
      return [
        noteFinding(
          what,
          `${origin}${callerPath} does not say what the shop sees; its process runs another version, or has another ` +
            'METRICS_TOKEN',
        ),
      ];
    }
    const wrong = problemOf(seen) ?? (await problemOfForged(origin, token, seen));
    const scheme = `passes on the wrong scheme, so links lead to ${seen.scheme}; let it set X-Forwarded-Proto to https`;
    const found = [
      ...(wrong === undefined ? [] : [wrongFinding(what, wrong)]),
      ...(seen.isTrusted && seen.scheme !== 'https' ? [wrongFinding(what, scheme)] : []),
    ];
    return found.length > 0 ? found : [okFinding(what, 'is in TRUST_PROXY, and passes on address and scheme')];
  } catch (error) {
    return [wrongFinding(what, `${origin}${callerPath} ${reasonOf(error)}`)];
  }
}

async function ask(origin: string, token: string, headers: Record<string, string> = {}): Promise<Caller | undefined> {
  const answer = await request(origin + callerPath, { headers: { authorization: callerProof(token), ...headers } });
  const text = await answer.text();
  if (answer.status !== 200 || answer.headers.get('content-type')?.includes('json') !== true) return undefined;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), callerSchema), text);
  return parsed.success ? parsed.output : undefined;
}

/** The doctor sends no X-Forwarded-For, so the first entry is its own address, written by the outermost proxy. */
function problemOf({ peer, isTrusted, client, forwardedFor, clientOfCdn }: Caller): string | undefined {
  if (!isTrusted) return `at ${peer} is not in TRUST_PROXY, so ${sharedLimits}; add ${peer} to TRUST_PROXY`;
  if (forwardedFor === null)
    return `at ${peer} does not pass on the address of customers, so ${sharedLimits}; let it set X-Forwarded-For`;
  const first = clientOfCdn ?? forwardedFor.split(',')[0]?.trim() ?? '';
  if (first === client) return undefined;
  return (
    `takes another proxy at ${client} for the customer, so ${sharedLimits}; add the addresses of that proxy to ` +
    'TRUST_PROXY, and let each proxy append to X-Forwarded-For'
  );
}

/** Where the doctor itself has the address of a trusted proxy, what it sends is believed, and nothing can be said. */
async function problemOfForged(origin: string, token: string, seen: Caller): Promise<string | undefined> {
  if (seen.isClientTrusted) return undefined;
  const lied = await ask(origin, token, { 'x-forwarded-for': forged });
  if (lied?.client !== forged) return undefined;
  return (
    'lets callers choose their address, so limits do not stop an attacker; let the first proxy replace ' +
    'X-Forwarded-For, and name nothing but proxies in TRUST_PROXY'
  );
}

import type { Deps } from '#server/deps.ts';
import type { ProviderOutcome } from './metrics.ts';
import { traceparent } from './trace-context.ts';

const minuteMs = 60_000;

type Observers = Pick<Deps, 'log' | 'metrics'>;

interface ObserverOptions {
  /** milliseconds */
  readonly now?: () => number;
  /** whether the body of a status 5xx is the answer of a provider that works, which refuses the request */
  readonly isRefusal?: (body: string) => boolean;
}

/**
 * Measures the requests of a client, counts their outcomes, and passes on the trace context of the request that causes
 * them. A provider that does not answer is logged once a minute with the number of failures since, and once when it
 * answers again. No log line contains any part of a request, because that may contain a card. `name` is a label of
 * metrics.
 */
export function observed(
  { log, metrics }: Observers,
  name: string,
  send: typeof fetch,
  { now = () => performance.now(), isRefusal }: ObserverOptions = {},
): typeof fetch {
  let failures = 0;
  let loggedAt = -Infinity;
  const note = (outcome: ProviderOutcome, startedAt: number) => {
    metrics.providerRequest(name, outcome, (now() - startedAt) / 1000);
    if (outcome === 'ok' || outcome === 'refused') {
      if (failures > 0 || loggedAt > -Infinity) log.warn({ provider: name }, 'a provider answers again');
      failures = 0;
      loggedAt = -Infinity;
      return;
    }
    failures += 1;
    if (now() - loggedAt < minuteMs) return;
    log.warn({ provider: name, outcome, failures }, 'a provider does not answer');
    failures = 0;
    loggedAt = now();
  };
  return async (input, init) => {
    const startedAt = now();
    try {
      const response = await send(input, withTraceparent(input, init));
      note(await outcomeOf(response, isRefusal), startedAt);
      return response;
    } catch (error) {
      note(isTimeout(error) ? 'timeout' : 'connection', startedAt);
      throw error;
    }
  };
}

/** A request has its own headers, which those of `init` would replace. */
function withTraceparent(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): RequestInit | undefined {
  const header = traceparent();
  if (header === undefined) return init;
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  headers.set('traceparent', header);
  return { ...init, headers };
}

/** A provider that limits requests does not answer this one either. */
async function outcomeOf(response: Response, isRefusal: ObserverOptions['isRefusal']): Promise<ProviderOutcome> {
  const { status, ok } = response;
  if (status < 500 && status !== 429) return ok ? 'ok' : 'refused';
  return status !== 429 && isRefusal?.(await response.clone().text()) === true ? 'refused' : 'error';
}

/** Stripe's package aborts its own requests. */
const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

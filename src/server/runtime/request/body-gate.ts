import type { Context } from 'hono';
import { ApiRefusal, createBusyRefusal } from './api-error.ts';
import { callerOf } from './caller.ts';
import type { Env } from '#server/env.ts';
import { networksOf } from './network.ts';
import type { AppEnv, RequestContext } from './request-context.ts';

/** Concurrent bodies of one session, plus as many files; further bodies wait, and further files are refused. */
const ofSession = 2;
/** The same for callers without a session: a carrier's customers share an IPv4 address. */
const ofNetwork = 128;
/** The same for the /48 of an IPv6 address, which one customer can have: all of its bodies take 16 MiB at most. */
const ofWideNetwork = 256;
/** How many bodies of one caller may wait; further ones are refused with `serviceBusy`. */
const mostWaiting = 64;
/** How long a body waits for its turn, in milliseconds: as long as an earlier one may take (`smallBodyTimeMs`). */
const waitMs = 20_000;

/** Limits of bodies; a label of a metric (runtime/metrics.ts). */
type LimitName = 'body_time' | 'body_count' | 'body_memory';

export interface BodyGateDeps {
  readonly env: Pick<Env, 'TRUST_PROXY'>;
  readonly metrics: { refused(limit: LimitName, brand: string): void };
}

/** The permission to read one body, which only the gate grants. */
class Admission {
  /** counts a body that a limit refused */
  readonly refused: (limit: LimitName) => void;
  // makes the type nominal: an object literal cannot be an admission
  readonly #granted = true;
  constructor(refused: (limit: LimitName) => void) {
    this.refused = refused;
  }
  get isGranted(): boolean {
    return this.#granted;
  }
}
export type { Admission };

interface Inside {
  count: number;
  readonly waiting: Set<() => void>;
}

interface Limit {
  readonly key: string;
  readonly most: number;
}

const callers = new Map<string, Inside>();

interface GateOptions {
  /** the sender, where a session is known; otherwise the networks of its address count */
  readonly session?: Pick<RequestContext, 'user' | 'tokenHash'>;
  /** false for a file, which is refused where it would have to wait */
  readonly waits?: boolean;
}

/**
 * Reads a body as one of the few that its caller may send concurrently. A waiting body is not read, so TCP backpressure
 * pauses its sender. Refuses with `serviceBusy`: 429 where one session sends too many, 503 where a network does.
 */
export async function passBodyGate<T>(
  c: Context<AppEnv>,
  { env, metrics }: BodyGateDeps,
  { session, waits = true }: GateOptions,
  read: (admission: Admission) => Promise<T>,
): Promise<T> {
  const brand = c.get('brand')?.code ?? 'none';
  const refused = (limit: LimitName) => metrics.refused(limit, brand);
  const user = session?.user ? session.tokenHash : undefined;
  // a file may take a minute, and must not delay other calls of its session
  const sent = waits ? 'bodies' : 'files';
  const limits = user ? [{ key: `${sent} of session ${user}`, most: ofSession }] : networkLimits(callerOf(c, env).ip);
  const taken: Limit[] = [];
  try {
    for (const limit of limits) {
      if (!(await acquirePlace(limit, waits))) {
        refused('body_count');
        throw user ? new ApiRefusal('serviceBusy', createBusyRefusal().params, 429) : createBusyRefusal();
      }
      taken.push(limit);
    }
    return await read(new Admission(refused));
  } finally {
    for (const limit of taken) releasePlace(limit);
  }
}

function networkLimits(ip: string): Limit[] {
  const { near, wide } = networksOf(ip);
  const around = wide === undefined ? [] : [{ key: `network ${wide}`, most: ofWideNetwork }];
  return [{ key: `network ${near}`, most: ofNetwork }, ...around];
}

/** Whether there is a place, at once or after waiting. */
async function acquirePlace({ key, most }: Limit, waits: boolean): Promise<boolean> {
  const inside = callers.get(key) ?? { count: 0, waiting: new Set() };
  callers.set(key, inside);
  if (inside.count < most) {
    inside.count += 1;
    return true;
  }
  if (!waits || inside.waiting.size >= mostWaiting) return false;
  return new Promise((resolve) => {
    const call = () => {
      clearTimeout(timeout);
      resolve(true);
    };
    const timeout = setTimeout(() => {
      inside.waiting.delete(call);
      resolve(false);
    }, waitMs);
    inside.waiting.add(call);
  });
}

/** The place passes directly to the next waiting request. */
function releasePlace({ key }: Limit): void {
  const inside = callers.get(key);
  if (!inside) return;
  const [next] = inside.waiting;
  if (next) {
    inside.waiting.delete(next);
    next();
    return;
  }
  inside.count -= 1;
  if (inside.count === 0) callers.delete(key);
}

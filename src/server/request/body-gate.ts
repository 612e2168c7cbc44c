import { busy } from './api-error.ts';
import { networksOf } from './network.ts';
import type { RequestContext } from './request-context.ts';

/** Bodies that one session sends at the same time; those beyond wait for their turn, and files are refused. */
const ofSession = 2;
/** The same of callers without a session: a carrier's customers share an IPv4 address. */
const ofNetwork = 128;
/** How many bodies of one caller may wait; any more are refused with -24040. */
const mostWaiting = 64;

interface Inside {
  count: number;
  readonly waiting: (() => void)[];
}

const callers = new Map<string, Inside>();

/**
 * Reads a body as one of the few that its caller sends at the same time ([Note: Bodies]). What waits is not read, so the
 * connection holds it back.
 */
export async function throughGate<T>(
  { user, tokenHash, ip }: Pick<RequestContext, 'user' | 'tokenHash' | 'ip'>,
  { waits }: { readonly waits: boolean },
  read: () => Promise<T>,
): Promise<T> {
  const key = user ? `session ${tokenHash}` : `network ${networksOf(ip).near}`;
  const most = user ? ofSession : ofNetwork;
  const inside = callers.get(key) ?? { count: 0, waiting: [] };
  callers.set(key, inside);
  if (inside.count < most) inside.count += 1;
  else if (!waits || inside.waiting.length >= mostWaiting) throw busy();
  // the place passes straight to the next request that waits
  else await new Promise<void>((resolve) => inside.waiting.push(resolve));
  try {
    return await read();
  } finally {
    const next = inside.waiting.shift();
    if (next) next();
    else inside.count -= 1;
    if (inside.count === 0) callers.delete(key);
  }
}

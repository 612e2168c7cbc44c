import { hydrate, type Query, type QueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { queryInfo } from '#contract/account.ts';
import { listCoupons } from '#contract/coupons.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { order, orders, paymentInfo, service } from '#contract/orders.ts';
import { receipts } from '#contract/receipts.ts';
import { renewInfo } from '#contract/renewal.ts';
import { cloud } from '#contract/site.ts';
import { ownSettings } from '#contract/settings.ts';
import { readAllWithPrefix, storedAsync } from './stored-async.ts';
import { withinLimit } from './time-limit.ts';

/**
 * The endpoints whose answers the signed-in customer can see offline: orders, account, settings, renewal, receipts, a
 * valid code.
 */
const savedEndpoints: readonly Endpoint[] = [
  orders,
  order,
  service,
  queryInfo,
  renewInfo,
  paymentInfo,
  receipts,
  listCoupons,
  cloud,
  ownSettings,
];
const resultOf = new Map(savedEndpoints.map(({ name, result }) => [name, result]));

/** Only the newest are stored, so that years of orders do not fill the phone. */
const maxCopies = 60;

const copySchema = v.object({
  /** name and input of the call; an array, because a tuple's parser would be part of every first page */
  queryKey: v.array(v.unknown()),
  data: v.unknown(),
  /** when the server sent it, in epoch milliseconds of this device */
  at: v.number(),
});
type Copy = v.InferOutput<typeof copySchema>;

export interface OpenCopies {
  /**
   * resolves when the copies are in the query client, or when the store is too slow: then they arrive later, or never
   */
  readonly restored: Promise<void>;
  /** stops saving, also of pending answers */
  readonly close: () => void;
}

/**
 * Restores the customer's copies into the query client and updates them from then on, each answer separately as it
 * arrives. So a failed request removes no copy, copies of other tabs stay, and a copy that is no longer in memory is
 * still on disk.
 */
export function savePersonalCopies(queryClient: QueryClient, uid: string): OpenCopies {
  let closed = false;
  const save = (query: Query) => {
    const { queryKey, queryHash, state } = query;
    if (closed || state.data === undefined || !schemaOf(queryKey)) return;
    void copyOf(uid, queryHash).set({ queryKey: queryKey.slice(), data: state.data, at: state.dataUpdatedAt });
  };
  for (const { name } of savedEndpoints) queryClient.setQueryDefaults([name], { gcTime: Infinity });
  const cache = queryClient.getQueryCache();
  cache.getAll().forEach(save);
  const stop = cache.subscribe((event) => {
    // as: the library types any key and any data
    if (event.type === 'updated' && event.action.type === 'success') save(event.query as Query);
  });
  // before the restore, so that no page takes a copy for a fresh answer
  markSavedCopies();
  const restore = async () => {
    const copies = await readCopies(uid);
    if (!closed) hydrate(queryClient, { queries: copies.map(asQuery) });
  };
  return {
    restored: withinLimit(restore),
    close: () => {
      closed = true;
      stop();
    },
  };
}

const copyOf = (uid: string, hash: string) => storedAsync(`copy.${uid}.${hash}`, copySchema);

const schemaOf = ([name]: readonly unknown[]) => resultOf.get(String(name));

type Named = Copy & { readonly hash: string };

/** The copies that fit the contract; copies that are too old or too many are removed. */
async function readCopies(uid: string): Promise<Named[]> {
  const start = `copy.${uid}.`;
  const found = await readAllWithPrefix(start);
  const whole = found.flatMap(([name, value]) => {
    const copy = wholeCopy(value);
    return copy ? [{ ...copy, hash: name.slice(start.length) }] : [];
  });
  const copies = whole.sort((a, b) => b.at - a.at).slice(0, maxCopies);
  const shown = new Set(copies.map(({ hash }) => hash));
  const outdated = found.map(([name]) => name.slice(start.length)).filter((hash) => !shown.has(hash));
  await Promise.all(outdated.map((hash) => copyOf(uid, hash).remove()));
  return copies;
}

function wholeCopy(value: unknown): Copy | undefined {
  const copy = v.safeParse(copySchema, value);
  if (!copy.success || copy.output.at < Date.now() - sessionLengthMs) return undefined;
  const schema = schemaOf(copy.output.queryKey);
  const data = schema && v.safeParse(schema, copy.output.data);
  return data?.success ? { ...copy.output, data: data.output } : undefined;
}

/**
 * A copy is for showing at once, or offline. However recent it is, its content may have changed (an order that was just
 * paid), so it is refetched when it is shown.
 */
function asQuery({ queryKey, hash, data, at }: Named) {
  return {
    queryKey,
    queryHash: hash,
    dehydratedAt: at,
    meta: { personal: true },
    state: {
      data,
      dataUpdatedAt: at,
      dataUpdateCount: 1,
      status: 'success' as const,
      isInvalidated: true,
      fetchStatus: 'idle' as const,
      ...nothingFailed,
    },
  };
}

const nothingFailed = {
  error: null,
  errorUpdateCount: 0,
  errorUpdatedAt: 0,
  fetchFailureCount: 0,
  fetchFailureReason: null,
  fetchMeta: null,
};

let openedAt = -Infinity;

/** Call when copies of an earlier visit are restored. */
export function markSavedCopies(): void {
  openedAt = Date.now();
}

/** Whether an answer of `readAt` (epoch milliseconds of this device) may be a copy of an earlier visit. */
export function mayBeSavedCopy(readAt: number): boolean {
  return readAt < openedAt;
}

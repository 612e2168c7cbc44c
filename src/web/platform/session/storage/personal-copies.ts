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
import { markSavedCopies } from './saved-copies.ts';
import { allOf, storedAsync } from './stored-async.ts';
import { withinLimit } from './time-limit.ts';

/** What the signed-in customer may see without network: own orders, account, settings, renewal, receipts, a live code. */
const kept: readonly Endpoint[] = [
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
const resultOf = new Map(kept.map(({ name, result }) => [name, result]));

/** The newest ones stay; somebody who reads through years of orders does not fill the phone. */
const most = 60;

const copySchema = v.object({
  /** name and input of the call; an array, because a tuple's parser would come with the first page of everybody */
  queryKey: v.array(v.unknown()),
  data: v.unknown(),
  /** when the shop gave it, epoch milliseconds of this device */
  at: v.number(),
});
type Copy = v.InferOutput<typeof copySchema>;

export interface OpenCopies {
  /** the customer's copies are among the answers, or the store is slow: then they come later, or never */
  readonly restored: Promise<void>;
  /** nothing is saved from now on, not even what is under way */
  readonly close: () => void;
}

/**
 * Brings the customer's copies back into the query client and keeps them up to date from then on: each answer by itself,
 * as it comes. So a request that fails takes no copy away, another tab's copies stay, and one that memory has no room
 * for is still on the disk.
 */
export function savePersonalCopies(queryClient: QueryClient, uid: string): OpenCopies {
  let closed = false;
  const save = (query: Query) => {
    const { queryKey, queryHash, state } = query;
    if (closed || state.data === undefined || !schemaOf(queryKey)) return;
    void copyOf(uid, queryHash).set({ queryKey: queryKey.slice(), data: state.data, at: state.dataUpdatedAt });
  };
  for (const { name } of kept) queryClient.setQueryDefaults([name], { gcTime: Infinity });
  const cache = queryClient.getQueryCache();
  cache.getAll().forEach(save);
  const stop = cache.subscribe((event) => {
    // as: the library says any key, any data
    if (event.type === 'updated' && event.action.type === 'success') save(event.query as Query);
  });
  // before them, so that no page ever takes one for news
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

/** Those that still are what the contract says; what is too old, or too much, goes. */
async function readCopies(uid: string): Promise<Named[]> {
  const start = `copy.${uid}.`;
  const found = await allOf(start);
  const whole = found.flatMap(([name, value]) => {
    const copy = wholeCopy(value);
    return copy ? [{ ...copy, hash: name.slice(start.length) }] : [];
  });
  const copies = whole.sort((a, b) => b.at - a.at).slice(0, most);
  const shown = new Set(copies.map(({ hash }) => hash));
  const gone = found.map(([name]) => name.slice(start.length)).filter((hash) => !shown.has(hash));
  await Promise.all(gone.map((hash) => copyOf(uid, hash).remove()));
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
 * A copy is for showing at once, or without network. However young it is, what it tells of may have moved since: an
 * order that was paid on the page before, for instance. So it is asked for again when it is looked at.
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

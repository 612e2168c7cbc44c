import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { seededRandom } from '../seeded-random.ts';
import { fuzzRequestToRoute } from './routes-outside-contract.ts';
import { fuzzRequestTo, type FuzzRequest } from './fuzz-request.ts';
import type { World } from './world.ts';

const calls: readonly Endpoint[] = Object.values(endpoints);

/** One of this many requests goes to a path outside the contract. */
const doorsEvery = 8;

/** The request with a number for a seed. The endpoints are used in turn, so that none is omitted. */
export function shotNumber(index: number, seed: number, world: World): FuzzRequest {
  const chance = seededRandom((seed + Math.imul(index, 0x9e3779b1)) >>> 0);
  if (index % doorsEvery === 0) return fuzzRequestToRoute(chance, world);
  const endpoint = calls[index % calls.length];
  if (!endpoint) throw new RangeError('there are no calls');
  return fuzzRequestTo(endpoint, chance, world);
}

import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import { chanceOf } from '../seeded-random.ts';
import { shotAtDoor } from './doors.ts';
import { shotAt, type Shot } from './shot.ts';
import type { World } from './world.ts';

const calls: readonly Endpoint[] = Object.values(endpoints);

/** One of so many requests goes to what is beside the contract. */
const doorsEvery = 8;

/** The request with this number of the volley that a seed makes: all calls take turns, so that none is left out. */
export function shotNumber(index: number, seed: number, world: World): Shot {
  const chance = chanceOf((seed + Math.imul(index, 0x9e3779b1)) >>> 0);
  if (index % doorsEvery === 0) return shotAtDoor(chance, world);
  const endpoint = calls[index % calls.length];
  if (!endpoint) throw new RangeError('there are no calls');
  return shotAt(endpoint, chance, world);
}

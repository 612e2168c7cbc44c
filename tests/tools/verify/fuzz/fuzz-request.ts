import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import type { Endpoint } from '#contract/endpoint.ts';
import { languages } from '#contract/fields.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { hostileTexts, hostileValue, corruptValue, spoiltJson } from './hostile-values.ts';
import { valueForSchema } from './schema-value.ts';
import type { Right, World } from './world.ts';

/** One generated request. */
export interface FuzzRequest {
  /** the endpoint or path that it is sent to */
  readonly at: string;
  readonly method: string;
  readonly host: string;
  /** path and query */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

type Texts = Record<string, string>;

/** The probability that a part of a request is valid. */
const validProbability = 0.45;

/** A random request to an endpoint: valid, or with one or several errors. */
export function fuzzRequestTo(endpoint: Endpoint, chance: SeededRandom, world: World): FuzzRequest {
  const actor = chance.pick(world.actors);
  const validInputs = world.inputs(endpoint.name);
  const right: Partial<Right> = validInputs.length > 0 && chance.is(0.6) ? chance.pick(validInputs) : {};
  const part = (name: 'params' | 'query' | 'body', schema: v.GenericSchema | undefined) => {
    if (!schema)
      return chance.is(0.05) ? { [chance.pick(['x', '__proto__', 'language'])]: chance.pick(hostileTexts) } : {};
    const fit = right[name] ?? valueForSchema(schema, chance, world.words);
    return chance.is(validProbability) ? fit : corruptValue(chance.is(0.3) ? corruptValue(fit, chance) : fit, chance);
  };
  const params = part('params', endpoint.params);
  const query = part('query', endpoint.query);
  const owner = right.actor && chance.is(0.85) ? right.actor : actor;
  return {
    at: endpoint.name,
    method: chance.is(0.02) ? chance.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) : endpoint.method,
    host: chance.is(0.03) ? chance.pick(['evil.example', 'localhost:99999', 'mego.localhost']) : owner.host,
    target: pathOf(endpoint.path, params) + searchOf(query, chance),
    headers: headersFor(endpoint, owner.token, chance),
    ...(endpoint.method === 'POST' && { body: bodyOf(endpoint, part('body', endpoint.body), chance) }),
  };
}

/** Like `encodeURIComponent`, also for values other than strings and for lone surrogates, which it rejects. */
export function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function pathOf(path: string, params: unknown): string {
  const given = new Map(isRecord(params) ? Object.entries(params) : []);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(given.get(name) ?? '').slice(0, 6000));
}

const brokenEscapes = ['%', '%ff', '%c0%80', '%ed%a0%80', '%u0000', '%2'];

export function searchOf(query: unknown, chance: SeededRandom): string {
  if (!(query instanceof Object)) return '';
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const [first = 'a=b'] = pairs;
  if (chance.is(0.05)) pairs.push(first);
  if (chance.is(0.04))
    pairs.push(`${chance.pick(['x', 'language', 'a[]', '__proto__'])}=${chance.pick(brokenEscapes)}`);
  return pairs.length > 0 ? `?${pairs.join('&')}`.slice(0, 12_000) : '';
}

const garbage = [
  '',
  ' ',
  'x',
  'null',
  'Bearer x',
  '*',
  ';;;',
  '0',
  '\u00ff\u00fe',
  'a'.repeat(4000),
  '"',
  '../../..',
  ','.repeat(500),
];
const corruptibleHeaders = [
  'Authorization',
  'Language',
  'Client-Type',
  'Scene',
  'fingerprint',
  'X-Request-Id',
  'Idempotency-Key',
  'Content-Type',
  'Accept-Language',
  'Accept-Encoding',
  'Cookie',
  'User-Agent',
  'X-Forwarded-Proto',
  'CF-IPCountry',
  'If-None-Match',
  'Range',
  'Origin',
  'Referer',
  'Accept',
];

function headersFor(endpoint: Endpoint, token: string, chance: SeededRandom): Texts {
  const signedIn = endpoint.access === 'public' ? 0.3 : 0.9;
  return {
    ...usualHeaders(chance),
    Authorization: chance.is(signedIn) ? token : 'null',
    ...(endpoint.method === 'POST' && { 'Content-Type': chance.is(0.97) ? 'application/json' : chance.pick(garbage) }),
    ...(endpoint.idempotent && { 'Idempotency-Key': chance.is(0.95) ? randomUUID() : chance.pick(garbage) }),
    ...(chance.is(0.1) && { [chance.pick(corruptibleHeaders)]: chance.pick(garbage) }),
  };
}

/** Each request comes from another network, so that rate limits do not hide the code behind them. */
export function usualHeaders(chance: SeededRandom): Texts {
  const address = `10.${chance.digits(2)}.${chance.digits(2)}.${1 + Number(chance.digits(2))}`;
  return {
    'X-Forwarded-For': address.replaceAll(/\.0(\d)/g, '.$1'),
    Language: chance.pick(languages),
    ...(chance.is(0.2) && { Scene: 'STB' }),
  };
}

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]);

function bodyOf(endpoint: Endpoint, value: unknown, chance: SeededRandom): string | Uint8Array<ArrayBuffer> {
  if (endpoint.file) return chance.is(0.5) ? picture : noise(chance);
  const whole = chance.is(0.03) ? hostileValue(chance) : value;
  const json = JSON.stringify(whole) ?? '';
  if (chance.is(0.06)) return spoiltJson(json, chance);
  return chance.is(0.02) ? noise(chance) : json;
}

/** Random bytes. */
export function noise(chance: SeededRandom): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: Math.floor(chance.next() * 400) }, () => Math.floor(chance.next() * 256));
}

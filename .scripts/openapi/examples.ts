import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Endpoint } from '#contract/endpoint.ts';

interface Example {
  readonly body?: unknown;
  readonly result: unknown;
}

/** Recorded from the demo and its tests; lists are cut to two entries. */
const file = new URL('examples.json', import.meta.url);
// as: each example is parsed below by the schema of its call
const examples = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Example>>;

/** The example of a body, or of the whole answer, of a call. Throws if it does not fit the contract. */
export function exampleOf(endpoint: Endpoint, part: 'body' | 'result'): { example?: unknown } {
  const { name, payload, body, result } = endpoint;
  const example = examples[name];
  const value = example?.[part];
  if (value === undefined) return {};
  const schema = part === 'body' ? body : result;
  const parsed = schema && v.safeParse(schema, value);
  if (!parsed?.success) throw new Error(`The ${part} in examples.json does not fit ${name}`);
  return { example: part === 'body' ? value : { code: 0, [payload]: value, traceId: exampleTraceId } };
}

const exampleTraceId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

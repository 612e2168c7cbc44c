import fc from 'fast-check';
import * as v from 'valibot';
import { textSchema } from '#contract/fields.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** Existing values of the shop by the name of the field that accepts them. */
export type Words = Readonly<Record<string, readonly string[]>>;

/** The parts of a valibot schema that determine valid values. */
interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly key?: SchemaNode;
  readonly value?: SchemaNode;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly pipe?: readonly (SchemaNode | Rule)[];
}

interface Rule {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
}

/** A value that nearly always fits a schema of the contract: preferably an existing value, or else a generated one. */
export function valueForSchema(schema: v.GenericSchema, chance: SeededRandom, words: Words, name = ''): unknown {
  return fittingValue(schema, chance, words, name);
}

function fittingValue(schema: SchemaNode, chance: SeededRandom, words: Words, name: string): unknown {
  const inner = (one: SchemaNode, as = name) => fittingValue(one, chance, words, as);
  switch (schema.type) {
    case 'object':
    case 'strict_object':
      return Object.fromEntries(
        Object.entries(schema.entries ?? {})
          .map(([key, entry]) => [key, inner(entry, key)])
          .filter(([, value]) => value !== undefined),
      );
    case 'optional':
      return chance.is(0.6) && schema.wrapped ? inner(schema.wrapped) : undefined;
    case 'nullable':
    case 'nullish':
      return chance.is(0.7) && schema.wrapped ? inner(schema.wrapped) : null;
    case 'array':
      return Array.from({ length: 1 + Math.floor(chance.next() * 3) }, () => schema.item && inner(schema.item));
    case 'record':
      return Object.fromEntries(
        Array.from({ length: 2 }, () => [schema.key && inner(schema.key), schema.value && inner(schema.value)]),
      );
    case 'picklist':
      return chance.pick(schema.options ?? ['']);
    case 'union':
    case 'variant':
      // as: the options of these two are schemas
      return inner(chance.pick((schema.options ?? []) as readonly SchemaNode[]));
    case 'literal':
      return schema.literal;
    case 'boolean':
      return chance.is(0.5);
    case 'number':
      return numberFor(rulesOf(schema), chance);
    default:
      return textFor(schema, chance, words, name);
  }
}

/** The rules of a pipe and of the pipes inside it. */
function rulesOf(schema: SchemaNode): Rule[] {
  return (schema.pipe ?? []).flatMap((part) => {
    if ('pipe' in part && part !== schema) return rulesOf(part);
    return 'kind' in part && part.kind !== 'schema' ? [part] : [];
  });
}

function numberFor(rules: readonly Rule[], chance: SeededRandom): number {
  const bound = (type: string, usual: number) => Number(rules.find((rule) => rule.type === type)?.requirement ?? usual);
  const [low, high] = [bound('min_value', 0), bound('max_value', 100)];
  return low + Math.floor(chance.next() * (high - low + 1));
}

function textFor(schema: SchemaNode, chance: SeededRandom, words: Words, name: string): string {
  const real = (words[name] ?? []).filter((word) => v.is(schema as unknown as v.GenericSchema, word));
  if (real.length > 0 && chance.is(0.8)) return chance.pick(real);
  const samples = samplesOf(schema, chance);
  return samples.length > 0 ? chance.pick(samples) : 'abcdef';
}

const sampleCache = new WeakMap<SchemaNode, readonly string[]>();

/** Valid texts, generated once per schema: one takes as long as a hundred requests. */
function samplesOf(schema: SchemaNode, chance: SeededRandom): readonly string[] {
  const cached = sampleCache.get(schema);
  if (cached) return cached;
  const seed = Math.floor(chance.next() * 2 ** 31);
  const own = String(textSchema.pipe[1].requirement);
  const patterns = rulesOf(schema).flatMap(({ requirement }) =>
    requirement instanceof RegExp && String(requirement) !== own ? [requirement] : [],
  );
  const any = [fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.uuid(), fc.webUrl()];
  const generated = [...patterns.flatMap(matching), ...any].flatMap((one) => fc.sample(one, { numRuns: 30, seed }));
  const fit = generated.filter((text) => v.is(schema as unknown as v.GenericSchema, text));
  sampleCache.set(schema, fit);
  return fit;
}

function matching(pattern: RegExp): fc.Arbitrary<string>[] {
  try {
    return [fc.stringMatching(pattern)];
  } catch {
    // fast-check does not support the pattern; the other texts are used
    return [];
  }
}

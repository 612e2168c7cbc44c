import fc from 'fast-check';
import * as v from 'valibot';
import { textSchema } from '#contract/fields.ts';
import type { SeededRandom } from '../seeded-random.ts';

/** Values that are real somewhere in the shop, by the name of the field that takes them. */
export type Words = Readonly<Record<string, readonly string[]>>;

/** A schema of valibot as far as it tells what fits it. */
interface Known {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Known>>;
  readonly wrapped?: Known;
  readonly item?: Known;
  readonly key?: Known;
  readonly value?: Known;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly pipe?: readonly (Known | Rule)[];
}

interface Rule {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
}

/** A value that fits a schema of the contract, or nearly always does: real words first, then made ones. */
export function valueForSchema(schema: v.GenericSchema, chance: SeededRandom, words: Words, name = ''): unknown {
  return fitting(schema, chance, words, name);
}

function fitting(schema: Known, chance: SeededRandom, words: Words, name: string): unknown {
  const inner = (one: Known, as = name) => fitting(one, chance, words, as);
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
      // as: what these two choose among are schemas
      return inner(chance.pick((schema.options ?? []) as readonly Known[]));
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
function rulesOf(schema: Known): Rule[] {
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

function textFor(schema: Known, chance: SeededRandom, words: Words, name: string): string {
  const real = (words[name] ?? []).filter((word) => v.is(schema as unknown as v.GenericSchema, word));
  if (real.length > 0 && chance.is(0.8)) return chance.pick(real);
  const made = samplesOf(schema, chance);
  return made.length > 0 ? chance.pick(made) : 'abcdef';
}

const kept = new WeakMap<Known, readonly string[]>();

/** Some texts that fit, made once: each costs as much as a hundred requests. */
function samplesOf(schema: Known, chance: SeededRandom): readonly string[] {
  const known = kept.get(schema);
  if (known) return known;
  const seed = Math.floor(chance.next() * 2 ** 31);
  const own = String(textSchema.pipe[1].requirement);
  const patterns = rulesOf(schema).flatMap(({ requirement }) =>
    requirement instanceof RegExp && String(requirement) !== own ? [requirement] : [],
  );
  const any = [fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.uuid(), fc.webUrl()];
  const made = [...patterns.flatMap(matching), ...any].flatMap((one) => fc.sample(one, { numRuns: 30, seed }));
  const fit = made.filter((text) => v.is(schema as unknown as v.GenericSchema, text));
  kept.set(schema, fit);
  return fit;
}

function matching(pattern: RegExp): fc.Arbitrary<string>[] {
  try {
    return [fc.stringMatching(pattern)];
  } catch {
    // a class that fast-check cannot make texts of; the other texts are tried instead
    return [];
  }
}

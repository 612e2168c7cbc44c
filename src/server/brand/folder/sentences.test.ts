import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { problemsOf, readYaml } from './read-yaml.ts';
import { brandFileSchema } from './schema.ts';
import { didYouMean, nearestName } from './near-names.ts';

const demo = fileURLToPath(new URL('../../../sandbox/brands/mego/brand.yaml', import.meta.url));

type Path = readonly (string | number)[];

/** The value with one entry of each list, because all have the same schema. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value))
    yield* pathsIn(one, [...path, Array.isArray(value) ? Number(key) : key]);
}

function changed(value: unknown, [step, ...rest]: Path, wrong: unknown): unknown {
  if (step === undefined) return wrong;
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === step ? changed(one, rest, wrong) : one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === step ? changed(one, rest, wrong) : one]),
  );
}

// without its time zone, which takes the most time to check
const mego = shortened(changed(readYaml('brand.yaml', readFileSync(demo)).value, ['timeZone'], undefined));

const wrongs: readonly unknown[] = [
  null,
  true,
  -1.5,
  1e9,
  '',
  'a b\0',
  '#',
  '4,99',
  'x'.repeat(700),
  [],
  [[]],
  {},
  { a: 1 },
];
const unread = { lineOf: () => 1, scalarAt: () => undefined, textOf: () => '' };

describe('a sentence about brand.yaml', () => {
  const paths = [...pathsIn(mego)];
  const settings = [...new Set(paths.map(([setting]) => setting ?? '.'))];

  it.each(settings)('names its setting and no part of the schema, whatever is written in %s', (setting) => {
    const sentences = paths
      .filter(([first]) => (first ?? '.') === setting)
      .flatMap((path) =>
        wrongs.flatMap((wrong) => {
          const { issues = [] } = v.safeParse(brandFileSchema, changed(mego, path, wrong));
          return problemsOf(brandFileSchema, issues, 'brand.yaml', unread).map(({ message }) => message);
        }),
      );
    const distinct = [...new Set(sentences)];
    expect(distinct.length).toBeGreaterThan(1);
    expect(
      distinct.filter((one) => /expected|received|invalid|\/\^|\\d|undefined|object|is not allowed$/i.test(one)),
    ).toEqual([]);
    const named =
      /^[\w.[\]]* ?(must (be|have|begin|not be) .|is missing|is not known here|is empty|has characters that)/;
    expect(distinct.filter((one) => !named.test(one))).toEqual([]);
  });

  it.each([
    ['themeColour', 'themeColor'],
    ['withdrawelDays', 'withdrawalDays'],
    ['language', 'languages'],
    ['pt-BR', 'pt'],
    ['devises', 'devices'],
  ])('suggests for %s the near name %s', (given, near) => {
    expect(nearestName(given, ['themeColor', 'withdrawalDays', 'languages', 'devices', 'en', 'pt'])).toBe(near);
  });

  it('suggests nothing where no name is near', () => {
    expect(didYouMean('de', ['en', 'pt', 'es', 'ru'])).toBe('');
    expect(didYouMean('card', [])).toBe('');
  });
});

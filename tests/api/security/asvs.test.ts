import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { levels, readTable, states, summaryOf, tablePath } from '#tests/fixtures/asvs.ts';
import { readSource, root } from '#tests/fixtures/source-tree.ts';
import { testTitles } from '#tests/fixtures/test-titles.ts';

const markdown = readFileSync(join(root, tablePath), 'utf8');
const rows = readTable(markdown);
const cited = rows.flatMap(({ tests }) => tests);

describe('the table of ASVS 5.0', () => {
  it('contains every requirement of levels 1 and 2 exactly once, and no other', () => {
    expect(levels.size).toBe(253);
    expect(rows.flatMap(({ ids }) => ids).sort()).toEqual([...levels.keys()].sort());
  });

  it('states the level of each requirement', () => {
    const wrong = rows.filter(({ ids, levels: said }) => ids.some((id, index) => levels.get(id) !== said[index]));
    expect(wrong.map(({ ids }) => ids)).toEqual([]);
  });

  it('states for each requirement what it demands and its state', () => {
    const incomplete = rows.filter(({ asked, state }) => asked.length < 8 || !states.some((one) => one === state));
    expect(incomplete.map(({ ids }) => ids)).toEqual([]);
  });

  it('cites a test for each tested requirement, and gives a reason for all others', () => {
    const unsupported = rows.filter(({ state, tests, awaited, reason }) =>
      state === 'tested' ? tests.length + awaited.length === 0 : reason.split(/\s+/).length < 4,
    );
    expect(unsupported.map(({ ids }) => ids)).toEqual([]);
  });

  it('lists no test as pending that exists', () => {
    const existing = rows
      .flatMap(({ awaited }) => awaited)
      .filter(({ path, title }) => existsSync(join(root, path)) && testTitles(readSource(path)).includes(title));
    expect(existing.map(({ path, title }) => `cite it without PENDING: ${path} ${title}`)).toEqual([]);
  });

  it('cites every test file of this folder', () => {
    const files = readdirSync(import.meta.dirname).filter(
      (name) => name.endsWith('.test.ts') && name !== 'asvs.test.ts',
    );
    const known = new Set(cited.map(({ path }) => path.split('/').at(-1)));
    expect(files.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has at most eight partly met requirements, and states what is missing', () => {
    const parts = rows.filter(({ state }) => state === 'partly');
    expect(parts.flatMap(({ ids }) => ids).length).toBeLessThanOrEqual(8);
    const open = rows.filter(({ state }) => state === 'partly' || state === 'not met');
    expect(open.filter(({ reason }) => reason.length < 40).map(({ ids }) => ids)).toEqual([]);
  });

  it('counts its states correctly', () => {
    const count = (state: string, level: number) =>
      rows
        .filter((row) => row.state === state)
        .flatMap((row) => row.levels)
        .filter((one) => one === level).length;
    for (const state of states) {
      const [one, two] = [count(state, 1), count(state, 2)];
      expect([state, ...summaryOf(markdown, state)]).toEqual([state, one, two, one + two]);
    }
    expect(summaryOf(markdown, 'all')).toEqual([70, 183, 253]);
  });
});

describe('a test that the table cites', () => {
  const files = [...new Set(cited.map(({ path }) => path))];
  const titles = new Map(
    files.filter((path) => existsSync(join(root, path))).map((path) => [path, new Set(testTitles(readSource(path)))]),
  );

  it('is in a file that exists', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((path) => !titles.has(path))).toEqual([]);
  });

  it('has exactly the cited name', () => {
    const missing = cited.filter(({ path, title }) => titles.has(path) && !titles.get(path)?.has(title));
    expect(missing.map(({ path, title }) => `${path} ${title}`)).toEqual([]);
  });

  it('is not skipped', () => {
    const skipped = files.filter(
      (path) => titles.has(path) && /\b(?:it|test|describe)\.(?:skip|todo|fixme)\(/.test(readSource(path).bare),
    );
    expect(skipped).toEqual([]);
  });
});

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
  it('has every requirement of levels 1 and 2, each once, and no other', () => {
    expect(levels.size).toBe(253);
    expect(rows.flatMap(({ ids }) => ids).sort()).toEqual([...levels.keys()].sort());
  });

  it('names each requirement’s own level', () => {
    const wrong = rows.filter(({ ids, levels: said }) => ids.some((id, index) => levels.get(id) !== said[index]));
    expect(wrong.map(({ ids }) => ids)).toEqual([]);
  });

  it('says of each what it asks and in which state it is', () => {
    const silent = rows.filter(({ asked, state }) => asked.length < 8 || !states.some((one) => one === state));
    expect(silent.map(({ ids }) => ids)).toEqual([]);
  });

  it('cites a test for what it calls tested, and gives a reason of some words for everything else', () => {
    const bare = rows.filter(({ state, tests, awaited, reason }) =>
      state === 'tested' ? tests.length + awaited.length === 0 : reason.split(/\s+/).length < 4,
    );
    expect(bare.map(({ ids }) => ids)).toEqual([]);
  });

  it('waits for no test that is there already', () => {
    const there = rows
      .flatMap(({ awaited }) => awaited)
      .filter(({ path, title }) => existsSync(join(root, path)) && testTitles(readSource(path)).includes(title));
    expect(there.map(({ path, title }) => `cite it without PENDING: ${path} ${title}`)).toEqual([]);
  });

  it('cites every test file of this folder', () => {
    const files = readdirSync(import.meta.dirname).filter(
      (name) => name.endsWith('.test.ts') && name !== 'asvs.test.ts',
    );
    const known = new Set(cited.map(({ path }) => path.split('/').at(-1)));
    expect(files.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has at most eight requirements that are met in part, and says of each what is missing', () => {
    const parts = rows.filter(({ state }) => state === 'partly');
    expect(parts.flatMap(({ ids }) => ids).length).toBeLessThanOrEqual(8);
    const open = rows.filter(({ state }) => state === 'partly' || state === 'not met');
    expect(open.filter(({ reason }) => reason.length < 40).map(({ ids }) => ids)).toEqual([]);
  });

  it('counts its states right', () => {
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

  it('is in a file that is there', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((path) => !titles.has(path))).toEqual([]);
  });

  it('has exactly the name that it is cited by', () => {
    const missing = cited.filter(({ path, title }) => titles.has(path) && !titles.get(path)?.has(title));
    expect(missing.map(({ path, title }) => `${path} ${title}`)).toEqual([]);
  });

  it('runs: no cited test is skipped or set aside', () => {
    const asleep = files.filter(
      (path) => titles.has(path) && /\b(?:it|test|describe)\.(?:skip|todo|fixme)\(/.test(readSource(path).bare),
    );
    expect(asleep).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { files, tests, under } from '#tests/fixtures/architecture.ts';
import { sourcesUnder, type Source } from '#tests/fixtures/source-tree.ts';

/** A number where the name of an error belongs. */
const errorNumbers =
  /\b(?:refuse|ApiRefusal)\(\s*\[?-?\d|\.is\(\s*-?\d|\b(?:errCode|failureCode|declineCode|error\??\.code)\s*(?:===|!==|\?\?)\s*-?[1-9]|\berrors: \[-?\d/;

describe('Endpoints', () => {
  const all = Object.values(endpoints);
  const names = Object.keys(endpoints);
  const count = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].length;
  const missing = (candidates: readonly Source[], found: (name: string, source: Source) => boolean) =>
    names.filter((name) => !candidates.some((source) => found(name, source)));
  const uses = (name: string, { code }: Source) =>
    new RegExp(`(import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*'[^']*contract/)|(endpoints\\.${name}\\b)`).test(
      code,
    );

  it('are all exported by contract/index.ts, without which no test would find them', () => {
    const described = under('src/contract/').flatMap(({ code }) =>
      [...code.matchAll(/\bconst (\w+) = endpoint\(/g)].map(([, name = '']) => name),
    );
    expect(described.sort()).toEqual(names.toSorted());
  });

  it('are declared as reads where the storefront queries them, so that a lost answer is requested again', () => {
    const queried = under('src/web/').flatMap(({ bare }) =>
      [...bare.matchAll(/\bq\(\s*(?:\w+\.)?(\w+)\s*,/g)].map(([, name]) => name),
    );
    expect(queried.length).toBeGreaterThan(20);
    expect(all.filter(({ name, reads }) => queried.includes(name) && !reads).map(({ name }) => name)).toEqual([]);
  });

  it('have unique names, methods and paths', () => {
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
  });

  it('have exactly one handler on the server each', () => {
    const code = under('src/server/')
      .map((source) => source.code)
      .join('\n');
    const counts = names.map((name) => ({
      name,
      handlers: count(code, new RegExp(`\\bbind\\(\\s*(?:\\w+\\.)?${name}\\s*,`, 'g')),
    }));
    expect(counts.filter(({ handlers }) => handlers !== 1)).toEqual([]);
  });

  it('have at least one caller in the storefront each', () => {
    expect(missing([...under('src/web/'), ...under('src/sw/')], uses)).toEqual([]);
  });

  it('have a test that sends each of them', () => {
    // An argument of a client, the address of a request, or a row in the table of a test.
    const sends = (name: string, { bare }: Source) =>
      new RegExp(
        `\\b(request|call|callShop)\\(\\s*([^(),]*,\\s*)?(endpoints\\.)?${name}\\s*,|\\brequest\\(\`[^\`]*\\{${name}\\.path\\}|\\bconfirm: endpoints\\.${name}\\b`,
      ).test(bare);
    expect(missing([...tests, ...sourcesUnder('tests/builders')], sends)).toEqual([]);
  });

  it('have one name for each noun: in the contract, in a folder or file of the server, and in the tests', () => {
    const nouns = under('src/contract/')
      .filter(({ code }) => /= endpoint\(/.test(code))
      .map(({ path }) => path.slice('src/contract/'.length, -'.ts'.length));
    const isOnServer = (noun: string) =>
      files.some((file) => new RegExp(`^src/server/([^/]+/)*${noun}(/|\\.ts$)`).test(file));
    const isTested = (noun: string) => files.some((file) => new RegExp(`^tests/api/${noun}[./-]`).test(file));
    expect(nouns.length).toBeGreaterThan(0);
    expect(nouns.filter((noun) => !isOnServer(noun) || !isTested(noun))).toEqual([]);
  });

  it('have named errors: numbers are used only in the contract and on the wire', () => {
    const named = under('src/').filter(({ path }) => !/^src\/contract\/error-codes\.|\.test\.tsx?$/.test(path));
    expect(named.filter(({ bare }) => errorNumbers.test(bare)).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    'refuse(-3031, { waitSeconds })',
    'throw new ApiRefusal(5000)',
    'if (error.code === 1001) return;',
    'view.failureCode !== 2007',
    'answer.failureCode ?? 2003',
    'error.is(1001)',
    'errors: [21, 9]',
  ])('finds the number in %s', (line) => expect(errorNumbers.test(line)).toBe(true));
});

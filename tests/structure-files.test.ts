import { readFileSync } from 'node:fs';
import { Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { cycles, files, mentions, shipped, sources, tests } from '#tests/fixtures/architecture.ts';
import { lineAt, sourcesUnder, type Source } from '#tests/fixtures/source-tree.ts';

describe('Files', () => {
  /** Tables of data, which are necessarily long. */
  const tables = new Map([
    ['src/web/platform/i18n/error-messages.ts', 'the message of every code'],
    ['src/contract/error-codes.ts', 'every code of the catalogue'],
  ]);
  const counted = [...sources, ...sourcesUnder('tests')]
    .filter(({ path }) => !tables.has(path))
    .map(({ path, lines }) => ({ path, lines }));

  it('have at most 250 lines', () => {
    expect(counted.filter(({ lines }) => lines > 250)).toEqual([]);
  });

  it('are named in kebab-case, and no folder is a catch-all such as utils', () => {
    const routes = /^src\/(web\/(routes\/|routeTree\.gen\.ts$)|(server\/db|sandbox)\/migrations\/)/;
    const named = files.filter((file) => /^(src|tests|\.scripts)\//.test(file) && !routes.test(file));
    const odd = named.filter(
      (file) => !/^README\.md$|^[a-z0-9.]+([-_.][a-z0-9]+)*$/.test(file.split('/').at(-1) ?? ''),
    );
    const catchAlls = /(^|\/)(utils?|common|helpers?|lib|libs|shared|misc|core)(\/|\.tsx?$)/;
    expect(odd).toEqual([]);
    expect(files.filter((file) => catchAlls.test(file))).toEqual([]);
  });

  it('re-export nothing of the project, except for the list of endpoints', () => {
    const reExporting = shipped.filter(
      ({ path, parsed }) =>
        path !== 'src/contract/index.ts' &&
        parsed.module.staticExports.some(({ entries }) =>
          entries.some((entry) => /^[.#]/.test(entry.moduleRequest?.value ?? '')),
        ),
    );
    expect(reExporting.map(({ path }) => path)).toEqual([]);
  });

  it('have no import cycles, type-only imports included', () => {
    expect(cycles(shipped, (path) => path)).toEqual([]);
  });

  it('cite neither a list of rules nor a document outside of the repository', () => {
    expect(mentions(sources, /\[Rule: [^\]]*\]/, 'code')).toEqual([]);
    expect(mentions(sources, /\b([Ss]pec(ification)? (section )?\d|(decisions|vectors),? ["“(])/, 'code')).toEqual([]);
  });

  it('give a reason where they disable a check', () => {
    const unexplained = /(@ts-(expect-error|ignore|nocheck)|(ox|es)lint-disable[\w-]*)(?![^\n]*(--|:) \S+ \S+)[^\n]*/;
    expect(mentions(sources, unexplained, 'code')).toEqual([]);
  });

  it('use no any, and give a reason beside every `as`', () => {
    expect(shipped.flatMap(casts)).toEqual([]);
  });
});

describe('Tests', () => {
  it('have a sentence as a title', () => {
    const titles = /(?<![.\w])(?:it|test)(?:\.\w+)?\(\s*(['"`])(?:(?!\1).)*\1/;
    const short = mentions(tests, titles).filter((line) => line.replace(/^\S+ /, '').trim().split(/\s+/).length < 3);
    expect(short).toEqual([]);
  });

  it('exist for every file and title in tests/what-customers-do.md', () => {
    const entries = readFileSync('tests/what-customers-do.md', 'utf8')
      .split(/\n(?=- )/)
      .slice(1);
    expect(entries.length).toBeGreaterThan(40);
    const missing = entries.flatMap((entry) => {
      let code = '';
      return [...entry.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g)].flatMap(([, file, title]) => {
        if (file === undefined) return code.includes(title ?? '') ? [] : [`${entry}: ${title}`];
        const named = tests.filter(({ path }) => path.endsWith(`/${file}`));
        code = named.length === 1 ? (named[0]?.code ?? '') : '';
        return code === '' ? [`${entry}: ${file}`] : [];
      });
    });
    expect(missing).toEqual([]);
  });

  it('run against the real server: nothing of the project is mocked', () => {
    const mocks = /\bvi\.mock\(|\broute\.fulfill\(|from 'msw|setupServer\(/;
    expect(
      mentions(
        tests.filter(({ path }) => path !== 'tests/structure-files.test.ts'),
        mocks,
      ),
    ).toEqual([]);
  });
});

/** `any` anywhere, and `as` without a comment on its line or on the one above. */
function casts({ path, code, parsed }: Source): string[] {
  const found: string[] = [];
  const lines = code.split('\n');
  const commented = (line: number) =>
    [lines[line - 1], lines[line - 2]].some((text) => /\/\/|\*\/|^\s*\*/.test(text ?? ''));
  new Visitor({
    TSAnyKeyword: ({ start }) => void found.push(`${path}:${lineAt(code, start)} any`),
    TSAsExpression: ({ end, typeAnnotation }) => {
      const line = lineAt(code, end);
      const constant = code.slice(typeAnnotation.start, typeAnnotation.end) === 'const';
      if (!constant && !commented(line)) found.push(`${path}:${line} ${lines[line - 1]?.trim() ?? ''}`);
    },
  }).visit(parsed.program);
  return found;
}

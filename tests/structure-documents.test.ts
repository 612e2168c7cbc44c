import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { files } from '#tests/fixtures/architecture.ts';
import { root } from '#tests/fixtures/source-tree.ts';

interface Document {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** Texts of demo brands are content of the product, not documentation. */
const isContent = (path: string) => path.includes('/brands/documents/');
/** One row for each requirement, read by `tests/api/security/asvs.test.ts`; a row cannot be wrapped. */
const isTableOfTests = (path: string) => path === 'tests/api/security/asvs.md';

const documents: Document[] = files
  .filter((path) => path.endsWith('.md') && !isContent(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, lines: text.trimEnd().split('\n') };
  });
const written = documents.filter(({ path }) => !isTableOfTests(path));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** A document without its code blocks. */
const prose = (text: string) => text.replaceAll(/^ *```[^]*?^ *```$/gm, '');

describe('Documents', () => {
  it('have lines of at most 120 characters, unless a line is one address', () => {
    const long = written.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        line.length > 120 && !/^\S*https?:\S+$/.test(line.trim()) ? [`${path}:${index + 1}`] : [],
      ),
    );
    expect(long).toEqual([]);
  });

  it('have at most two sentences in a cell of a table', () => {
    const full = written.flatMap(({ path, text }) =>
      prose(text)
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .flatMap((line) => line.split('|'))
        .filter((cell) => (cell.match(/[.!?](?= +[A-Z]|\s*$)/g) ?? []).length > 2)
        .map((cell) => `${path}: ${cell.trim()}`),
    );
    expect(full).toEqual([]);
  });

  it('link only to files and headings that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...prose(text).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
        .map(([, link, picture]) => link ?? picture ?? '')
        .filter((target) => !/^(https?|mailto):/.test(target) && !isValidTarget(path, target))
        .map((target) => `${path} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only commands of package.json', () => {
    const { scripts } = v.parse(
      v.object({ scripts: v.record(v.string(), v.string()) }),
      JSON.parse(read('package.json')),
    );
    const unknown = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !Object.hasOwn(scripts, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('name only source files that exist', () => {
    const unknown = documents.flatMap(({ path, text }) =>
      [...prose(text).matchAll(/`([\w$@./-]+\.(?:tsx?|mjs))`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !name.includes('acmepay') && !files.some((file) => `/${file}`.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are linked from README.md, directly or indirectly', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const text = documents.find((one) => one.path === path)?.text ?? '';
      for (const [, target = ''] of prose(text).matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)) {
        const file = posix.join(posix.dirname(path), target);
        if (documents.some((one) => one.path === file)) reached.add(file);
      }
    }
    const unlinked = documents.filter(({ path }) => !reached.has(path) && !path.startsWith('.github/'));
    expect(unlinked.map(({ path }) => path)).toEqual([]);
  });

  it('have at most 100 lines in README.md and 200 in the README of a module', () => {
    const most = (path: string) => (path === 'README.md' ? 100 : path.endsWith('/README.md') ? 200 : Infinity);
    const long = documents.filter(({ path, lines }) => lines.length > most(path));
    expect(long.map(({ path, lines }) => `${path} ${lines.length}`)).toEqual([]);
    expect(read('README.md')).toContain('npm test');
  });

  it('explain at most sixty terms, each in one line', () => {
    const [, section = ''] = read('src/README.md').split('\n## Terms\n');
    const terms = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line !== '');
    expect(terms.filter((line) => !/^- \*\*[^*]+\*\*: .+\.$/.test(line))).toEqual([]);
    expect(terms.length).toBeLessThanOrEqual(60);
    expect(terms.length).toBeGreaterThan(40);
  });
});

describe('The changelog', () => {
  it('has a heading for unreleased changes and one for the version of package.json', () => {
    const { version } = v.parse(v.object({ version: v.string() }), JSON.parse(read('package.json')));
    const versions = read('.github/CHANGELOG.md').match(/^## \[.+$/gm) ?? [];
    expect(versions[0]).toBe('## [Unreleased]');
    expect(versions[1]).toMatch(`## [${version}]`);
  });

  it('names each migration of the database that is newer than version 0.1.0', () => {
    const names = files.flatMap((path) => /^src\/server\/db\/migrations\/(\w+)\.sql$/.exec(path)?.[1] ?? []);
    const since = names.filter((name) => name > '0013');
    const changelog = read('.github/CHANGELOG.md');
    expect(since.length).toBeGreaterThan(14);
    expect(since.filter((name) => !changelog.includes(`- \`${name}\``))).toEqual([]);
  });
});

describe('Decision records', () => {
  const records = documents.filter(({ path }) => /^src\/decisions\/\d/.test(path));

  it('are at most forty, numbered without a gap', () => {
    const numbers = records.map(({ path }) => Number(/\/(\d{4})-[a-z\d-]+\.md$/.exec(path)?.[1]));
    expect(numbers).toEqual(records.map((_, index) => index + 1));
    expect(records.length).toBeLessThanOrEqual(40);
    expect(records.length).toBeGreaterThan(20);
  });

  it('have at most forty lines, and status, context, decision and consequences in this order', () => {
    const parts = ['## Status', '## Context', '## Decision', '## Consequences'];
    const wrong = records.filter(
      ({ lines }) =>
        lines.length > 40 ||
        !/^# \d+\. /.test(lines[0] ?? '') ||
        lines.filter((line) => line.startsWith('## ')).join() !== parts.join(),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('are listed in src/decisions/README.md by their titles', () => {
    const list = read('src/decisions/README.md');
    const missing = records.filter(({ path, lines }) => {
      const title = (lines[0] ?? '').replace(/^# \d+\. /, '');
      return !list.includes(`[${title}](${posix.basename(path)})`);
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

function isValidTarget(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : posix.join(posix.dirname(from), file).replace(/\/$/, '');
  if (!files.some((one) => one === path || one.startsWith(`${path}/`))) return false;
  return anchor === undefined || headings(read(path)).has(anchor);
}

/** The anchors of the headings, as GitHub generates them. */
function headings(text: string): Set<string> {
  const titles = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\d\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorNameOf, errors } from '#contract/error-codes.ts';
import { readSource, root, sourcesUnder } from '#tests/fixtures/source-tree.ts';
import { raisedIn } from '#tests/builders/raised-codes.ts';

const raised = Object.values(raisedIn).flat();
/** The codes that this server never sends, each with what would raise it in another API. */
const documented = readFileSync(join(root, 'src/contract/README.md'), 'utf8')
  .split('\n## ')
  .filter((section) => section.startsWith('Error codes that this server never sends'))
  .flatMap((section) => [...section.matchAll(/^- ((?:`-?\d+`(?:, )?)+): (.+)$/gm)])
  .map(([, codes = '', reason = '']) => ({ codes: codes.replaceAll('`', '').split(', ').map(Number), reason }));
const never = documented.flatMap(({ codes }) => codes);

describe('every code of the catalogue', () => {
  it('is raised by a test over HTTP or explained in src/contract/README.md', () => {
    const known = [...raised, ...never].sort((a, b) => a - b);
    expect(known).toEqual(
      Object.values(errors)
        .map(({ code }) => code)
        .sort((a, b) => a - b),
    );
  });

  it('of the README has a reason and is sent nowhere by the server', () => {
    expect(documented.filter(({ reason }) => reason.split(/\s+/).length < 6)).toEqual([]);
    const server = sourcesUnder('src/server').map(({ bare }) => bare);
    const refuses = (code: number) =>
      server.some((bare) => new RegExp(`\\b(refuse|ApiRefusal)\\('${errorNameOf(code)}'`).test(bare));
    expect(never.filter(refuses)).toEqual([]);
    expect(raised.filter(refuses).length).toBeGreaterThan(40);
  });

  it('appears in the test that raises it', () => {
    const missing = Object.entries(raisedIn).flatMap(([path, codes]) => {
      const { bare } = existsSync(join(root, path)) ? readSource(path) : { bare: '' };
      return codes.filter((code) => !new RegExp(`(?<![\\w.-])${code}\\b`).test(bare)).map((code) => `${code} ${path}`);
    });
    expect(missing).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '#contract/paths.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';

let shop: ServerProcess;
beforeAll(async () => {
  shop = await startServer();
}, 120_000);
afterAll(() => shop.dispose());

const open = (path: string) => fetch(shop.origin + path, { redirect: 'manual', headers: { accept: 'text/html' } });

describe('an error page that a visitor opens directly', () => {
  it('returns status 200 at /500 and is not indexed, because nothing has failed', async () => {
    const answer = await open('/500');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/<meta name="robots" content="noindex[^"]*"/);
    expect((await open('/500/')).status).toBeLessThan(400);
  });

  it('returns no server error at any other address', async () => {
    const pages = Object.keys(paths).map((path) => path.replace('{id}', '101'));
    const odd = ['/501', '/503', '/500.html', '/500/x', '/%35%30%30', '/plan-details/500', '/nothing'];
    const answers = await Promise.all(
      [...pages, ...odd].map(async (path) => ({ path, status: (await open(path)).status })),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.filter(({ status }) => status === 404).map(({ path }) => path)).toEqual(['/404']);
    expect(answers.find(({ path }) => path === '/501')?.status).toBe(302);
  });
});

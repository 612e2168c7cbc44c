import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '#server/runtime/log.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

const lines: string[] = [];
let shop: TestApp;
beforeAll(async () => {
  const log = createLog('trace', new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }));
  shop = await testApp({ deps: () => ({ log }) });
});
afterAll(() => shop.close());

const forged = ['trace-12345678', 'eyJhbGciOiJIUzI1NiJ9', 'a'.repeat(64), 'x"},"level":"fatal', '$(reboot)'];
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

it.each(['/api/site/theme/v1', '/api/no/such', '/sandbox/x', '/metrics', '/'])(
  'the server sets the id of a request to %s: an id of the caller is neither returned nor logged',
  async (path) => {
    for (const id of forged) {
      for (const host of ['localhost', 'nobody.example']) {
        const headers = { host, 'x-request-id': id, 'x-correlation-id': id, traceparent: id };
        const response = await shop.app.request(`http://${host}${path}`, { headers });
        const answer = `${await response.text()} ${JSON.stringify([...response.headers])}`;
        expect(answer).not.toContain(id);
        if (path.startsWith('/api/')) expect(response.headers.get('x-request-id')).toMatch(uuid);
      }
    }
    expect(lines.length).toBeGreaterThan(0);
    for (const id of forged) expect(lines.join('\n')).not.toContain(id);
  },
);

it('the id in the response is the one in the log, so that a customer can quote it', async () => {
  const response = await shop.app.request('http://localhost/api/site/theme/v1', { headers: { host: 'localhost' } });
  const { traceId } = (await response.json()) as { traceId: string };
  expect(response.headers.get('x-request-id')).toBe(traceId);
  expect(lines.some((line) => line.includes(`"traceId":"${traceId}"`))).toBe(true);
});

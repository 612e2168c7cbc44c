import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let logged = '';
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  shop = await testApp({ deps: () => ({ log: pino({ level: 'warn' }, stream) }) });
});
afterAll(() => shop.close());
beforeEach(() => {
  logged = '';
  // the next minute, so that the limit is not reached
  shop.clock.advance(61_000);
});

const secret = 'CANARY-3e1f7a90';
const page = `http://localhost/paymentResult/token/${secret}?t=${secret}`;

const send = (body: unknown, type = 'application/reports+json') =>
  shop.app.request('http://localhost/policy-reports', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const violation = (body: object, type = 'csp-violation') => ({ type, age: 1, url: page, user_agent: secret, body });
const lines = () =>
  logged
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a policy violation report', () => {
  it('is accepted in both formats, and logged in one line with rule and page', async () => {
    const report = {
      documentURL: page,
      effectiveDirective: 'script-src-elem',
      blockedURL: `https://evil.example/${secret}`,
    };
    expect((await send([violation(report)])).status).toBe(204);
    const legacyReport = {
      'document-uri': page,
      'violated-directive': `script-src 'self' ${secret}`,
      'blocked-uri': 'inline',
      'script-sample': secret,
    };
    expect((await send({ 'csp-report': legacyReport }, 'application/csp-report')).status).toBe(204);
    expect(lines()).toMatchObject([
      { rule: 'script-src-elem', blocked: 'elsewhere', page: '/paymentResult' },
      { rule: 'script-src', blocked: 'inline', page: '/paymentResult' },
    ]);
    const metrics = await (await shop.app.request('http://localhost/metrics')).text();
    expect(metrics).toContain('policy_violations_total{rule="script-src-elem",blocked="elsewhere"} 1');
    expect(logged + metrics).not.toContain(secret);
    expect(logged + metrics).not.toContain('evil.example');
  });

  it('leaves none of its text in the log, whatever it contains', async () => {
    const hostile = {
      documentURL: `javascript:${secret}`,
      effectiveDirective: secret,
      blockedURL: `${secret}-extension://x`,
    };
    expect(
      (await send([violation(hostile), violation(hostile, secret), { type: 'deprecation', body: null }])).status,
    ).toBe(204);
    expect((await send([violation({ ...hostile, documentURL: `https://other.example/help?${secret}` })])).status).toBe(
      204,
    );
    expect(lines()).toMatchObject([
      { rule: 'other', page: 'other' },
      { rule: 'other', page: 'other' },
    ]);
    const metrics = await (await shop.app.request('http://localhost/metrics')).text();
    expect((logged + metrics).toLowerCase()).not.toContain(secret.toLowerCase());
  });

  it('is refused with another content type, a malformed body, or too much data', async () => {
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send('{"csp-report":', 'application/csp-report')).status).toBe(400);
    expect((await send({ hello: 1 })).status).toBe(400);
    expect((await send([violation({ documentURL: 'x'.repeat(20_000) })])).status).toBe(400);
    expect((await send(Array.from({ length: 21 }, () => violation({})))).status).toBe(400);
    expect(logged).toBe('');
  });

  it('is limited to twenty a minute, so that the log cannot be flooded', async () => {
    const answers = [];
    for (let round = 0; round < 25; round += 1) answers.push((await send([violation({})])).status);
    expect(answers).toEqual([...Array<number>(20).fill(204), ...Array<number>(5).fill(429)]);
    shop.clock.advance(61_000);
    expect((await send([violation({})])).status).toBe(204);
  });
});

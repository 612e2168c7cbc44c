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
  // another minute, in which nobody has reported yet
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

describe('a browser that stopped something', () => {
  it('tells it in either way of telling, and one line of the log says what and where', async () => {
    const told = {
      documentURL: page,
      effectiveDirective: 'script-src-elem',
      blockedURL: `https://evil.example/${secret}`,
    };
    expect((await send([violation(told)])).status).toBe(204);
    const old = {
      'document-uri': page,
      'violated-directive': `script-src 'self' ${secret}`,
      'blocked-uri': 'inline',
      'script-sample': secret,
    };
    expect((await send({ 'csp-report': old }, 'application/csp-report')).status).toBe(204);
    expect(lines()).toMatchObject([
      { rule: 'script-src-elem', blocked: 'elsewhere', page: '/paymentResult' },
      { rule: 'script-src', blocked: 'inline', page: '/paymentResult' },
    ]);
    const metrics = await (await shop.app.request('http://localhost/metrics')).text();
    expect(metrics).toContain('policy_violations_total{rule="script-src-elem",blocked="elsewhere"} 1');
    expect(logged + metrics).not.toContain(secret);
    expect(logged + metrics).not.toContain('evil.example');
  });

  it('leaves none of its own words behind, whatever it calls things', async () => {
    const strange = {
      documentURL: `javascript:${secret}`,
      effectiveDirective: secret,
      blockedURL: `${secret}-extension://x`,
    };
    expect(
      (await send([violation(strange), violation(strange, secret), { type: 'deprecation', body: null }])).status,
    ).toBe(204);
    expect((await send([violation({ ...strange, documentURL: `https://other.example/help?${secret}` })])).status).toBe(
      204,
    );
    expect(lines()).toMatchObject([
      { rule: 'other', page: 'other' },
      { rule: 'other', page: 'other' },
    ]);
    const metrics = await (await shop.app.request('http://localhost/metrics')).text();
    expect((logged + metrics).toLowerCase()).not.toContain(secret.toLowerCase());
  });

  it('is not heard with something else than a report, or with more than one needs', async () => {
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send('{"csp-report":', 'application/csp-report')).status).toBe(400);
    expect((await send({ hello: 1 })).status).toBe(400);
    expect((await send([violation({ documentURL: 'x'.repeat(20_000) })])).status).toBe(400);
    expect((await send(Array.from({ length: 21 }, () => violation({})))).status).toBe(400);
    expect(logged).toBe('');
  });

  it('is heard twenty times a minute, so that nobody fills the log', async () => {
    const answers = [];
    for (let round = 0; round < 25; round += 1) answers.push((await send([violation({})])).status);
    expect(answers).toEqual([...Array<number>(20).fill(204), ...Array<number>(5).fill(429)]);
    shop.clock.advance(61_000);
    expect((await send([violation({})])).status).toBe(204);
  });
});

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import * as v from 'valibot';
import { QueryClient } from '@tanstack/react-query';
import type { UserInfo } from '#contract/user.ts';
import { endpoint } from '#contract/endpoint.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { isOffline, recordNetworkSuccess } from './network/network-state.ts';
import { savedAtOf } from './network/saved-at.ts';
import { replacingSession } from '#web/platform/session/replacing.ts';
import { clearSession, setSession } from '#web/platform/session/session.ts';
import { openBrowser } from '#web/platform/session/storage/test-browser.ts';
import { ApiError, isServerUnreachable, isOutcomeUnknown, isRefused } from './api-error.ts';
import { call } from './client.ts';
import { configureApi, type CallOptions } from './exchange.ts';
import { installErrorEffects, type ErrorEffects } from './perform.ts';
import { resetServerClock, serverNow } from '#web/platform/session/server-clock.ts';

const read = endpoint({
  name: 'read',
  method: 'GET',
  path: '/api/read/{id}',
  params: v.object({ id: v.string() }),
  query: v.object({ word: v.optional(v.string()), page: v.optional(v.number()) }),
  result: v.object({ ok: v.boolean() }),
});
const ask = endpoint({
  name: 'ask',
  method: 'POST',
  path: '/api/ask',
  result: v.object({ ok: v.boolean() }),
  reads: true,
});
const write = endpoint({
  name: 'write',
  method: 'POST',
  path: '/api/write',
  body: v.object({ a: v.number() }),
  result: v.object({}),
});
const charge = endpoint({
  ...write,
  name: 'charge',
  idempotent: true,
  body: v.object({ a: v.number() }),
  access: 'customer',
});
const country = endpoint({
  name: 'country',
  method: 'GET',
  path: '/api/country',
  payload: 'result',
  result: v.object({ code: v.string() }),
});

const user: UserInfo = {
  token: 'token-of-ana-0123456789',
  uid: 'u1',
  account: 'ana@example.com',
  type: 'email',
  accountLoginType: 'password',
  payStatus: 'PAID',
  expiration: Date.now() + 864_000_000,
};

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Script = (response: ServerResponse, seen: Seen) => void;

let server: Server;
let script: Script;
let seen: Seen[];
const effects = { toast: vi.fn<ErrorEffects['toast']>(), navigate: vi.fn(), endSession: vi.fn() };

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
const raw =
  (body: string, type: string, status = 200): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };
const good = json({ code: 0, data: { ok: true }, traceId: 'trace-1234' });
const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError; // asserted on the line above
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const one = { url: request.url ?? '', method: request.method ?? '', headers: request.headers, body };
      seen.push(one);
      script(response, one);
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  openBrowser();
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
  // the server listens on TCP, so its address is an AddressInfo
  configureApi({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timeoutMs: 5000 });
  installErrorEffects(effects);
  vi.clearAllMocks();
  resetServerClock();
  seen = [];
});
afterEach(() => {
  clearSession('logout');
  // else the next probe of the network comes when this browser is gone
  recordNetworkSuccess();
  vi.unstubAllGlobals();
});

describe('a call', () => {
  it('carries the five headers, as a visitor and as a customer', async () => {
    script = good;
    await call(ask);
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'null',
      language: 'en',
      'client-type': 'WEB',
      scene: 'WEB',
      fingerprint: '',
    });
    setSession(user);
    await call(ask);
    expect(seen[1]?.headers.authorization).toBe(user.token);
  });

  it('fills path and query, and a value is one segment whatever it holds', async () => {
    script = good;
    await call(read, { params: { id: '../a b/ç' }, query: { word: 'x&y=1', page: 2 } });
    expect(seen[0]?.url).toBe('/api/read/..%2Fa%20b%2F%C3%A7?word=x%26y%3D1&page=2');
    await call(read, { params: { id: '1' }, query: { word: undefined } });
    expect(seen[1]?.url).toBe('/api/read/1');
  });

  it('sends the key of the purchase and the body, once', async () => {
    script = json({ code: 0, data: {} });
    await call(charge, { body: { a: 1 } }, { idempotencyKey: 'k-1' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { 'idempotency-key': 'k-1' } });
    expectTypeOf(call<typeof charge>)
      .parameter(2)
      .toHaveProperty('idempotencyKey')
      .toEqualTypeOf<string>();
  });

  it('answers with the payload under the key that the endpoint names, and drops what it does not know', async () => {
    script = json({ code: 0, result: { code: 'BR', more: 1 }, data: null });
    expect(await call(country)).toEqual({ code: 'BR' });
  });

  it('reads the server’s time, but not from an answer that may come from a cache', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    script = json({ code: 0, result: { code: 'BR' } }, 200, { date: ahead });
    await call(country);
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
    script = json({ code: 0, data: { ok: true } }, 200, { date: ahead });
    await call(ask);
    expect(Math.abs(serverNow() - Date.now() - 3_600_000)).toBeLessThan(1500);
  });
});

describe('an answer that refuses', () => {
  it('becomes an error with its code, its parameters and its trace id, at any status', async () => {
    script = json({ code: 7004, errCode: '7004', params: { waitSeconds: 30, junk: 1 }, traceId: 'trace-1234' }, 423);
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error).toMatchObject({
      kind: 'refused',
      code: 7004,
      params: { waitSeconds: 30 },
      traceId: 'trace-1234',
      status: 423,
    });
    expect(effects.toast).toHaveBeenCalledTimes(1);
  });

  it('is refused by errCode even with code 0, and by a code alone', async () => {
    script = json({ code: 0, errCode: 17 });
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 17 });
    script = json({ code: 17 });
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 17 });
  });

  it('shows no toast where the form handles the code itself', async () => {
    script = json({ code: 6, errCode: 6 }, 409);
    await failure(call(write, { body: { a: 1 } }, { shownErrors: ['accountExists'] }));
    expect(effects.toast).not.toHaveBeenCalled();
  });

  it('ends the session for 21 without a toast', async () => {
    script = json({ code: 21, errCode: 21 }, 401);
    await failure(call(ask));
    expect(effects.endSession).toHaveBeenCalledTimes(1);
    expect(effects.toast).not.toHaveBeenCalled();
  });

  it('shows the trace id with a code that is in no table', async () => {
    script = json({ code: 424242, errCode: 424242, traceId: 'trace-1234' }, 500);
    await failure(call(write, { body: { a: 1 } }));
    expect(effects.toast.mock.calls[0]?.[0].text).toContain('424242 · trace-1234');
  });
});

describe('an unusable answer', () => {
  it.each([
    ['cut JSON', raw('{"code":0,"data":{"ok":tr', 'application/json')],
    ['nothing', raw('', 'application/json')],
    ['JSON without an envelope', json(['x'])],
    ['a result of another shape', json({ code: 0, data: { ok: 'yes' } })],
  ])('is an error with words, not a crash: %s', async (_, answer) => {
    script = answer;
    const error = await failure(call(ask));
    expect(error.kind).toBe('malformed');
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(effects.toast).toHaveBeenCalledTimes(1);
  });

  it('shows an error when a write gets an HTML page, because it may have arrived', async () => {
    script = raw('<!doctype html><h1>Hi</h1>', 'text/html');
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error.kind).toBe('malformed');
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(effects.toast).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a proxy without its server', raw('<h1>Bad gateway</h1>', 'text/html', 502)],
    ['a gateway with words of its own', json({ message: 'Service Unavailable' }, 503)],
    ['a gateway that gave up', raw('', 'text/plain', 504)],
    ['the login page of a Wi-Fi', raw('<!doctype html><h1>Welcome</h1>', 'text/html')],
  ])('is no network for a read, without a toast: %s', async (_, answer) => {
    script = answer;
    const error = await failure(call(ask));
    expect(error).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(isServerUnreachable(error)).toBe(true);
    expect(effects.toast).not.toHaveBeenCalled();
    expect(isOffline()).toBe(true);
    script = good;
    await call(ask);
    expect(isOffline()).toBe(false);
  });

  it('is recognised by the name of its error', async () => {
    script = json({ code: 1001, errCode: 1001, traceId: 'trace-1234' }, 404);
    const error: unknown = await failure(call(ask));
    expect(isRefused(error, 'orderNotFound')).toBe(true);
    expect(isRefused(error, 'wrongCode', 'orderNotFound')).toBe(true);
    expect(isRefused(error, 'wrongCode')).toBe(false);
    expect(isRefused(error)).toBe(false);
    expect(isRefused(new Error('orderNotFound'), 'orderNotFound')).toBe(false);
  });

  it('shows the server’s own reason when it is unavailable, and is retried too', async () => {
    script = json({ code: -24040, errCode: -24040, traceId: 'trace-1234' }, 503);
    const error = await failure(call(ask));
    expect(error).toMatchObject({ kind: 'refused', code: -24040 });
    expect(isServerUnreachable(error)).toBe(true);
    const refused = await failure(call(write, { body: { a: 1 } }));
    expect(isServerUnreachable(refused)).toBe(false);
  });

  it('is an HTTP failure when a proxy answers 503 in HTML', async () => {
    script = raw('<h1>Bad gateway</h1>', 'text/html', 503);
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'http', status: 503 });
    expect(seen).toHaveLength(1);
    expect(effects.toast).toHaveBeenCalledTimes(1);
  });

  it('is an HTTP failure when a success is sent with a failing status', async () => {
    script = json({ code: 0, data: {} }, 404);
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'http', status: 404 });
  });
});

describe('a failing connection', () => {
  it('retries a read, POST or not, and succeeds when the connection is back', async () => {
    let times = 0;
    script = (response, one) => {
      times += 1;
      if (times === 1) raw('<h1>no</h1>', 'text/html', 503)(response, one);
      else if (times === 2) response.destroy();
      else good(response, one);
    };
    expect(await call(ask)).toEqual({ ok: true });
    expect(seen).toHaveLength(3);
  });

  it('fails a read after three attempts, with the code if the server sent one', async () => {
    script = json({ code: 5008, errCode: 5008, traceId: 'trace-1234' }, 500);
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 5008, traceId: 'trace-1234' });
    expect(seen).toHaveLength(3);
  });

  it('never sends a write twice, and shows a toast', async () => {
    script = (response) => response.destroy();
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(effects.toast.mock.calls[0]?.[0].tone).toBe('warning');
    expect(effects.toast.mock.calls[0]?.[0].text).toContain('connection');
  });

  it('fails after the timeout, before the answer or in the middle of it', async () => {
    configureApi({ timeoutMs: 80 });
    script = () => undefined;
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'network', lost: 'timeout' });
    script = (response) => void response.writeHead(200).write('{"code":0,');
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'network', lost: 'timeout' });
    expect(await failure(call(ask))).toMatchObject({ kind: 'network' });
    expect(effects.toast).toHaveBeenCalledTimes(2);
  });

  it('shows nothing when the caller aborted the request', async () => {
    script = () => undefined;
    const stop = new AbortController();
    const asked = failure(call(write, { body: { a: 1 } }, { signal: stop.signal }));
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'network', lost: 'aborted' });
    expect(effects.toast).not.toHaveBeenCalled();
  });
});

describe('a saved copy', () => {
  const address = '/api/read/1';
  const saved = { 'content-type': 'application/json', [savedAtHeader]: '1790000000000' };
  const copied = () => new Response(JSON.stringify({ code: 0, data: { ok: false } }), { headers: saved });
  const query = () => ({ client: new QueryClient(), queryKey: ['read', {}] });
  const asked = (more: CallOptions = {}) => call(read, { params: { id: '1' }, query: {} }, more);

  beforeEach(() => {
    vi.stubGlobal('location', { href: 'http://shop.example/' });
    vi.stubGlobal('caches', { match: async () => copied() });
    setSession(user);
  });

  it.each([
    ['a cut wire', ((response) => void response.destroy()) satisfies Script],
    ['502 of a proxy', raw('<h1>Bad gateway</h1>', 'text/html', 502)],
    ['503 of the shop', json({ code: -24040, errCode: -24040 }, 503)],
  ])('is what a customer sees after %s, and it says how old it is', async (_, answer) => {
    script = answer;
    expect(await asked()).toEqual({ ok: false });
    expect(savedAtOf(address)).toBe(1_790_000_000_000);
    expect(effects.toast).not.toHaveBeenCalled();
    script = good;
    expect(await asked()).toEqual({ ok: true });
    expect(savedAtOf(address)).toBeUndefined();
  });

  it('is shown while the server is slow, and is replaced by its answer', async () => {
    let answer: () => void = () => undefined;
    script = (response, one) => void (answer = () => good(response, one));
    const of = query();
    const began = Date.now();
    expect(await asked({ query: of })).toEqual({ ok: false });
    expect(Date.now() - began).toBeLessThan(4000);
    expect(seen).toHaveLength(1);
    answer();
    await vi.waitFor(() => expect(of.client.getQueryData(of.queryKey)).toEqual({ ok: true }));
    expect(savedAtOf(address)).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  it('never replaces content that is already shown, and is not shown after the page was left', async () => {
    script = (response, one) => void setTimeout(() => good(response, one), 3500);
    const of = query();
    of.client.setQueryData(of.queryKey, { ok: 'shown' });
    expect(await asked({ query: of })).toEqual({ ok: true });

    const left = query();
    expect(await asked({ query: left })).toEqual({ ok: false });
    clearSession('logout');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(left.client.getQueryData(left.queryKey)).toBeUndefined();
  }, 12_000);
});

describe('an answer that arrives after its session has ended', () => {
  it.each([
    ['a success', good],
    ['a refusal', json({ code: 21, errCode: 21 }, 401)],
    ['an HTTP failure', raw('no', 'text/html', 400)],
  ])('is dropped without a word: %s', async (_, answer) => {
    setSession(user);
    script = (response, one) => void setTimeout(() => answer(response, one), 60);
    const asked = failure(call(ask));
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    clearSession('logout');
    setSession({ ...user, token: 'token-of-bea-0123456789', uid: 'u2' });
    expect(await asked).toMatchObject({ kind: 'network', lost: 'stale' });
    expect(effects.toast).not.toHaveBeenCalled();
    expect(effects.endSession).not.toHaveBeenCalled();
  });

  it('is requested again with the current session, where the endpoint is public', async () => {
    setSession(user);
    script = (response, one) => void setTimeout(() => good(response, one), 60);
    const asked = call(read, { params: { id: '1' }, query: {} });
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    clearSession('logout');
    await expect(asked).resolves.toEqual({ ok: true });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([user.token, 'null']);
  });

  it('does not end the session where the server has replaced it and the new one has not arrived', async () => {
    setSession(user);
    const refused = json({ code: 21, errCode: 21 }, 401);
    const signedIn: Script = (response, one) => void setTimeout(() => json({ code: 0, data: {} })(response, one), 80);
    script = (response, one) => (one.url === '/api/write' ? signedIn : refused)(response, one);
    const replaced = replacingSession(async () => {
      await call(write, { body: { a: 1 } });
      setSession({ ...user, token: 'token-of-bea-0123456789', uid: 'u2' });
    });
    expect(await failure(call(ask))).toMatchObject({ kind: 'network', lost: 'stale' });
    await replaced;
    expect(effects.endSession).not.toHaveBeenCalled();
  });

  it('ends the session where no other session replaced it', async () => {
    setSession(user);
    script = json({ code: 21, errCode: 21 }, 401);
    const replaced = failure(replacingSession(() => call(write, { body: { a: 1 } })));
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 21 });
    expect(await replaced).toMatchObject({ kind: 'refused', code: 21 });
    expect(effects.endSession).toHaveBeenCalledTimes(2);
  });
});

import { describe, expect, expectTypeOf, it } from 'vitest';
import * as v from 'valibot';
import { endpoint } from '#contract/endpoint.ts';
import { isOffline } from './network/network-state.ts';
import { setSession } from '#web/platform/session/session.ts';
import { isServerUnreachable, isOutcomeUnknown, isRefused } from './api-error.ts';
import { call } from './client.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { ask, clientOf, failure, read, success, user, write } from './test-client.ts';
import { json, openScriptedServer, raw } from '#tests/fixtures/scripted-server.ts';

const api = clientOf(openScriptedServer);
const good = json(success);

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

describe('a call', () => {
  it('carries the five headers, as a visitor and as a customer', async () => {
    api.server.script = good;
    await call(ask);
    expect(api.server.received[0]?.headers).toMatchObject({
      authorization: 'null',
      language: 'en',
      'client-type': 'WEB',
      scene: 'WEB',
      fingerprint: '',
    });
    setSession(user);
    await call(ask);
    expect(api.server.received[1]?.headers.authorization).toBe(user.token);
  });

  it('fills path and query, and a value is one segment whatever it holds', async () => {
    api.server.script = good;
    await call(read, { params: { id: '../a b/ç' }, query: { word: 'x&y=1', page: 2 } });
    expect(api.server.received[0]?.url).toBe('/api/read/..%2Fa%20b%2F%C3%A7?word=x%26y%3D1&page=2');
    await call(read, { params: { id: '1' }, query: { word: undefined } });
    expect(api.server.received[1]?.url).toBe('/api/read/1');
  });

  it('sends the key of the purchase and the body, once', async () => {
    api.server.script = json({ code: 0, data: {} });
    await call(charge, { body: { a: 1 } }, { idempotencyKey: 'k-1' });
    expect(api.server.received).toHaveLength(1);
    expect(api.server.received[0]).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { 'idempotency-key': 'k-1' },
    });
    expectTypeOf(call<typeof charge>)
      .parameter(2)
      .toHaveProperty('idempotencyKey')
      .toEqualTypeOf<string>();
  });

  it('answers with the payload under the key that the endpoint names, and drops what it does not know', async () => {
    api.server.script = json({ code: 0, result: { code: 'BR', more: 1 }, data: null });
    expect(await call(country)).toEqual({ code: 'BR' });
  });

  it('reads the server’s time, but not from an answer that may come from a cache', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    api.server.script = json({ code: 0, result: { code: 'BR' } }, 200, { date: ahead });
    await call(country);
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
    api.server.script = json({ code: 0, data: { ok: true } }, 200, { date: ahead });
    await call(ask);
    expect(Math.abs(serverNow() - Date.now() - 3_600_000)).toBeLessThan(1500);
  });
});

describe('an answer that refuses', () => {
  it('becomes an error with its code, its parameters and its trace id, at any status', async () => {
    api.server.script = json(
      { code: 7004, errCode: '7004', params: { waitSeconds: 30, junk: 1 }, traceId: 'trace-1234' },
      423,
    );
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error).toMatchObject({
      kind: 'refused',
      code: 7004,
      params: { waitSeconds: 30 },
      traceId: 'trace-1234',
      status: 423,
    });
    expect(api.effects.toast).toHaveBeenCalledTimes(1);
  });

  it('is refused by errCode even with code 0, and by a code alone', async () => {
    api.server.script = json({ code: 0, errCode: 17 });
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 17 });
    api.server.script = json({ code: 17 });
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 17 });
  });

  it('shows no toast where the form handles the code itself', async () => {
    api.server.script = json({ code: 6, errCode: 6 }, 409);
    await failure(call(write, { body: { a: 1 } }, { shownErrors: ['accountExists'] }));
    expect(api.effects.toast).not.toHaveBeenCalled();
  });

  it('ends the session for 21 without a toast', async () => {
    api.server.script = json({ code: 21, errCode: 21 }, 401);
    await failure(call(ask));
    expect(api.effects.endSession).toHaveBeenCalledTimes(1);
    expect(api.effects.toast).not.toHaveBeenCalled();
  });

  it('shows the trace id with a code that is in no table', async () => {
    api.server.script = json({ code: 424242, errCode: 424242, traceId: 'trace-1234' }, 500);
    await failure(call(write, { body: { a: 1 } }));
    expect(api.effects.toast.mock.calls[0]?.[0].text).toContain('424242 · trace-1234');
  });
});

describe('an unusable answer', () => {
  it.each([
    ['cut JSON', raw('{"code":0,"data":{"ok":tr', 'application/json')],
    ['nothing', raw('', 'application/json')],
    ['JSON without an envelope', json(['x'])],
    ['a result of another shape', json({ code: 0, data: { ok: 'yes' } })],
  ])('is an error with words, not a crash: %s', async (_, answer) => {
    api.server.script = answer;
    const error = await failure(call(ask));
    expect(error.kind).toBe('malformed');
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(api.effects.toast).toHaveBeenCalledTimes(1);
  });

  it('shows an error when a write gets an HTML page, because it may have arrived', async () => {
    api.server.script = raw('<!doctype html><h1>Hi</h1>', 'text/html');
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error.kind).toBe('malformed');
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(api.effects.toast).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a proxy without its server', raw('<h1>Bad gateway</h1>', 'text/html', 502)],
    ['a gateway with words of its own', json({ message: 'Service Unavailable' }, 503)],
    ['a gateway that gave up', raw('', 'text/plain', 504)],
    ['the login page of a Wi-Fi', raw('<!doctype html><h1>Welcome</h1>', 'text/html')],
  ])('is no network for a read, without a toast: %s', async (_, answer) => {
    api.server.script = answer;
    const error = await failure(call(ask));
    expect(error).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(isServerUnreachable(error)).toBe(true);
    expect(api.effects.toast).not.toHaveBeenCalled();
    expect(isOffline()).toBe(true);
    api.server.script = good;
    await call(ask);
    expect(isOffline()).toBe(false);
  });

  it('is recognised by the name of its error', async () => {
    api.server.script = json({ code: 1001, errCode: 1001, traceId: 'trace-1234' }, 404);
    const error: unknown = await failure(call(ask));
    expect(isRefused(error, 'orderNotFound')).toBe(true);
    expect(isRefused(error, 'wrongCode', 'orderNotFound')).toBe(true);
    expect(isRefused(error, 'wrongCode')).toBe(false);
    expect(isRefused(error)).toBe(false);
    expect(isRefused(new Error('orderNotFound'), 'orderNotFound')).toBe(false);
  });

  it('shows the server’s own reason when it is unavailable, and is retried too', async () => {
    api.server.script = json({ code: -24040, errCode: -24040, traceId: 'trace-1234' }, 503);
    const error = await failure(call(ask));
    expect(error).toMatchObject({ kind: 'refused', code: -24040 });
    expect(isServerUnreachable(error)).toBe(true);
    const refused = await failure(call(write, { body: { a: 1 } }));
    expect(isServerUnreachable(refused)).toBe(false);
  });

  it('is an HTTP failure when a proxy answers 503 in HTML', async () => {
    api.server.script = raw('<h1>Bad gateway</h1>', 'text/html', 503);
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'http', status: 503 });
    expect(api.server.received).toHaveLength(1);
    expect(api.effects.toast).toHaveBeenCalledTimes(1);
  });

  it('is an HTTP failure when a success is sent with a failing status', async () => {
    api.server.script = json({ code: 0, data: {} }, 404);
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'http', status: 404 });
  });
});

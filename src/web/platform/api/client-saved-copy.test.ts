import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryClient } from '@tanstack/react-query';
import { savedAtHeader } from '#contract/worker.ts';
import { savedAtOf } from './network/saved-at.ts';
import { clearSession, setSession } from '#web/platform/session/session.ts';
import { call } from './client.ts';
import type { CallOptions } from './exchange.ts';
import { clientOf, read, success, user } from './test-client.ts';
import { held, json, openScriptedServer, raw, type Script } from '#tests/fixtures/scripted-server.ts';

const api = clientOf(openScriptedServer);
const good = json(success);

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
    api.server.script = answer;
    expect(await asked()).toEqual({ ok: false });
    expect(savedAtOf(address)).toBe(1_790_000_000_000);
    expect(api.effects.toast).not.toHaveBeenCalled();
    api.server.script = good;
    expect(await asked()).toEqual({ ok: true });
    expect(savedAtOf(address)).toBeUndefined();
  });

  it('is shown while the server is slow, and is replaced by its answer', async () => {
    const answer = held(good);
    api.server.script = answer.script;
    const of = query();
    const began = Date.now();
    expect(await asked({ query: of })).toEqual({ ok: false });
    expect(Date.now() - began).toBeLessThan(4000);
    expect(api.server.received).toHaveLength(1);
    answer.release();
    await vi.waitFor(() => expect(of.client.getQueryData(of.queryKey)).toEqual({ ok: true }));
    expect(savedAtOf(address)).toBeUndefined();
    expect(api.server.received).toHaveLength(1);
  });

  it('never replaces content that is already shown, and is not shown after the page was left', async () => {
    api.server.script = (response, one) => void setTimeout(() => good(response, one), 3500);
    const of = query();
    of.client.setQueryData(of.queryKey, { ok: 'shown' });
    expect(await asked({ query: of })).toEqual({ ok: true });

    const answer = held(good);
    api.server.script = answer.script;
    const left = query();
    expect(await asked({ query: left })).toEqual({ ok: false });
    clearSession('logout');
    answer.release();
    await vi.waitFor(() => expect(savedAtOf(address)).toBeUndefined());
    // the answer was processed before that of a later call
    api.server.script = good;
    expect(await asked()).toEqual({ ok: true });
    expect(left.client.getQueryData(left.queryKey)).toBeUndefined();
  }, 12_000);
});

import { describe, expect, it, vi } from 'vitest';
import { replacingSession } from '#web/platform/session/replacing.ts';
import { clearSession, setSession } from '#web/platform/session/session.ts';
import { call } from './client.ts';
import { ask, clientOf, failure, read, success, user, write } from './test-client.ts';
import { held, json, openScriptedServer, raw, type Script } from '#tests/fixtures/scripted-server.ts';

const api = clientOf(openScriptedServer);
const good = json(success);

describe('an answer that arrives after its session has ended', () => {
  it.each([
    ['a success', good],
    ['a refusal', json({ code: 21, errCode: 21 }, 401)],
    ['an HTTP failure', raw('no', 'text/html', 400)],
  ])('is dropped without a word: %s', async (_, answer) => {
    setSession(user);
    const late = held(answer);
    api.server.script = late.script;
    const asked = failure(call(ask));
    await vi.waitFor(() => expect(api.server.received).toHaveLength(1));
    clearSession('logout');
    setSession({ ...user, token: 'token-of-bea-0123456789', uid: 'u2' });
    late.release();
    expect(await asked).toMatchObject({ kind: 'network', lost: 'stale' });
    expect(api.effects.toast).not.toHaveBeenCalled();
    expect(api.effects.endSession).not.toHaveBeenCalled();
  });

  it('is requested again with the current session, where the endpoint is public', async () => {
    setSession(user);
    const late = held(good);
    api.server.script = late.script;
    const asked = call(read, { params: { id: '1' }, query: {} });
    await vi.waitFor(() => expect(api.server.received).toHaveLength(1));
    clearSession('logout');
    api.server.script = good;
    late.release();
    await expect(asked).resolves.toEqual({ ok: true });
    expect(api.server.received.map(({ headers }) => headers.authorization)).toEqual([user.token, 'null']);
  });

  it('does not end the session where the server has replaced it and the new one has not arrived', async () => {
    setSession(user);
    const refused = json({ code: 21, errCode: 21 }, 401);
    const signedIn = held(json({ code: 0, data: {} }));
    const scripts: Record<string, Script> = { '/api/write': signedIn.script, '/api/ask': refused };
    api.server.script = (response, one) => (scripts[one.url] ?? good)(response, one);
    const replaced = replacingSession(async () => {
      await call(write, { body: { a: 1 } });
      setSession({ ...user, token: 'token-of-bea-0123456789', uid: 'u2' });
    });
    const asked = failure(call(ask));
    await vi.waitFor(() => expect(api.server.received).toHaveLength(2));
    // the refusal arrives before the answer of a later call
    await call(read, { params: { id: '1' }, query: {} });
    signedIn.release();
    expect(await asked).toMatchObject({ kind: 'network', lost: 'stale' });
    await replaced;
    expect(api.effects.endSession).not.toHaveBeenCalled();
  });

  it('ends the session where no other session replaced it', async () => {
    setSession(user);
    api.server.script = json({ code: 21, errCode: 21 }, 401);
    const replaced = failure(replacingSession(() => call(write, { body: { a: 1 } })));
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 21 });
    expect(await replaced).toMatchObject({ kind: 'refused', code: 21 });
    expect(api.effects.endSession).toHaveBeenCalledTimes(2);
  });
});

import { describe, expect, it } from 'vitest';
import { isOutcomeUnknown } from './api-error.ts';
import { call } from './client.ts';
import { configureApi } from './exchange.ts';
import { ask, clientOf, failure, success, write } from './test-client.ts';
import { json, openScriptedServer, raw } from '#tests/fixtures/scripted-server.ts';

const api = clientOf(openScriptedServer);
const good = json(success);

describe('a failing connection', () => {
  it('retries a read, POST or not, and succeeds when the connection is back', async () => {
    let times = 0;
    api.server.script = (response, one) => {
      times += 1;
      if (times === 1) raw('<h1>no</h1>', 'text/html', 503)(response, one);
      else if (times === 2) response.destroy();
      else good(response, one);
    };
    expect(await call(ask)).toEqual({ ok: true });
    expect(api.server.received).toHaveLength(3);
  });

  it('fails a read after three attempts, with the code if the server sent one', async () => {
    api.server.script = json({ code: 5008, errCode: 5008, traceId: 'trace-1234' }, 500);
    expect(await failure(call(ask))).toMatchObject({ kind: 'refused', code: 5008, traceId: 'trace-1234' });
    expect(api.server.received).toHaveLength(3);
  });

  it('never sends a write twice, and shows a toast', async () => {
    api.server.script = (response) => response.destroy();
    const error = await failure(call(write, { body: { a: 1 } }));
    expect(error).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(api.server.received).toHaveLength(1);
    expect(api.effects.toast.mock.calls[0]?.[0].tone).toBe('warning');
    expect(api.effects.toast.mock.calls[0]?.[0].text).toContain('connection');
  });

  it('fails after the timeout, before the answer or in the middle of it', async () => {
    configureApi({ timeoutMs: 80 });
    api.server.script = () => undefined;
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'network', lost: 'timeout' });
    api.server.script = (response) => void response.writeHead(200).write('{"code":0,');
    expect(await failure(call(write, { body: { a: 1 } }))).toMatchObject({ kind: 'network', lost: 'timeout' });
    expect(await failure(call(ask))).toMatchObject({ kind: 'network' });
    expect(api.effects.toast).toHaveBeenCalledTimes(2);
  });

  it('shows nothing when the caller aborted the request', async () => {
    api.server.script = () => undefined;
    const stop = new AbortController();
    const asked = failure(call(write, { body: { a: 1 } }, { signal: stop.signal }));
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'network', lost: 'aborted' });
    expect(api.effects.toast).not.toHaveBeenCalled();
  });
});

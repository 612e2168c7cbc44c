import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { endpoint } from '#contract/endpoint.ts';
import { listPlans } from '#contract/plan.ts';
import { theme } from '#contract/site.ts';
import { setSession } from '#web/platform/session/session.ts';
import { debugKey } from '#web/platform/session/storage/debug-key.ts';
import { call } from './client.ts';
import { ask, clientOf, failure, user, write } from './test-client.ts';
import { json, openScriptedServer, raw } from '#tests/fixtures/scripted-server.ts';

const api = clientOf(openScriptedServer);
const page = raw('<!doctype html><h1>Hi</h1>', 'text/html; charset=utf-8');

/** Calls are named after the test, because an explanation is written once in a page. */
const named = (name: string) => endpoint({ ...theme, name });
const written = vi.fn();

beforeEach(() => {
  written.mockReset();
  vi.spyOn(console, 'error').mockImplementation(written);
  debugKey.set('contract');
});
afterEach(() => {
  debugKey.remove();
  vi.restoreAllMocks();
});

/** The lines that a wrong answer to the call writes. */
async function linesOf(calling: Promise<unknown>): Promise<string[]> {
  await failure(calling);
  expect(written).toHaveBeenCalledTimes(1);
  return String(written.mock.lastCall?.[0]).split('\n');
}

describe('A wrong answer, while the contract is debugged', () => {
  it('is written to the console with the call, each wrong field, what was expected and what came', async () => {
    api.server.script = json({ code: 0, data: { name: 7, themeColor: 'x'.repeat(33) } });
    expect(await linesOf(call(named('brand')))).toEqual([
      'The answer to brand (GET /api/site/theme/v1) does not fit the contract: HTTP 200, application/json',
      '  data.name: expected string, received 7',
      '  data.themeColor: expected max length <=32, received a text of length 33',
      '  data.tenantId: expected string, but it is missing',
    ]);
  });

  it('names the place of a field in lists, whose other entries are shown', async () => {
    const plan = { id: '1', name: 'M', days: 30, devices: 1, price: { amount: 990, currency: 'EUR' } };
    const good = { ...plan, recommended: false, discounts: [] };
    const bad = { ...good, price: { amount: '9.90', currency: 'EUR' } };
    api.server.script = json({ code: 0, data: { plans: [good, bad], final: true } });
    const shown = await call(listPlans, { query: { language: 'en' } });
    expect(shown.plans.map(({ id }) => id)).toEqual(['1']);
    await vi.waitFor(() => expect(written).toHaveBeenCalledTimes(1));
    const lines = String(written.mock.lastCall?.[0]).split('\n');
    expect(lines.slice(1)).toEqual(['  data.plans[1].price.amount: expected number, received a text of length 4']);
  });

  it('is written without any text of the answer, except for a wrong word of an enumeration', async () => {
    const state = v.picklist(['on', 'off']);
    const result = v.object({ token: v.number(), state, other: state, mail: v.array(v.boolean()) });
    const answer = { token: 'secret-1234', state: 'paused', other: 'ana@example.com', mail: ['ana@example.com'] };
    api.server.script = json({ code: 0, data: answer });
    setSession(user);
    const text = (await linesOf(call(endpoint({ ...write, name: 'own', result }), { body: { a: 1 } }))).join('\n');
    expect(text).toContain('data.state: expected ("on" | "off"), received "paused"');
    expect(text).toContain('data.other: expected ("on" | "off"), received a text of length 15');
    expect(text).not.toMatch(/secret|ana@|token-of-ana/);
  });

  it.each([
    ['a missing payload', json({ code: 0 }), 'data: expected Object, but it is missing'],
    [
      'JSON without an envelope',
      json({ ok: 1 }),
      'has no valid envelope: HTTP 200, application/json\n  code: expected',
    ],
    ['cut JSON', raw('{"code":0,"da', 'application/json'), 'is not JSON: HTTP 200, application/json'],
    ['an unknown code', json({ code: 424242 }, 400), 'code that the contract does not have, 424242: HTTP 400'],
    ['a success with a failing status', json({ code: 0 }, 409), 'is a success with a failing status: HTTP 409'],
  ])('says what is wrong with %s', async (name, script, text) => {
    api.server.script = script;
    expect((await linesOf(call(named(name)))).join('\n')).toContain(text);
  });

  it.each([
    ['missing in HTML', raw('<h1>Not found</h1>', 'text/html', 404), 'HTTP 404, text/html'],
    ['missing in JSON', json({ message: 'Not Found' }, 404), 'HTTP 404, application/json'],
    ['missing with a page of the shop', page, 'HTTP 200, text/html'],
  ])('names a call that is %s', async (name, script, http) => {
    api.server.script = script;
    expect(await linesOf(call(named(name)))).toEqual([
      `The backend does not answer ${name} (GET /api/site/theme/v1): ${http}`,
    ]);
  });

  it('names a call that gets no answer', async () => {
    api.server.script = (response) => response.destroy();
    expect((await linesOf(call({ ...ask, name: 'silent' }))).join()).toContain('not answer silent (POST /api/ask)');
  });

  it('is written once, however often it comes', async () => {
    api.server.script = json({ code: 0, data: {} });
    await failure(call(named('repeated')));
    await failure(call(named('repeated')));
    expect(written).toHaveBeenCalledTimes(1);
  });

  it('is shown in English on the error page, with those before it', async () => {
    api.server.script = json({ code: 0, data: {} });
    await failure(call(named('first')));
    const { report } = await failure(call(named('second')));
    const html = renderToStaticMarkup(report);
    expect(html).toMatch(/^<details[^>]* lang="en"/);
    for (const name of ['first', 'second']) expect(html).toContain(`The answer to ${name} (GET`);
  });

  it('is none where the contract knows the code', async () => {
    api.server.script = json({ code: 1001, errCode: 1001 }, 404);
    const { kind, report } = await failure(call(named('refused')));
    expect([kind, report]).toEqual(['refused', undefined]);
    expect(written).not.toHaveBeenCalled();
  });
});

describe('A wrong answer to a customer', () => {
  it('is not explained, and a page in its place counts as a lost connection', async () => {
    debugKey.remove();
    api.server.script = json({ code: 0, data: {} });
    const { kind, report } = await failure(call(ask));
    expect([kind, report]).toEqual(['malformed', undefined]);
    api.server.script = page;
    expect(await failure(call(ask))).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(written).not.toHaveBeenCalled();
  });
});

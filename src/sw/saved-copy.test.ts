import { describe, expect, test } from 'vitest';
import { savedAtHeader } from '#contract/worker.ts';
import { savedCopy } from './saved-copy.ts';

const answer = (body: string, { status = 200, type = 'application/json' } = {}) =>
  new Response(body, {
    status,
    headers: { 'content-type': type, date: 'Tue, 03 Nov 2026 10:00:00 GMT', vary: '*' },
  });

const success = JSON.stringify({ code: 0, data: { plans: [] }, traceId: 'abcdefgh' });

describe('a cached answer', () => {
  test('has the time of the answer, and no Date header', async () => {
    const copy = await savedCopy(answer(success));
    expect(copy?.headers.get(savedAtHeader)).toBe(String(Date.UTC(2026, 10, 3, 10)));
    expect(copy?.headers.get('date')).toBeNull();
    expect(copy?.headers.get('vary')).toBeNull();
    expect(await copy?.json()).toEqual(JSON.parse(success));
  });

  test('leaves the answer itself readable', async () => {
    const response = answer(success);
    await savedCopy(response);
    expect(await response.text()).toBe(success);
  });

  test.each([
    ['a refusal', answer(JSON.stringify({ code: 1, errCode: 6001 }))],
    ['a refusal that calls itself a success', answer(JSON.stringify({ code: 0, errCode: '5000' }))],
    ['a server error', answer(success, { status: 500 })],
    ['a partial answer', answer(success, { status: 206 })],
    ['cut JSON', answer(success.slice(0, 20))],
    ['no envelope', answer('[]')],
    ['a login page of a Wi-Fi', answer('<html></html>', { type: 'text/html' })],
  ])('%s is not cached', async (_what, response) => {
    expect(await savedCopy(response)).toBeNull();
  });
});

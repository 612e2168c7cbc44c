import { describe, expect, test } from 'vitest';
import { isGatewayError, isApiAnswer, isPicture } from './response-kinds.ts';

const answer = (type: string | null, { status = 200, redirected = false } = {}) => ({
  status,
  redirected,
  headers: new Headers(type === null ? {} : { 'content-type': type }),
});

test('a proxy without its server counts as a network failure, an error of the server does not', () => {
  expect([502, 503, 504].map((status) => isGatewayError({ status }))).toEqual([true, true, true]);
  expect([200, 304, 404, 421, 500, 501, 511].some((status) => isGatewayError({ status }))).toBe(false);
});

describe('an answer of the API', () => {
  test('is JSON, errors included', () => {
    expect(isApiAnswer(answer('application/json'))).toBe(true);
    expect(isApiAnswer(answer('application/json; charset=utf-8', { status: 400 }))).toBe(true);
    expect(isApiAnswer(answer('application/problem+json', { status: 500 }))).toBe(true);
  });

  test.each([
    ['the login page of a Wi-Fi', answer('text/html; charset=utf-8')],
    ['one that calls itself nothing', answer(null)],
    ['one that only mentions JSON', answer('text/html; was=application/json')],
    ['what stands where we were sent', answer('application/json', { redirected: true })],
    ['a proxy without its server', answer('application/json', { status: 503 })],
  ])('is not %s', (_what, other) => {
    expect(isApiAnswer(other)).toBe(false);
  });
});

describe('a cached picture', () => {
  test('is complete and has the media type of a picture', () => {
    expect(isPicture(answer('image/svg+xml'))).toBe(true);
    expect(isPicture(answer('image/png'))).toBe(true);
  });

  test.each([
    ['the login page of a Wi-Fi', answer('text/html')],
    ['its picture, where it sent us', answer('image/png', { redirected: true })],
    ['one of another site, of which nothing can be seen', answer(null, { status: 0 })],
    ['a part', answer('image/png', { status: 206 })],
    ['the picture of a proxy without its server', answer('image/png', { status: 503 })],
  ])('is not %s', (_what, other) => {
    expect(isPicture(other)).toBe(false);
  });
});

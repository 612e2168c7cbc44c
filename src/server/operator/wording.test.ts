import { describe, expect, it } from 'vitest';
import { counted, mayBeMore, originOnThisMachine } from './wording.ts';

describe('the messages of operator commands', () => {
  it('have one thing in the singular', () => {
    expect([0, 1, 2].map((count) => counted(count, 'customer'))).toEqual(['0 customers', '1 customer', '2 customers']);
    expect(mayBeMore(1)).toBe('There may be more than this one.');
    expect(mayBeMore(20)).toBe('There may be more than these 20.');
  });

  it.each([
    ['http://acme.localhost', 'http://acme.localhost:3000'],
    // of a proxy with TLS
    ['https://acme.localhost', 'https://acme.localhost'],
    ['https://acme.localhost:4243', 'https://acme.localhost:4243'],
    ['http://localhost', 'http://localhost:3000'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
  ])('send to %s at %s', (origin, shown) => {
    expect(originOnThisMachine(origin, 3000)).toBe(shown);
  });
});

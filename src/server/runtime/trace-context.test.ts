import { describe, expect, it } from 'vitest';
import { readTraceparent, traceparent, withTrace } from './trace-context.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('is read as the recommendation says', () => {
    const header = `00-${trace}-${parent}-01`;
    expect(readTraceparent(header)).toEqual({ trace, header });
    expect(readTraceparent(`cc-${trace}-${parent}-01-what-comes-later`)).toEqual({ trace, header });
  });

  it.each([
    undefined,
    '',
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `ff-${trace}-${parent}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${parent}-01\r\nx: y`,
    ` 00-${trace}-${parent}-01`,
  ])('is ignored if it is invalid: %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  it('is known during its request only', async () => {
    const context = readTraceparent(`00-${trace}-${parent}-00`);
    const within = await withTrace(context, async () => {
      await Promise.resolve();
      return traceparent();
    });
    expect(within).toBe(`00-${trace}-${parent}-00`);
    expect(traceparent()).toBeUndefined();
    expect(withTrace(undefined, traceparent)).toBeUndefined();
  });
});

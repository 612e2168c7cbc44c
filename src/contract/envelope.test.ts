import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { envelopeSchema, refusalCode } from './envelope.ts';

const codeOf = (answer: unknown) => refusalCode(v.parse(envelopeSchema, answer));

describe('the envelope rule', () => {
  it.each([
    [{ code: 0 }, undefined],
    [{ code: '0', errCode: null }, undefined],
    [{ code: 0, errCode: 0 }, undefined],
    [{ code: 0, errCode: '0' }, undefined],
    [{ code: 0, errCode: 17 }, 17],
    [{ code: 1, errCode: '-24010' }, -24010],
    [{ code: 17 }, 17],
    [{ code: '-3031' }, -3031],
  ])('%j is refused with %s', (answer, code) => expect(codeOf(answer)).toBe(code));

  it.each([
    null,
    'ok',
    [],
    {},
    { code: 'ok' },
    { code: 1.5 },
    { code: 0, errCode: 'no' },
    { code: '12345678' },
    { errCode: 17 },
  ])('%j is not an envelope', (answer) => {
    expect(v.safeParse(envelopeSchema, answer).success).toBe(false);
  });

  it('keeps unknown fields, and drops invalid parameters', () => {
    const answer = { code: 17, params: { waitSeconds: 'soon' }, traceId: 7, result: { a: 1 } };
    expect(v.parse(envelopeSchema, answer)).toEqual({ code: 17, params: undefined, traceId: '', result: { a: 1 } });
    expect(v.parse(envelopeSchema, { code: 17, params: { waitSeconds: 30, prose: 'x' } }).params).toEqual({
      waitSeconds: 30,
    });
  });

  it('never throws on what a wire can bring', () => {
    fc.assert(fc.property(fc.jsonValue(), (answer) => void v.safeParse(envelopeSchema, answer)));
  });
});

import { describe, expect, it } from 'vitest';
import { crc16, parseTlv, tlvField } from './br-code.ts';

describe('the text of a bank QR code', () => {
  it('ends with the CRC that banks compute', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it('contains fields that are parsed as they were written', () => {
    const inner = tlvField('00', 'SG.PAYNOW') + tlvField('02', '201912345K');
    const fields = parseTlv(tlvField('00', '01') + tlvField('26', inner) + tlvField('59', ''));
    expect([...(fields ?? [])]).toEqual([
      ['00', '01'],
      ['26', inner],
      ['59', ''],
    ]);
  });

  it('refuses a field that is too long for a length of two digits', () => {
    expect(tlvField('26', 'x'.repeat(99))).toMatch(/^2699x/);
    expect(() => tlvField('26', 'x'.repeat(100))).toThrow(RangeError);
    expect(() => tlvField('6', 'x')).toThrow(RangeError);
  });

  it.each(['0', '00', '000', '0002', '00021', '0x021x', '000101', '00020100', '000201000202'])(
    'is refused if it is truncated or repeats a field: %j',
    (text) => {
      expect(parseTlv(text)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { crc16, parseTlv, tlvField } from './tlv.ts';

describe('the text of a QR that banks read', () => {
  it('is closed by the CRC that banks compute', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it('holds fields that are read back as they were written', () => {
    const inner = tlvField('00', 'SG.PAYNOW') + tlvField('02', '201912345K');
    const fields = parseTlv(tlvField('00', '01') + tlvField('26', inner) + tlvField('59', ''));
    expect([...(fields ?? [])]).toEqual([
      ['00', '01'],
      ['26', inner],
      ['59', ''],
    ]);
  });

  it('holds no field that is longer than its two digits can say', () => {
    expect(tlvField('26', 'x'.repeat(99))).toMatch(/^2699x/);
    expect(() => tlvField('26', 'x'.repeat(100))).toThrow(RangeError);
    expect(() => tlvField('6', 'x')).toThrow(RangeError);
  });

  it.each(['0', '00', '000', '0002', '00021', '0x021x', '000101', '00020100', '000201000202'])(
    'is not read when it ends early, or says a thing twice: %j',
    (text) => {
      expect(parseTlv(text)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { crc16, parseTlv } from '../br-code.ts';
import { isUen, payNowCode } from './transfer-state.ts';

const transfer = {
  uen: '201912345K',
  name: 'Mego Média Pte Ltd',
  amount: 670,
  reference: '7K2M9QX4A3F1',
  expiresAt: Date.UTC(2026, 10, 22, 12),
};

/** Codes made by other programs: a generator and a provider. */
const others = [
  '00020101021126490009SG.PAYNOW010120210201403121W030110408203012315204000053037025802SG5913ACME Pte Ltd.6009Singapore6304B69E',
  '00020101021226560009SG.PAYNOW010120213201509555BNN1030100412230914205029520400005303702540450.05802SG5914DEV MERCHANT 56009SINGAPORE621601120870-0000VL663049149',
];

describe('a PayNow code', () => {
  it('has the fields and the CRC of codes by other programs', () => {
    for (const text of others) {
      expect(crc16(text.slice(0, -4))).toBe(text.slice(-4));
      const theirs = parseTlv(text);
      const ours = parseTlv(payNowCode(transfer));
      for (const id of ['00', '52', '53', '58']) expect(ours?.get(id)).toBe(theirs?.get(id));
      const receiver = parseTlv(theirs?.get('26') ?? '');
      expect(receiver?.get('00')).toBe('SG.PAYNOW');
      expect(isUen(receiver?.get('02') ?? '')).toBe(true);
    }
  });

  it('contains the receiver, a fixed amount, the reference and the last day', () => {
    const text = payNowCode(transfer);
    expect(crc16(text.slice(0, -4))).toBe(text.slice(-4));
    const fields = parseTlv(text);
    expect(Object.fromEntries(parseTlv(fields?.get('26') ?? '') ?? [])).toEqual({
      '00': 'SG.PAYNOW',
      '01': '2',
      '02': '201912345K',
      '03': '0',
      '04': '20261122',
    });
    expect([fields?.get('54'), fields?.get('59'), fields?.get('60')]).toEqual([
      '6.70',
      'Mego Media Pte Ltd',
      'Singapore',
    ]);
    expect(parseTlv(fields?.get('62') ?? '')?.get('01')).toBe('7K2M9QX4A3F1');
  });

  it('ends on the calendar day in Singapore', () => {
    const text = payNowCode({ ...transfer, expiresAt: Date.UTC(2026, 10, 22, 17) });
    expect(parseTlv(parseTlv(text)?.get('26') ?? '')?.get('04')).toBe('20261123');
  });

  it('shortens a long name to 25 characters and is never without a name', () => {
    const name = (text: string) => parseTlv(payNowCode({ ...transfer, name: text }))?.get('59');
    expect(name('A company whose name is much too long')).toBe('A company whose name is m');
    expect(name('财神')).toBe('NA');
  });

  it.each([
    ['a UEN', { uen: '+6591234567' }],
    ['an amount', { amount: 0 }],
    ['an amount of whole cents', { amount: 1.5 }],
    ['a reference', { reference: '' }],
    ['a reference of 25 letters and digits', { reference: 'with spaces' }],
  ])('requires %s', (_what, wrong) => {
    expect(() => payNowCode({ ...transfer, ...wrong })).toThrow(RangeError);
  });

  it('distinguishes each kind of UEN, with and without a suffix, from other accounts', () => {
    for (const uen of ['53012345D', '201912345K', 'T08LL1234A', '201509555BNN1']) expect(isUen(uen)).toBe(true);
    for (const other of ['', '+6591234567', '201912345k', '2019123450', '201912345KAB'])
      expect(isUen(other)).toBe(false);
  });
});

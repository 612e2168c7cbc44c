import { describe, expect, it } from 'vitest';
import { brCode, parseBrCode, crc16, parseTlv } from './br-code.ts';

const staticCode =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const withAmount =
  '00020126330014BR.GOV.BCB.PIX011197212482404520400005303986540530.005802BR5918Victor Julio Rocha6006RECIFE62110507VIPSURF630425A1';
const dynamic =
  '00020101021226650014br.gov.bcb.pix2543pix.example.com/qr/v2/cobv/0123456789abcdef520400005303986540549.905802BR5912LOJA EXEMPLO6009SAO PAULO62070503***630467F3';

describe('a Pix code', () => {
  it.each([staticCode, withAmount, dynamic])('is parsed if it was made by another bank: %s', (text) => {
    expect(parseBrCode(text)?.get('58')).toBe('BR');
  });

  it('contains the amount, the merchant and the ID of the charge', () => {
    const text = brCode({
      pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      merchantName: 'Lúmen Vídeo',
      merchantCity: 'São Paulo',
      amount: 4990,
      txid: 'ABC123',
    });
    const fields = parseBrCode(text);
    expect(fields?.get('54')).toBe('49.90');
    expect(fields?.get('59')).toBe('LUMEN VIDEO');
    expect(fields?.get('60')).toBe('SAO PAULO');
    expect(parseTlv(fields?.get('62') ?? '')?.get('05')).toBe('ABC123');
  });

  it('is refused if one character is changed', () => {
    expect(parseBrCode(withAmount.replace('30.00', '31.00'))).toBeUndefined();
  });

  it('is refused if the CRC is right and the structure is wrong', () => {
    const broken = '000201265X' + withAmount.slice(10, -4);
    expect(parseBrCode(broken + crc16(broken))).toBeUndefined();
    const noMerchant = '0002015802BR6304';
    expect(parseBrCode(noMerchant + crc16(noMerchant))).toBeUndefined();
  });

  it.each(['', 'too-long-for-a-name-of-a-charge', 'a b'])('is refused for the charge ID %j', (txid) => {
    expect(() => brCode({ pixKey: 'k', merchantName: 'A', merchantCity: 'B', amount: 1, txid })).toThrow(RangeError);
  });

  it('is refused for an invalid price', () => {
    const charge = { pixKey: 'k', merchantName: 'A', merchantCity: 'B', txid: 'A' };
    for (const amount of [0, -1, 1.5, Number.NaN]) expect(() => brCode({ ...charge, amount })).toThrow(RangeError);
  });
});

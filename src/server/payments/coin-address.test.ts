import { hex } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { bitcoinAddress, ethereumAddress, tronAddress } from './br-code.ts';

describe('an address', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  ])('of Ethereum has a mixed-case checksum: %s', (address) => {
    expect(ethereumAddress(hex.decode(address.slice(2).toLowerCase()))).toBe(address);
  });

  it('of Bitcoin matches the example of BIP-173', () => {
    expect(bitcoinAddress(hex.decode('751e76e8199196d454941c45d1b3a323f1433bd6'))).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    );
  });

  it('of TRON matches the one in block explorers', () => {
    expect(tronAddress(hex.decode('a614f803b6fd780986a42c78ec9c7f77e6ded13c'))).toBe(
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    );
  });

  it('requires exactly 20 bytes', () => {
    for (const make of [ethereumAddress, bitcoinAddress, tronAddress]) {
      expect(() => make(new Uint8Array(19))).toThrow(RangeError);
    }
  });
});

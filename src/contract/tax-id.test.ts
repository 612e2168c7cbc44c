import { describe, expect, it } from 'vitest';
import { normalizeTaxId, taxIdKind, formatTaxId } from './tax-id.ts';

describe('a Brazilian tax ID', () => {
  it.each(['52998224725', '11144477735', '12345678909', '529.982.247-25'])('%s is a CPF', (id) => {
    expect(taxIdKind(id)).toBe('cpf');
  });

  it.each(['12ABC34501DE35', 'A1B2C3D4E5F668', '11222333000181', '34028316000103', '12.abc.345/01de-35'])(
    '%s is a CNPJ',
    (id) => {
      expect(taxIdKind(id)).toBe('cnpj');
    },
  );

  it.each(['11111111111', '52998224724', '46379400000141', '12ABC34501DE3A', '', 'A2998224725', '00000000000000'])(
    '%j is neither',
    (id) => {
      expect(taxIdKind(id)).toBeUndefined();
    },
  );

  it.each(['12.АВС.345/01DE-35', '12.авс.345/01dе-35', '12.ΑΒϹ.345/01DΕ-35', '１２.ＡＢＣ.345/01DE-35'])(
    'is read with letters of another keyboard that look the same: %s',
    (id) => {
      expect(normalizeTaxId(id)).toBe('12ABC34501DE35');
      expect(taxIdKind(id)).toBe('cnpj');
    },
  );

  it('is stored without punctuation, in capitals', () => {
    expect(normalizeTaxId(' 12.abc.345/01de-35 ')).toBe('12ABC34501DE35');
  });
});

it('a receipt shows a Brazilian tax ID in its format, and any other unchanged', () => {
  expect(formatTaxId('52998224725')).toBe('529.982.247-25');
  expect(formatTaxId('11222333000181')).toBe('11.222.333/0001-81');
  expect(formatTaxId('DE 123')).toBe('DE 123');
});

import { describe, expect, it } from 'vitest';
import { taxLabel } from './tax-label.ts';

describe('the label of a tax number', () => {
  it.each([
    ['11.222.333/0001-81', undefined, 'CNPJ'],
    ['529.982.247-25', 'US', 'CPF'],
    ['•••.982.247-••', undefined, 'CPF'],
    ['••.ABC.•••/01DE-••', undefined, 'CNPJ'],
    ['NLABC34501DE35', 'BR', 'CNPJ/CPF'],
    ['isento', 'BR', 'CNPJ/CPF'],
    ['7707083893', 'RU', 'ИНН'],
    ['B12345678', 'ES', 'NIF'],
    ['PT 501 964 843', undefined, 'NIF'],
    ['XAXX010101000', 'MX', 'RFC'],
    ['30-71031609-7', 'AR', 'CUIT'],
    ['DE 123456789', undefined, 'USt-IdNr.'],
    ['DE123456789', 'DE', 'USt-IdNr.'],
    // a company can have the VAT number of another country
    ['DE123456789', 'RU', 'USt-IdNr.'],
    ['EE100594102', undefined, 'VAT ID'],
    ['NL123456789B01', 'NL', 'VAT ID'],
    ['EL 123456789', undefined, 'VAT ID'],
    ['GB 123 4567 89', undefined, 'VAT ID'],
  ])('%s of %s is that of its country', (number, country, label) => {
    expect(taxLabel(number, country)).toBe(label);
  });

  it.each([
    ['P051234567A', 'KE'],
    ['7707083893', undefined],
    // the German number for taxes within Germany is no VAT number
    ['12/345/67890', 'DE'],
    ['Desconocido', undefined],
    ['', undefined],
  ])('%s of %s is unknown', (number, country) => {
    expect(taxLabel(number, country)).toBeUndefined();
  });
});

import { withLatinLetters, withLunateSigma } from './confusables.ts';
import { normalizeToken } from './normalize-text.ts';

/**
 * Brazilian tax IDs. CPF has 11 digits; CNPJ has 14 characters, of which the first 12 may be letters since July 2026
 * (Receita Federal, Instrucao Normativa 2.229/2024). Both end in two check digits, modulus 11; a CNPJ character counts
 * as its ASCII code minus 48.
 */
type TaxIdKind = 'cpf' | 'cnpj';

/** Removes punctuation and spaces, and converts letters, look-alikes of other scripts included, to Latin capitals. */
export function normalizeTaxId(value: string): string {
  return withLatinLetters(normalizeToken(withLunateSigma(value)).toUpperCase()).replace(/[^0-9A-Z]/g, '');
}

export function taxIdKind(value: string): TaxIdKind | undefined {
  const id = normalizeTaxId(value);
  if (isCpf(id)) return 'cpf';
  return isCnpj(id) ? 'cnpj' : undefined;
}

/** The Brazilian format: `529.982.247-25`, `12.ABC.345/01DE-35`; anything else is returned unchanged. */
export function formatTaxId(value: string): string {
  const id = normalizeTaxId(value);
  const kind = taxIdKind(id);
  if (kind === 'cpf') return id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  return kind === 'cnpj' ? id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5') : value;
}

function isCpf(id: string): boolean {
  return /^\d{11}$/.test(id) && !isRepeated(id) && checkDigits(id, 9, 11);
}

function isCnpj(id: string): boolean {
  return /^[0-9A-Z]{12}\d{2}$/.test(id) && !isRepeated(id) && checkDigits(id, 12, 9);
}

/** Repeated digits pass the check but are never issued. */
function isRepeated(id: string): boolean {
  return new Set(id).size === 1;
}

/** Weights run from 2 upwards from the right and restart after `highest`. */
function checkDigits(id: string, length: number, highest: number): boolean {
  const digit = (count: number): number => {
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      const weight = 2 + ((count - 1 - index) % (highest - 1));
      sum += (id.charCodeAt(index) - 48) * weight;
    }
    const rest = sum % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  return Number(id[length]) === digit(length) && Number(id[length + 1]) === digit(length + 1);
}

/** The states of Brazil by their postal codes (IBGE, "Unidades da Federacao"). */
export const brazilianStates = {
  AC: 'Acre',
  AL: 'Alagoas',
  AP: 'Amapá',
  AM: 'Amazonas',
  BA: 'Bahia',
  CE: 'Ceará',
  DF: 'Distrito Federal',
  ES: 'Espírito Santo',
  GO: 'Goiás',
  MA: 'Maranhão',
  MT: 'Mato Grosso',
  MS: 'Mato Grosso do Sul',
  MG: 'Minas Gerais',
  PA: 'Pará',
  PB: 'Paraíba',
  PR: 'Paraná',
  PE: 'Pernambuco',
  PI: 'Piauí',
  RJ: 'Rio de Janeiro',
  RN: 'Rio Grande do Norte',
  RS: 'Rio Grande do Sul',
  RO: 'Rondônia',
  RR: 'Roraima',
  SC: 'Santa Catarina',
  SP: 'São Paulo',
  SE: 'Sergipe',
  TO: 'Tocantins',
} as const;
type BrazilianState = keyof typeof brazilianStates;
// as: TypeScript types object keys as strings
const codes = Object.keys(brazilianStates) as readonly BrazilianState[];

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

/** The state that a text names by code or in full, ignoring case and accents; undefined if it names no state. */
export function brazilianState(text: string): BrazilianState | undefined {
  const wanted = plain(text);
  return codes.find((code) => plain(code) === wanted || plain(brazilianStates[code]) === wanted);
}

/** A state of another country: words, numbers and punctuation, with at least one letter. */
export const isStateName = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N} .,'’()/-]*$/u.test(text) && /\p{L}/u.test(text);

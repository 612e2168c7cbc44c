import { languageTable, type Language } from '../../contract/fields.ts';

/** ISO 3166-1 countries with their ITU telephone codes: where the brands' customers live, and their neighbours. */
const codes: readonly (readonly [country: string, areaCode: string])[] = [
  ['AR', '54'],
  ['BO', '591'],
  ['BR', '55'],
  ['CL', '56'],
  ['CO', '57'],
  ['CR', '506'],
  ['CU', '53'],
  ['DO', '1809'],
  ['EC', '593'],
  ['SV', '503'],
  ['GT', '502'],
  ['HN', '504'],
  ['MX', '52'],
  ['NI', '505'],
  ['PA', '507'],
  ['PY', '595'],
  ['PE', '51'],
  ['PR', '1787'],
  ['UY', '598'],
  ['VE', '58'],
  ['US', '1'],
  ['CA', '1'],
  ['PT', '351'],
  ['ES', '34'],
  ['FR', '33'],
  ['DE', '49'],
  ['IT', '39'],
  ['GB', '44'],
  ['IE', '353'],
  ['NL', '31'],
  ['BE', '32'],
  ['CH', '41'],
  ['AT', '43'],
  ['PL', '48'],
  ['TR', '90'],
  ['IL', '972'],
  ['AE', '971'],
  ['RU', '7'],
  ['KZ', '7'],
  ['BY', '375'],
  ['UA', '380'],
  ['AM', '374'],
  ['GE', '995'],
  ['KG', '996'],
  ['MD', '373'],
  ['UZ', '998'],
  ['LT', '370'],
  ['LV', '371'],
  ['EE', '372'],
  ['ZA', '27'],
  ['KE', '254'],
  ['TZ', '255'],
  ['UG', '256'],
  ['ZM', '260'],
  ['MW', '265'],
  ['GH', '233'],
  ['CM', '237'],
  ['CI', '225'],
  ['SN', '221'],
  ['NG', '234'],
  ['RW', '250'],
  ['AO', '244'],
  ['MZ', '258'],
  ['CV', '238'],
  ['PH', '63'],
  ['IN', '91'],
  ['JP', '81'],
  ['AU', '61'],
  ['NZ', '64'],
];

const served: ReadonlySet<string> = new Set(codes.map(([, areaCode]) => areaCode));

/** Whether customers of this country are taken; digits only, without a plus. */
export function isServed(areaCode: string): boolean {
  return served.has(areaCode);
}

/** All of them, named and sorted in the asked language. */
export function areaCodesIn(language: Language): { country: string; name: string; areaCode: string }[] {
  const names = new Intl.DisplayNames(languageTable[language].locale, { type: 'region' });
  return codes
    .map(([country, areaCode]) => ({ country, name: names.of(country) ?? country, areaCode }))
    .sort((a, b) => a.name.localeCompare(b.name, language));
}

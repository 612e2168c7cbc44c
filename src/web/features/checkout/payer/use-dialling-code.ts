import { useQuery } from '@tanstack/react-query';
import { areaCodes } from '../../../../contract/site.ts';
import { q } from '../../../api/query.ts';
import { useBrand } from '../../../brand/brand-context.tsx';

/** The digits before a telephone number, such as 55: of the visitor's country, or of the shop's own; nothing where neither is known. */
export function useDiallingCode(): string | undefined {
  const { countryCode, siteConfig } = useBrand();
  const { data } = useQuery(q(areaCodes, {}, { quiet: true }));
  const code = data?.find(({ country }) => country === countryCode)?.areaCode ?? siteConfig.login.areaCode;
  return code?.replace(/^\+/, '');
}

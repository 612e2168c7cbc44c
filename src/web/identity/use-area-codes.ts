import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { areaCodes } from '../../contract/site.ts';
import { supportPhoneQuery } from '../account-form/use-account-tab.ts';
import { q } from '../api/query.ts';
import { useBrand } from '../brand/brand-context.tsx';
import { countryAndPhoneCodeKey } from '../storage/identity-keys.ts';
import { areaCodesOf, guessAreaCode } from './phone-number.ts';

/** The area codes to choose from, and the first guess; the list is kept for the visit (spec 3). */
export function useAreaCodes() {
  const { countryCode, siteConfig } = useBrand();
  const [kept] = useState(() => countryAndPhoneCodeKey.get());
  const fetched = useQuery(q(areaCodes, {}, { quiet: true })).data;
  const allowed = useQuery(supportPhoneQuery).data?.areaCodes ?? [];
  useEffect(() => {
    if (fetched) countryAndPhoneCodeKey.set(fetched);
  }, [fetched]);
  const brandCode = siteConfig.login.areaCode;
  // Until the list is there, the brand's own code is better than none.
  const list = fetched ?? kept;
  const codes = areaCodesOf(list ?? [], list || allowed.length > 0 || !brandCode ? allowed : [brandCode]);
  return { codes, guess: list ? guessAreaCode(codes, { countryCode, brandCode }) : '' };
}

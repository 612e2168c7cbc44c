import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { supportPhone } from '../../contract/auth.ts';
import type { AccountType } from '../../contract/user.ts';
import { q } from '../api/query.ts';
import { ensureWords } from '../i18n/catalogs.ts';
import { loginActiveTabKey } from '../storage/sign-in-keys.ts';
import { useHydrated } from '../ui/use-hydrated.ts';
import { usePart } from './use-part.ts';

/** Whether the brand takes phone numbers; one of the queries that login and sign-up come with. */
export const supportPhoneQuery = q(supportPhone, {}, { quiet: true });

async function loadPhoneField() {
  const [{ PhoneField }] = await Promise.all([import('../identity/phone-field.tsx'), ensureWords('identity')]);
  return PhoneField;
}

/**
 * By address or by number. The server always draws the address; the tab that was used last on this device follows once
 * the page is alive. The phone's field is fetched when it is wanted, and until it is there the other one stays. `first` is the tab of an account that a link brought along.
 */
export function useAccountTab(first?: AccountType) {
  const supported = useQuery(supportPhoneQuery).data?.supported === true;
  const [chosen, setChosen] = useState<AccountType>();
  const [PhoneField, wantPhoneField] = usePart(loadPhoneField);
  const alive = useHydrated();
  const remembered = useMemo(() => (alive ? (first ?? rememberedTab()) : undefined), [alive, first]);
  const wanted = (supported ? (chosen ?? remembered) : undefined) ?? 'email';
  useEffect(() => {
    if (wanted === 'phone') void wantPhoneField().then((there) => there || setChosen('email'));
  }, [wanted, wantPhoneField]);
  const choose = (tab: AccountType) => {
    loginActiveTabKey.set(tab);
    setChosen(tab);
  };
  const tab: AccountType = wanted === 'phone' && PhoneField ? 'phone' : 'email';
  return { supported, wanted, choose, tab, PhoneField };
}

/** Not for somebody who has begun to type an address before the page was alive: it would go out of sight. */
function rememberedTab(): AccountType | undefined {
  const typed = document.querySelector<HTMLInputElement>('main form input[name="account"]')?.value;
  return typed ? 'email' : loginActiveTabKey.get();
}

export type AccountTab = ReturnType<typeof useAccountTab>;

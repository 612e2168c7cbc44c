import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AccountType } from '../../../contract/user.ts';
import { supportPhoneQuery } from '../account/support-phone.ts';
import { ensureWords } from '../../platform/i18n/catalogs.ts';
import { loginActiveTabKey } from '../../platform/storage/sign-in-keys.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { useLazyModule } from '../../platform/lazy/use-lazy-module.ts';

async function loadPhoneField() {
  const [{ PhoneField }] = await Promise.all([import('../account/phone-field.tsx'), ensureWords('identity')]);
  return PhoneField;
}

/**
 * By address or by number. The server always draws the address; the tab that was used last on this device follows once
 * the page is alive. The phone's field is fetched when it is wanted, and until it is there the other one stays. `first` is the tab of an account that a link brought along;
 * `byPassword` stands for a form that sends nothing to the number, which works without SMS, too.
 */
export function useAccountTab({
  first,
  byPassword = false,
}: { first?: AccountType | undefined; byPassword?: boolean } = {}) {
  const phones = useQuery(supportPhoneQuery).data;
  const supported = phones?.supported === true && (byPassword || phones.sms);
  const [chosen, setChosen] = useState<AccountType>();
  const [PhoneField, wantPhoneField] = useLazyModule(loadPhoneField);
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

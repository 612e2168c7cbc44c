import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AccountType } from '#contract/user.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';

async function loadPhoneField() {
  const [{ PhoneField }] = await Promise.all([import('#web/domain/account/phone-field.tsx'), ensureWords('private')]);
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

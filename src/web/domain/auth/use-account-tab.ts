import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AccountType } from '#contract/user.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { loginActiveTabKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';

async function loadPhoneField() {
  const [{ PhoneField }] = await Promise.all([import('#web/domain/account/phone-field.tsx'), loadMessages('private')]);
  return PhoneField;
}

/**
 * Email or phone number. The server always renders the email field; the tab last used on this device is selected after
 * hydration. The phone field is loaded on demand, and the email field stays until then. `first` is the tab of an
 * account in a link; `byPassword` is for a form that sends nothing to the number and so works without SMS.
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

/** Not if an address was typed before hydration: it would disappear. */
function rememberedTab(): AccountType | undefined {
  const typed = document.querySelector<HTMLInputElement>('main form input[name="account"]')?.value;
  return typed ? 'email' : loginActiveTabKey.get();
}

export type AccountTab = ReturnType<typeof useAccountTab>;

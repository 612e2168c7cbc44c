import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { accountDraft, emptyAccount } from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { codeWaitKey } from '#web/platform/session/storage/sign-in-keys.ts';

async function loadCodeLogin() {
  const [{ CodeLogin }] = await Promise.all([import('#web/domain/auth/codes/code-login.tsx'), ensureWords('private')]);
  return CodeLogin;
}

/**
 * Login by password or by code; switching keeps the typed account. A customer who requested a code and returns to a
 * reloaded page, as phones do after reading the email, finds the code field again.
 */
export function useWay(account: string) {
  const offered = useBrand().siteConfig.login.codeLogin;
  const [byCode, setByCode] = useState(false);
  const [start, setStart] = useState<AccountValues>({ ...emptyAccount, ...asAccount(account) });
  const [CodeLogin, wantCodeLogin] = useLazyModule(loadCodeLogin);
  useEffect(() => {
    if (!offered || !codeWaitKey('login').get()) return;
    void wantCodeLogin().then(setByCode);
  }, [offered, wantCodeLogin]);
  const toPassword = (typed: AccountValues) => {
    setStart(typed);
    setByCode(false);
  };
  const toCode = (typed: AccountValues) => {
    accountDraft.set(typed);
    void wantCodeLogin().then((found) => {
      const focused = document.activeElement;
      // synchronously: React would batch the swap with the next key press, and the unmounted form would lose that key
      flushSync(() => {
        // the draft contains what was typed while the code was loading
        setStart(accountDraft.get() ?? typed);
        setByCode(found);
      });
      if (found && focused instanceof HTMLInputElement) focusAgain(focused);
    });
  };
  return { start, CodeLogin: byCode ? CodeLogin : undefined, toPassword, toCode: offered ? toCode : undefined };
}

/** Moves the focus to the field that replaced the focused one, with the caret at the end. */
function focusAgain({ name }: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`form input[name="${name}"]`);
  if (!field) return;
  field.focus();
  // null for inputs without text, such as radio buttons
  if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
}

/** An account in a link may be a phone number. */
export const isNumber = (account: string): boolean => /^\+?\d+$/.test(account);

function asAccount(account: string): Partial<AccountValues> {
  return isNumber(account) ? { phone: account.replace('+', '') } : { account };
}

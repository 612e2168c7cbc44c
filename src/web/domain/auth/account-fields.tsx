import { useEffect, useRef, type ReactNode } from 'react';
import type { AccountType } from '#contract/user.ts';
import { withoutSpaces } from '#web/platform/form/use-form.ts';
import type { AccountControl } from '#web/domain/account/account-control.ts';
import { isPastedNumber } from './account-rules.ts';
import { EmailField } from './email-field.tsx';
import type { AccountTab } from './use-account-tab.ts';
import { useLingui } from '@lingui/react/macro';
import { Segmented } from '#web/ui/segmented.tsx';

interface AccountFieldsProps {
  form: AccountControl;
  account: AccountTab;
  /** replaces the form's own error about the account */
  problem?: ReactNode;
}

/** The tabs, and the field of the selected one. */
export function AccountFields({ form, account, problem }: AccountFieldsProps) {
  const { tab, PhoneField } = account;
  const change = (to: AccountType) => {
    form.clearErrors();
    account.choose(to);
  };
  // The focused field was removed; its replacement receives the focus as soon as its code is loaded.
  const movedTo = useRef<AccountType>(undefined);
  useEffect(() => {
    if (movedTo.current !== tab) return;
    movedTo.current = undefined;
    document.querySelector<HTMLElement>(`main form input[name=${fieldOf[tab]}]`)?.focus();
  });
  /** Moves pasted text to the field that it belongs to. */
  const moved = (to: AccountType, text: string) => {
    form.setValue(to === 'phone' ? 'phone' : 'account', withoutSpaces(text));
    form.setValue(to === 'phone' ? 'account' : 'phone', '');
    form.clearErrors();
    movedTo.current = to;
    account.choose(to);
  };
  const email = form.register('account', { setValueAs: withoutSpaces });
  const isForPhone = (text: string) => account.supported && isPastedNumber(text, form.values.account);
  return (
    <>
      <AccountTabs value={account.wanted} onChange={change} supported={account.supported} />
      {tab === 'phone' && PhoneField ? (
        <PhoneField form={form} problem={problem} onAddress={(address) => moved('email', address)} />
      ) : (
        <EmailField
          {...withProblem(email, problem)}
          onPick={(address) => form.setValue('account', address)}
          onChange={(event) =>
            isForPhone(event.target.value) ? moved('phone', event.target.value) : email.onChange(event)
          }
        />
      )}
    </>
  );
}

const fieldOf = { email: 'account', phone: 'phone' } as const;

/** The form's own error takes precedence. */
export function withProblem<Input extends { error: string | undefined }>(input: Input, problem: ReactNode) {
  return { ...input, error: input.error ?? problem };
}

interface AccountTabsProps {
  value: AccountType;
  onChange: (tab: AccountType) => void;
  /** whether the brand accepts phone numbers; without them there are no tabs */
  supported: boolean;
}

/** Selects email address or phone number; `useAccountTab` stores the choice. */
function AccountTabs({ value, onChange, supported }: AccountTabsProps) {
  const { t } = useLingui();
  if (!supported) return null;
  return (
    <Segmented
      legend={t`Account`}
      name="tab"
      value={value}
      onChange={onChange}
      options={[
        { value: 'email', label: t`Email` },
        { value: 'phone', label: t`Phone` },
      ]}
    />
  );
}

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
  /** says more about the account than the form itself knows */
  problem?: ReactNode;
}

/** The tabs, and the field of the one that shows. */
export function AccountFields({ form, account, problem }: AccountFieldsProps) {
  const { tab, PhoneField } = account;
  const change = (to: AccountType) => {
    form.clearErrors();
    account.choose(to);
  };
  // the focus was in a field that has gone away, and goes on to the one that comes, whenever that is there
  const movedTo = useRef<AccountType>(undefined);
  useEffect(() => {
    if (movedTo.current !== tab) return;
    movedTo.current = undefined;
    document.querySelector<HTMLElement>(`main form input[name=${fieldOf[tab]}]`)?.focus();
  });
  /** What is pasted where it does not belong is moved to where it does. */
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

/** The form's own words come first. */
export function withProblem<Input extends { error: string | undefined }>(input: Input, problem: ReactNode) {
  return { ...input, error: input.error ?? problem };
}

interface AccountTabsProps {
  value: AccountType;
  onChange: (tab: AccountType) => void;
  /** whether the brand takes phone numbers; there is nothing to choose where it does not */
  supported: boolean;
}

/** By e-mail address or by phone number: `useAccountTab` remembers which. */
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

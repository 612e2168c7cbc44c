import { useEffect, type ChangeEvent, type ReactNode } from 'react';
import type { AccountType } from '../../contract/user.ts';
import { withoutSpaces } from '../form/use-form.ts';
import { loadPatterns } from '../validation/account-rules.ts';
import { AccountTabs } from './account-tabs.tsx';
import type { AccountValues } from './account-rules.ts';
import { EmailField } from './email-field.tsx';
import type { AccountTab } from './use-account-tab.ts';

type Name = keyof AccountValues;

/** What `useForm` offers, as far as the account fields need it. */
export interface AccountControl {
  readonly values: AccountValues;
  readonly set: (name: Name, value: string) => void;
  readonly startOver: () => void;
  readonly text: (
    name: Name,
    typed?: (text: string) => string,
  ) => {
    name: string;
    value: string;
    error: string | undefined;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
    onBlur: () => void;
  };
}

interface AccountFieldsProps {
  form: AccountControl;
  account: AccountTab;
  /** says more about the account than the form itself knows */
  problem?: ReactNode;
}

/** The tabs, and the field of the one that shows. */
export function AccountFields({ form, account, problem }: AccountFieldsProps) {
  const { tab, PhoneField } = account;
  useEffect(() => {
    loadPatterns().catch((error: unknown) => console.info('The rules of accounts did not come.', error));
  }, []);
  const change = (to: AccountType) => {
    form.startOver();
    account.choose(to);
  };
  return (
    <>
      <AccountTabs value={account.wanted} onChange={change} supported={account.supported} />
      {tab === 'phone' && PhoneField ? (
        <PhoneField form={form} problem={problem} />
      ) : (
        <EmailField {...withProblem(form.text('account', withoutSpaces), problem)} />
      )}
    </>
  );
}

/** The form's own words come first. */
export function withProblem<Input extends { error: string | undefined }>(input: Input, problem: ReactNode) {
  return { ...input, error: input.error ?? problem };
}

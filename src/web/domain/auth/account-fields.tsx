import { useEffect, useRef, useDeferredValue, useId, type ReactNode, type ComponentProps } from 'react';
import type { AccountType } from '#contract/user.ts';
import { withoutSpaces } from '#web/platform/form/use-form.ts';
import type { AccountControl } from '#web/domain/account/account-control.ts';
import { isPastedNumber } from './account-rules.ts';
import type { AccountTab } from './use-account-tab.ts';
import { useLingui } from '@lingui/react/macro';
import { Segmented } from '#web/ui/segmented.tsx';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { Field } from '#web/ui/field.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';

interface AccountFieldsProps {
  form: AccountControl;
  account: AccountTab;
  /** shown if the form has no error of its own about the account */
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
function withProblem<Input extends { error: string | undefined }>(input: Input, problem: ReactNode) {
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

type EmailFieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'type' | 'list'> & {
  value: string;
  label?: string | undefined;
  /** receives the suggested address when a domain has a typing error */
  onPick: (address: string) => void;
};

/** Loaded once a domain is typed. */
const Suggestion = lazyPart(async () =>
  withMessages(
    'private',
    import('./email-suggestion.tsx').then((part) => part.EmailSuggestion),
  ),
);

/** The email address; suggests common domains once its first part is typed. */
export function EmailField({ value, label, autoComplete = 'username webauthn', onPick, ...input }: EmailFieldProps) {
  const { t } = useLingui();
  const list = useId();
  const alive = useHydrated();
  const { emailSuffix } = useBrand().siteConfig.login;
  // deferred until the letter is painted: adding the first options makes the browser rebuild the field, which takes 60
  // ms on a cheap phone
  const [local = '', host] = useDeferredValue(value).split('@');
  const suffixes = emailSuffix.length > 0 ? emailSuffix : defaultEmailSuffixes;
  const offered = alive && local !== '' ? suffixes.filter((suffix) => suffix.startsWith(host ?? '')) : [];
  return (
    // one item of the form: the place of a suggestion must not add a gap to it
    <div>
      <Field
        {...input}
        value={value}
        label={label ?? t`Email`}
        type="text"
        inputMode="email"
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        list={list}
      />
      <datalist id={list}>
        {offered.map((suffix) => (
          <option key={suffix} value={`${local}@${suffix}`} />
        ))}
      </datalist>
      {alive && host ? <Suggestion value={value} domains={suffixes} onPick={onPick} /> : null}
    </div>
  );
}

import { useLingui } from '@lingui/react/macro';
import { useDeferredValue, useId, type ComponentProps } from 'react';
import { defaultEmailSuffixes } from '#contract/limits.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { Field } from '#web/ui/field.tsx';
import { late } from '#web/ui/late.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';

type EmailFieldProps = Omit<ComponentProps<typeof Field>, 'label' | 'type' | 'list'> & {
  value: string;
  label?: string | undefined;
  /** receives the suggested address when a domain has a typing error */
  onPick: (address: string) => void;
};

/** Loaded once a domain is typed. */
const Suggestion = late(async () =>
  withWords(
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
    <>
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
    </>
  );
}

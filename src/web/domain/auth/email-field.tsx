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
  /** takes the address that is suggested for one with a slip in its domain */
  onPick: (address: string) => void;
};

/** Fetched once a domain is typed. */
const Suggestion = late(async () =>
  withWords(
    'private',
    import('./email-suggestion.tsx').then((part) => part.EmailSuggestion),
  ),
);

/** The e-mail address, with the usual endings offered once its first part is there. */
export function EmailField({ value, label, autoComplete = 'username webauthn', onPick, ...input }: EmailFieldProps) {
  const { t } = useLingui();
  const list = useId();
  const alive = useHydrated();
  const { emailSuffix } = useBrand().siteConfig.login;
  // after the letter is drawn: with its first endings the browser builds the field anew, which takes a cheap phone 60 ms
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

import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, type ReactNode, useState } from 'react';
import type { AccountControl } from './account-control.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { FieldError } from '#web/ui/field.tsx';
import { useTypedValue } from '#web/ui/use-typed-value.ts';
import field from '#web/ui/field.module.css';
import { ChevronDown } from '#web/ui/icon.tsx';
import styles from './phone-field.module.css';
import {
  typedNumber,
  type AreaCode,
  areaCodesOf,
  countryOf,
  countryOptions,
  guessAreaCode,
  callingCodeOf,
} from './phone-number.ts';
import { useQuery } from '@tanstack/react-query';
import { areaCodes } from '#contract/site.ts';
import { supportPhoneQuery } from './support-phone.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { countryAndPhoneCodeKey } from '#web/platform/session/storage/identity-keys.ts';

interface PhoneFieldProps {
  form: AccountControl;
  /** shown if the form has no error of its own about the number */
  problem?: ReactNode;
  label?: string | undefined;
  /** receives an email address that was typed or pasted into the phone field */
  onAddress?: ((address: string) => void) | undefined;
}

/**
 * A phone number with its area code in one field. The code is guessed; a number pasted with a plus brings its own code.
 */
export function PhoneField({ form, problem, label, onAddress }: PhoneFieldProps) {
  const { t } = useLingui();
  const id = useId();
  const codes = useGuessedCode(form);
  useWholeNumber(form, codes);
  const { error: numberError = problem, onChange: _, ...input } = form.register('phone');
  const typed = useTypedValue({
    value: input.value,
    onChange: ({ target: { value } }) =>
      onAddress && value.includes('@') ? onAddress(value) : setNumber(form, value, codes),
  });
  const { areaCode: codeError } = form.errors;
  const error = codeError ?? numberError;
  const told = error ? { 'aria-describedby': `${id}-error` } : {};
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label ?? t`Phone number`}
      </label>
      <div className={field.box} data-invalid={error ? '' : undefined}>
        <AreaCodeSelect codes={codes} form={form} invalid={Boolean(codeError)} describedBy={told} />
        <input
          {...input}
          {...typed}
          {...told}
          id={id}
          aria-required
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="next"
          className={field.input}
          aria-invalid={numberError ? true : undefined}
        />
      </div>
      {error ? <FieldError id={id}>{error}</FieldError> : null}
    </div>
  );
}

function setNumber({ setValue }: AccountControl, text: string, codes: readonly AreaCode[]): void {
  const { number, areaCode } = typedNumber(text, codes);
  setValue('phone', number);
  if (areaCode) setValue('areaCode', areaCode);
}

/** Splits a number that starts with its country code and came from the other tab or a draft. */
function useWholeNumber(form: AccountControl, codes: readonly AreaCode[]): void {
  const act = useRef({ form, codes });
  useEffect(() => {
    act.current = { form, codes };
  });
  const { length } = codes;
  useEffect(() => {
    const now = act.current;
    const { phone } = now.form.values;
    if (length > 0 && phone.startsWith('+')) setNumber(now.form, phone, now.codes);
  }, [length]);
}

/** The selectable codes. One is selected as soon as it can be guessed, unless the customer has selected one. */
function useGuessedCode({ values: { areaCode }, setValue }: AccountControl): readonly AreaCode[] {
  const { codes, guess } = useAreaCodes();
  const choose = useRef(setValue);
  useEffect(() => {
    if (areaCode === '' && guess !== '') choose.current('areaCode', guess);
  }, [areaCode, guess]);
  return codes;
}

interface AreaCodeSelectProps {
  codes: readonly AreaCode[];
  form: AccountControl;
  invalid: boolean;
  describedBy: { 'aria-describedby'?: string };
}

/** A native select under a short text: closed it shows only the code, open it names the countries. */
function AreaCodeSelect({ codes, form, invalid, describedBy }: AreaCodeSelectProps) {
  const { t } = useLingui();
  const { countryCode } = useBrand();
  const [chosen, setChosen] = useState<string>();
  const value = form.values.areaCode;
  const country = countryOf(codes, value, [chosen, countryCode]);
  return (
    <span className={styles.code}>
      <span aria-hidden>{value ? `+${value}` : '+'}</span>
      <ChevronDown aria-hidden />
      <select
        {...describedBy}
        className={styles.select}
        name="areaCode"
        aria-label={t`Country code`}
        aria-invalid={invalid ? true : undefined}
        autoComplete="tel-country-code"
        value={value}
        onChange={({ target }) => {
          setChosen(target.selectedOptions[0]?.dataset['country']);
          form.setValue('areaCode', target.value);
        }}
      >
        <CountryOptions codes={codes} areaCode={value} country={country} />
      </select>
    </span>
  );
}

interface CountryOptionsProps {
  codes: readonly AreaCode[];
  areaCode: string;
  country: string | undefined;
}

/**
 * Countries may share a value, and browsers show the first matching option as selected, so the chosen country comes
 * first.
 */
function CountryOptions({ codes, areaCode, country }: CountryOptionsProps) {
  const { t } = useLingui();
  const options = countryOptions(codes, useLanguage());
  const selected = options.find((option) => option.country === country && option.areaCode === areaCode);
  return (
    <>
      <option value={areaCode} data-country={country}>
        {areaCode === '' ? t`Select a country code` : (selected?.label ?? `+${areaCode}`)}
      </option>
      {options
        .filter((option) => option !== selected)
        .map((option) => (
          <option key={option.label} value={option.areaCode} data-country={option.country}>
            {option.label}
          </option>
        ))}
    </>
  );
}

/** The area codes to choose from and the first guess. The list is cached for the visit. */
function useAreaCodes() {
  const { countryCode, siteConfig } = useBrand();
  const [kept] = useState(() => countryAndPhoneCodeKey.get());
  const fetched = useQuery(q(areaCodes, {}, { quiet: true })).data;
  const allowed = useQuery(supportPhoneQuery).data?.areaCodes ?? [];
  useEffect(() => {
    if (fetched) countryAndPhoneCodeKey.set(fetched);
  }, [fetched]);
  const brandCode = siteConfig.login.areaCode;
  // Until the list is loaded, the brand's own code is used.
  const list = fetched ?? kept;
  const codes = areaCodesOf(
    list ?? [],
    list || allowed.length > 0 || !brandCode ? allowed : [callingCodeOf(brandCode)],
  );
  return { codes, guess: list ? guessAreaCode(codes, { countryCode, brandCode }) : '' };
}

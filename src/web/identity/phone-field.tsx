import { useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { AccountControl } from '../account-form/account-fields.tsx';
import { useLanguage } from '../i18n/active.ts';
import { FieldError } from '../ui/field-frame.tsx';
import field from '../ui/field.module.css';
import { ChevronDown } from '../ui/icon.tsx';
import styles from './phone-field.module.css';
import { typedNumber, type AreaCode } from './phone-number.ts';
import { useAreaCodes } from './use-area-codes.ts';

interface PhoneFieldProps {
  form: AccountControl;
  /** says more about the number than the form itself knows */
  problem?: ReactNode;
}

/** A phone number with its area code, in one box. The code is guessed first; a number pasted with a plus brings its own. */
export function PhoneField({ form, problem }: PhoneFieldProps) {
  const { t } = useLingui();
  const id = useId();
  const codes = useGuessedCode(form);
  const { error: numberError = problem, onChange: _, ...input } = form.text('phone');
  const { error: codeError } = form.text('areaCode');
  const error = codeError ?? numberError;
  const told = error ? { 'aria-describedby': `${id}-error` } : {};
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>{t`Phone number`}</label>
      <div className={field.box} data-invalid={error ? '' : undefined}>
        <AreaCodeSelect codes={codes} form={form} invalid={Boolean(codeError)} told={told} />
        <input
          {...input}
          {...told}
          id={id}
          type="tel"
          autoComplete="tel-national"
          enterKeyHint="next"
          className={field.input}
          aria-invalid={numberError ? true : undefined}
          onChange={(event) => setNumber(form, event.target.value, codes)}
        />
      </div>
      {error ? <FieldError id={id}>{error}</FieldError> : null}
    </div>
  );
}

function setNumber({ set }: AccountControl, text: string, codes: readonly AreaCode[]): void {
  const { number, areaCode } = typedNumber(text, codes);
  set('phone', number);
  if (areaCode) set('areaCode', areaCode);
}

/** The codes to choose from; one is chosen as soon as it can be guessed, unless somebody has chosen already. */
function useGuessedCode({ values: { areaCode }, set }: AccountControl): readonly AreaCode[] {
  const { codes, guess } = useAreaCodes();
  const choose = useRef(set);
  useEffect(() => {
    if (areaCode === '' && guess !== '') choose.current('areaCode', guess);
  }, [areaCode, guess]);
  return codes;
}

interface AreaCodeSelectProps {
  codes: readonly AreaCode[];
  form: AccountControl;
  invalid: boolean;
  told: { 'aria-describedby'?: string };
}

/** The platform's list over a short text: closed it shows the code alone, open it names the countries. */
function AreaCodeSelect({ codes, form, invalid, told }: AreaCodeSelectProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const value = form.values.areaCode;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return (
    <span className={styles.code}>
      <span aria-hidden>{value ? `+${value}` : '+'}</span>
      <ChevronDown aria-hidden />
      <select
        {...told}
        className={styles.select}
        name="areaCode"
        aria-label={t`Country code`}
        aria-invalid={invalid ? true : undefined}
        autoComplete="tel-country-code"
        value={value}
        onChange={(event) => form.set('areaCode', event.target.value)}
      >
        {value === '' ? <option value="">{t`Select the country code`}</option> : null}
        {codes.map(({ areaCode, countries }) => (
          <option key={areaCode} value={areaCode}>
            {`${countries.map((country) => names.of(country)).join(', ')} +${areaCode}`.trim()}
          </option>
        ))}
      </select>
    </span>
  );
}

import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ChangeEvent, type ComponentProps, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { areaCodes } from '#contract/site.ts';
import { callingCodeOf } from '#web/domain/account/phone-number.ts';
import { brazilianState, brazilianStates } from '#contract/places.ts';
import { addressRules, countryOf } from '#contract/postal-rules.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { q } from '#web/platform/api/query.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { SchemeMark } from '#web/ui/marks/method-mark.tsx';
import { cardBrand, cardCodeLength, type CardBrand, schemeNames } from './card-brand.ts';
import { requiredKeys, type RequiredGroup, type PayerForm, type PayerKey } from './payer-form.ts';
import { KnownPayerLine, type KnownPayer } from './known-payer.tsx';
import styles from './payer-fields.module.css';
import { applyTypedText, type TypingContext, typedPhone } from './payer-typing.ts';

/** The part of a payer form that its fields need. */
interface PayerInputs {
  readonly values: PayerForm;
  readonly register: (key: PayerKey) => Pick<ComponentProps<typeof Field>, 'name' | 'value' | 'onBlur' | 'error'>;
  /** one paste may fill several fields */
  readonly fill: (values: Partial<Record<PayerKey, string>>) => void;
}

interface PayerFieldsProps {
  asked: readonly RequiredGroup[];
  payer: PayerInputs;
  context: TypingContext & { readonly currency: string };
  /** stored data that is not requested */
  known?: KnownPayer | undefined;
}

type FieldLooks = Omit<ComponentProps<typeof Field>, 'name' | 'value' | 'onChange' | 'onBlur' | 'error'>;

/** The fields in the card box, in the order printed on a card. */
const ofCard: readonly PayerKey[] = ['number', 'expiry', 'code'];

/** The requested inputs, each with its keyboard and autofill type. */
export function PayerFields({ asked, payer, context, known }: PayerFieldsProps) {
  const keys = requiredKeys(asked);
  const { code: phoneCode, isPending } = useDiallingCode(context.currency);
  // the default phone number depends on the calling code before the field
  usePrefill(keys, payer, isPending ? undefined : known, phoneCode);
  const person = usePersonProps(asked.includes('card'), {
    mobile: context.mobileCode,
    mobileName: context.mobileName,
    phone: phoneCode,
  });
  const inputProps = { ...useCardProps(payer, context.codeDigits), ...person, ...useAddressProps(context.currency) };
  const line = known ? <KnownPayerLine known={known} named={!keys.includes('firstName')} /> : null;
  if (keys.length === 0) return line;
  const cell = (key: PayerKey) => {
    const input = payer.register(key);
    const onChange = ({ target: { value } }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      payer.fill(applyTypedText(key, value, payer.values, { ...context, phoneCode }));
    const shared = { ...inputProps[key], ...input, onChange };
    return (
      <div key={key} className={styles[key]} data-invalid={input.error ? '' : undefined}>
        {key === 'state' && context.currency === 'BRL' ? (
          <BrazilianStates {...shared} />
        ) : (
          <Field {...shared} enterKeyHint={key === keys.at(-1) ? 'done' : 'next'} />
        )}
      </div>
    );
  };
  const wholeCard = keys.includes('number');
  return (
    <div className={styles.room}>
      <div className={styles.fields}>
        {wholeCard ? <CardBox>{ofCard.map(cell)}</CardBox> : null}
        {keys.filter((key) => !wholeCard || !ofCard.includes(key)).map(cell)}
        {line}
      </div>
    </div>
  );
}

/** The scheme's logo, with its name for screen readers. */
function CardScheme({ brand }: { brand: CardBrand }) {
  return (
    <>
      <SchemeMark scheme={brand} />
      <span className="sr-only">{schemeNames[brand]}</span>
    </>
  );
}

/** Number, expiry and code in one box, like on the card. */
function CardBox({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div role="group" aria-label={t`Card`} className={styles.card}>
      {children}
    </div>
  );
}

type StateProps = Pick<
  ComponentProps<typeof Field>,
  'name' | 'value' | 'onBlur' | 'error' | 'label' | 'autoComplete'
> & {
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
};

/** Brazil's states as a select, which browsers autofill by code or name. */
function BrazilianStates({ value, onBlur: _, ...select }: StateProps) {
  const { t } = useLingui();
  return (
    <Select {...select} aria-required value={brazilianState(String(value)) ?? ''}>
      <option value="">{t`Choose`}</option>
      {Object.entries(brazilianStates).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Prefills the known name and phone number into untouched fields. */
function usePrefill(
  keys: readonly PayerKey[],
  payer: PayerInputs,
  known: KnownPayer | undefined,
  phoneCode: string | undefined,
): void {
  const { firstName, lastName, accountPhone = '' } = known?.found ?? {};
  const ready = known?.found !== undefined && keys.length > 0;
  const begin = useRef((_: string | undefined) => {});
  useEffect(() => {
    begin.current = (country) => {
      const phone = accountPhone === '' ? '' : typedPhone(accountPhone, '', country);
      const beginnings = { firstName, lastName, phone };
      const { values } = payer;
      const empty = keys.filter((key) => values[key] === '');
      const missing = Object.entries(beginnings).filter(([name, value]) => value && empty.some((key) => key === name));
      if (missing.length > 0) payer.fill(Object.fromEntries(missing));
    };
  });
  useEffect(() => {
    if (ready) begin.current(phoneCode);
  }, [ready, phoneCode]);
}

function useCardProps({ values }: PayerInputs, codeDigits: number | undefined) {
  const { t } = useLingui();
  const brand = cardBrand(values.number.replace(/\D/g, ''));
  const front = (codeDigits ?? cardCodeLength(brand)) === 4;
  return {
    number: {
      label: t`Card number`,
      autoComplete: 'cc-number',
      inputMode: 'numeric',
      placeholder: '0000 0000 0000 0000',
      suffix: <span className={styles.brand}>{brand ? <CardScheme brand={brand} /> : null}</span>,
    },
    expiry: {
      label: t`Expiry date`,
      autoComplete: 'cc-exp',
      inputMode: 'numeric',
      placeholder: t`MM/YY`,
    },
    code: {
      label: t`Security code`,
      autoComplete: 'cc-csc',
      inputMode: 'numeric',
      hint: front ? t`4 digits on the front` : t`3 digits on the back`,
    },
  } satisfies Partial<Record<PayerKey, FieldLooks>>;
}

interface DiallingCodes {
  mobile: string | undefined;
  mobileName: string | undefined;
  phone: string | undefined;
}

function usePersonProps(holder: boolean, codes: DiallingCodes) {
  const { t } = useLingui();
  const { mobileName } = codes;
  return {
    firstName: {
      label: holder ? t`First name on the card` : t`First name`,
      autoComplete: holder ? 'cc-given-name' : 'given-name',
    },
    lastName: {
      label: holder ? t`Last name on the card` : t`Last name`,
      hint: t`Leave blank if you only have one name`,
      required: false,
      autoComplete: holder ? 'cc-family-name' : 'family-name',
    },
    document: { label: t`CPF or CNPJ`, autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false },
    birthDate: { label: t`Date of birth`, type: 'date', autoComplete: 'bday', min: '1900-01-01' },
    mobile: {
      label: mobileName ? t`${mobileName} number` : t`Mobile money number`,
      autoComplete: 'tel-national',
      inputMode: 'tel',
      prefix: codes.mobile && <span className="num" translate="no">{`+${codes.mobile}`}</span>,
    },
    phone: {
      label: t`Phone with area code`,
      autoComplete: 'tel-national',
      inputMode: 'tel',
      placeholder: codes.phone === '55' ? '(00) 00000-0000' : undefined,
      prefix: codes.phone && <span className="num" translate="no">{`+${codes.phone}`}</span>,
    },
  } satisfies Partial<Record<PayerKey, FieldLooks>>;
}

function useAddressProps(currency: string) {
  const { t } = useLingui();
  const rules = addressRules(currency);
  const ifAny = t`If your address has one`;
  return {
    zipCode: {
      label: t`ZIP code`,
      autoComplete: 'postal-code',
      ...(rules.zipCode ? {} : { hint: ifAny, required: false }),
    },
    state: {
      label: t`State`,
      autoComplete: 'address-level1',
      ...(rules.state ? {} : { hint: ifAny, required: false }),
    },
    city: { label: t`City`, autoComplete: 'address-level2' },
    street: { label: t`Street`, autoComplete: 'address-line1' },
    streetNumber: { label: t`Number`, autoComplete: 'off' },
  } satisfies Partial<Record<PayerKey, FieldLooks>>;
}

/**
 * The calling code before the phone field, such as 55: of the currency's country, else of the brand. The server reads a
 * number without a plus by the same rule. Undefined if neither is known, and while the calling codes are loading.
 */
function useDiallingCode(currency: string): { code: string | undefined; isPending: boolean } {
  const { siteConfig } = useBrand();
  const { data, isPending } = useQuery(q(areaCodes, {}, { quiet: true }));
  const code = data?.find(({ country }) => country === countryOf(currency))?.areaCode ?? siteConfig.login.areaCode;
  return { code: isPending || code === undefined ? undefined : callingCodeOf(code), isPending };
}

import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { schemeNames } from '../../../payment-state/card-name.ts';
import { Field } from '../../../ui/field.tsx';
import { cardBrand, cardCodeLength } from './card-brand.ts';
import { askedKeys, type AskedGroup, type PayerKey } from './payer-form.ts';
import styles from './payer-fields.module.css';
import { typed, type TypingContext } from './payer-typing.ts';
import { useDiallingCode } from './use-dialling-code.ts';
import type { PayerFormControl } from './use-payer.ts';

interface PayerFieldsProps {
  asked: readonly AskedGroup[];
  payer: PayerFormControl;
  context: TypingContext;
}

type FieldLooks = Omit<ComponentProps<typeof Field>, 'name' | 'value' | 'onChange' | 'onBlur' | 'error'>;

/** The inputs that are asked for, each with its keyboard and with what the browser can fill in. */
export function PayerFields({ asked, payer, context }: PayerFieldsProps) {
  const keys = askedKeys(asked);
  const diallingCode = useDiallingCode();
  const person = usePersonLooks(asked.includes('card'), { mobile: context.mobileCode, phone: diallingCode });
  const looks = { ...useCardLooks(payer, context.codeDigits), ...person, ...useAddressLooks() };
  if (keys.length === 0) return null;
  return (
    <div className={styles.fields}>
      {keys.map((key) => (
        <div key={key} className={styles[key]}>
          <Field
            required
            {...looks[key]}
            {...payer.text(key)}
            onChange={(event) =>
              payer.fill(typed(key, event.target.value, payer.values, { ...context, phoneCode: diallingCode }))
            }
            enterKeyHint={key === keys.at(-1) ? 'done' : 'next'}
          />
        </div>
      ))}
    </div>
  );
}

function useCardLooks({ values }: PayerFormControl, codeDigits: number | undefined) {
  const { t } = useLingui();
  const brand = cardBrand(values.number.replace(/\D/g, ''));
  const front = (codeDigits ?? cardCodeLength(brand)) === 4;
  return {
    number: {
      label: t`Card number`,
      autoComplete: 'cc-number',
      inputMode: 'numeric',
      placeholder: '0000 0000 0000 0000',
      suffix: <span className={styles.brand}>{brand ? schemeNames[brand] : null}</span>,
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
  phone: string | undefined;
}

function usePersonLooks(holder: boolean, codes: DiallingCodes) {
  const { t } = useLingui();
  return {
    firstName: {
      label: holder ? t`First name on the card` : t`First name`,
      autoComplete: holder ? 'cc-given-name' : 'given-name',
    },
    lastName: {
      label: holder ? t`Last name on the card` : t`Last name`,
      autoComplete: holder ? 'cc-family-name' : 'family-name',
    },
    document: { label: t`CPF or CNPJ`, autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false },
    birthDate: { label: t`Date of birth`, type: 'date', autoComplete: 'bday', min: '1900-01-01' },
    phoneArea: {
      label: t`Area code`,
      autoComplete: 'tel-area-code',
      inputMode: 'numeric',
      placeholder: '00',
      prefix: codes.phone && `+${codes.phone}`,
    },
    mobile: {
      label: t`Mobile money number`,
      autoComplete: 'tel-national',
      inputMode: 'tel',
      type: 'tel',
      prefix: codes.mobile && <span className="num">{`+${codes.mobile}`}</span>,
    },
    phone: { label: t`Phone`, autoComplete: 'tel-local', inputMode: 'tel', type: 'tel' },
  } satisfies Partial<Record<PayerKey, FieldLooks>>;
}

function useAddressLooks() {
  const { t } = useLingui();
  return {
    zipCode: { label: t`Zip code`, autoComplete: 'postal-code' },
    state: { label: t`State`, autoComplete: 'address-level1' },
    city: { label: t`City`, autoComplete: 'address-level2' },
    street: { label: t`Street`, autoComplete: 'address-line1' },
    streetNumber: { label: t`Number`, autoComplete: 'off' },
  } satisfies Partial<Record<PayerKey, FieldLooks>>;
}

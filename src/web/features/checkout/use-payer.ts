import { useEffect, useLayoutEffect, useRef } from 'react';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import type { CarriedCheckout } from './checkout-settings.ts';
import type { PayNotice } from './act/pay-machine.ts';
import type { Refusal } from './act/place-refusal.ts';
import {
  emptyPayerForm,
  type RequiredGroup,
  type PayerForm,
  type PayerKey,
} from '#web/domain/payments/payer/payer-form.ts';
import { payerDraft } from '#web/domain/payments/payer/payer-memory.ts';
import { payerProblems } from '#web/domain/payments/payer/payer-problems.ts';
import { payerMessages, refusedInputMessage } from '#web/domain/payments/payer/refused-input.ts';

interface PayerSettings {
  readonly uid: string;
  readonly asked: readonly RequiredGroup[];
  readonly currency: string;
  /** length of the security code of the chosen saved card */
  readonly codeDigits: number | undefined;
  /** the method and country of the mobile number */
  readonly mobileOf: string | undefined;
  /** keeps the typed form when another plan is chosen */
  readonly carried: CarriedCheckout;
  /** pays with the typed data; resolves to the refusal */
  readonly pay: (form: PayerForm) => Promise<Refusal<PayNotice> | undefined>;
}

// `useForm` takes records; an interface has no index signature, the mapped type has.
type Values = { readonly [Key in PayerKey]: string };

/** The payer's form. An error is shown at its field; the security code is never retained for a second attempt. */
export function usePayer({ uid, asked, currency, codeDigits, mobileOf, carried, pay }: PayerSettings) {
  const form = useForm<Values>({
    initial: emptyPayerForm,
    draft: payerDraft(uid, mobileOf),
    check: (values) => {
      const problems = payerProblems(values, asked, { now: serverNow(), currency, codeDigits });
      return Object.fromEntries(
        Object.entries(problems).map(([key, problem]) => [key, localizedMessage(payerMessages[problem])]),
      );
    },
    submit: async (values) => {
      const refusal = await pay(values);
      if (refusal?.place.at === 'savedCard') anotherCard();
      if (!refusal || refusal.place.at === 'savedCard') return undefined;
      // the customer did not empty the code, so no error is shown until the form is sent again
      if (refusal.source.kind === 'declined') form.resetField('code');
      const fields = wordsAtInput(refusal);
      return fields && { fields };
    },
  });
  useOwnMobile(mobileOf, form.values.mobile, (mobile) => form.setValue('mobile', mobile));
  /** the typed code of one card is invalid for another, and no error is shown before it is sent */
  const anotherCard = () => {
    form.clearErrors();
    form.resetField('code');
  };
  /** one paste may fill several fields */
  const fill = (values: Partial<Values>) => {
    // the keys of a part of the form
    for (const key of Object.keys(values) as PayerKey[]) form.setValue(key, values[key] ?? '');
  };
  useCarriedForm(carried, form.values, fill);
  return { ...form, anotherCard, fill };
}

/** Restores what was typed before another plan was chosen on this page. */
function useCarriedForm(carried: CarriedCheckout, values: Values, restore: (values: Partial<Values>) => void): void {
  const first = useRef(restore);
  useLayoutEffect(() => {
    const typed = Object.entries(carried.getTyped()).filter(([, text]) => text !== '');
    first.current(Object.fromEntries(typed));
  }, [carried]);
  useEffect(() => {
    carried.setTyped(values);
  }, [carried, values]);
}

/** Each method and country has its own number: the previous one is set aside, and restored with its method. */
function useOwnMobile(owner: string | undefined, mobile: string, show: (mobile: string) => void): void {
  const numbers = useRef(new Map<string, string>());
  const shown = useRef(owner);
  useLayoutEffect(() => {
    const previous = shown.current;
    if (previous === owner) return;
    if (previous !== undefined) numbers.current.set(previous, mobile);
    shown.current = owner;
    const own = owner === undefined ? '' : (numbers.current.get(owner) ?? '');
    if (own !== mobile) show(own);
  });
}

/** The error at the input that can correct it; undefined if it is shown elsewhere. */
function wordsAtInput({
  source,
  code,
  place,
}: Refusal<PayNotice>): Partial<Record<PayerKey, LocalizedMessage>> | undefined {
  if (place.at !== 'input' || code === undefined) return undefined;
  return { [place.key]: refusedInputMessage(place.key, code, source.kind === 'refused') };
}

export type PayerFormControl = ReturnType<typeof usePayer>;

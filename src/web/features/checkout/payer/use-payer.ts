import { useState, type SubmitEvent } from 'react';
import { serverNow } from '../../../api/server-clock.ts';
import { useForm } from '../../../form/use-form.ts';
import { say, type Words } from '../../../form/words.ts';
import { errorWords } from '../../../i18n/error-words.ts';
import type { PayNotice, PayState } from '../act/pay-machine.ts';
import { emptyPayerForm, type AskedGroup, type PayerForm, type PayerKey } from './payer-form.ts';
import { payerDraft } from './payer-memory.ts';
import { payerProblems, type PayerProblem } from './payer-problems.ts';
import { payerWords } from './payer-words.ts';
import { placeOfRefusal } from '../act/refusal-place.ts';

interface PayerSettings {
  readonly uid: string;
  readonly asked: readonly AskedGroup[];
  readonly currency: string;
  /** digits of the code of the saved card that is chosen */
  readonly codeDigits: number | undefined;
  /** pays with what was typed; answers with where that led */
  readonly pay: (form: PayerForm) => Promise<PayState>;
}

// `useForm` takes records; an interface has no index signature, the mapped type has.
type Values = { readonly [Key in PayerKey]: string };

/** The payer's form. What is refused at a field stands there; the security code is never kept for a second try. */
export function usePayer({ uid, asked, currency, codeDigits, pay }: PayerSettings) {
  const [emptied, setEmptied] = useState(false);
  const form = useForm<Values>({
    initial: emptyPayerForm,
    draft: payerDraft(uid),
    check: (values) => {
      const problems = payerProblems(values, asked, { now: serverNow(), currency, codeDigits });
      return Object.fromEntries(Object.entries(problems).map(([key, problem]) => [key, say(payerWords[problem])]));
    },
    submit: async (values) => {
      const state = await pay(values);
      if (state.phase !== 'idle' || !state.notice) return undefined;
      const { notice } = state;
      if (placeOfRefusal(notice, asked) === 'savedCard') {
        anotherCard();
        return undefined;
      }
      const refusal = refusalAt(notice, asked);
      if (notice.kind === 'declined') {
        form.set('code', '');
        setEmptied(refusal?.fields.code === undefined);
      }
      return refusal;
    },
  });
  /** what was typed of one card's code is not another's, and nobody has tried to send that one yet */
  const anotherCard = () => {
    form.set('code', '');
    form.startOver();
    setEmptied(true);
  };
  const shown = emptied ? sparingCode(form, () => setEmptied(false)) : form;
  /** one paste may be of several fields */
  const fill = (values: Partial<Values>) => {
    // the keys of a part of the form
    for (const key of Object.keys(values) as PayerKey[]) form.set(key, values[key] ?? '');
  };
  return { ...shown, anotherCard, fill };
}

type Form = ReturnType<typeof useForm<Values>>;

/** A security code that we have emptied ourselves is nobody's mistake until the form is sent again. */
function sparingCode(form: Form, judgeAgain: () => void): Form {
  const { values, formProps } = form;
  return {
    ...form,
    text: (name, typed) => {
      const input = form.text(name, typed);
      return name === 'code' && values.code === '' ? { ...input, error: undefined } : input;
    },
    formProps: {
      ...formProps,
      onSubmit: (event: SubmitEvent) => {
        judgeAgain();
        formProps.onSubmit(event);
      },
    },
  };
}

/** What the server has against the shape of an input, where there are better words than the catalogue's. */
const misshapen: Partial<Record<PayerKey, PayerProblem>> = {
  number: 'numberWrong',
  expiry: 'expiryWrong',
  document: 'documentWrong',
  birthDate: 'birthDateWrong',
  phone: 'phoneWrong',
  mobile: 'mobileWrong',
  zipCode: 'zipCodeWrong',
};

/** The refusal at the input that can mend it; undefined where the notice above them or the saved cards say it. */
function refusalAt(notice: PayNotice, asked: readonly AskedGroup[]) {
  const place = placeOfRefusal(notice, asked);
  if (!place || place === 'savedCard' || !('code' in notice) || notice.code === undefined) return undefined;
  const { kind, code } = notice;
  const problem = kind === 'refused' ? misshapen[place] : undefined;
  const words: Words = problem ? say(payerWords[problem]) : (i18n) => errorWords(i18n, code);
  const at: Partial<Record<PayerKey, Words>> = { [place]: words };
  return { fields: at };
}

export type PayerFormControl = ReturnType<typeof usePayer>;

import type { PayerField } from '../../../contract/billing.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useForm } from '../../form/use-form.ts';
import { say, type Words } from '../../form/words.ts';
import { errorWords } from '../../i18n/error-words.ts';
import type { PayState } from './pay-machine.ts';
import { placeOfDecline } from './pay-outcome.ts';
import { emptyPayerForm, type PayerForm, type PayerKey } from './payer-form.ts';
import { payerProblems } from './payer-problems.ts';
import { payerWords } from './payer-words.ts';

interface PayerSettings {
  readonly fields: readonly PayerField[];
  readonly currency: string;
  readonly initial: Partial<PayerForm>;
  /** pays with what was typed; answers with where that led */
  readonly pay: (form: PayerForm) => Promise<PayState>;
}

// `useForm` takes records; an interface has no index signature, the mapped type has.
type Values = { readonly [Key in PayerKey]: string };

/** The payer's form. What is refused at a field stands there; the security code is never kept for a second try. */
export function usePayer({ fields, currency, initial, pay }: PayerSettings) {
  const form = useForm<Values>({
    initial: { ...emptyPayerForm, ...initial },
    check: (values) => {
      const problems = payerProblems(values, fields, { now: serverNow(), currency });
      return Object.fromEntries(Object.entries(problems).map(([key, problem]) => [key, say(payerWords[problem])]));
    },
    submit: async (values) => {
      const state = await pay(values);
      if (state.phase !== 'idle' || state.notice?.kind !== 'declined') return undefined;
      form.set('code', '');
      return refusalAt(state.notice.code);
    },
  });
  return form;
}

/** The decline at the field that can mend it; undefined where the notice above the summary says it. */
function refusalAt(code: number) {
  const place = placeOfDecline(code);
  const words: Words = (i18n) => errorWords(i18n, code);
  return place === 'summary' ? undefined : { fields: { [place]: words } };
}

export type PayerFormControl = ReturnType<typeof usePayer>;

import { useState } from 'react';
import { checkoutDraft, type CheckoutDraft } from './checkout-draft.ts';

export interface Choices {
  readonly chosen: CheckoutDraft;
  readonly choose: (change: { readonly [K in keyof CheckoutDraft]?: CheckoutDraft[K] | undefined }) => void;
}

/** What the customer chose so far; it survives a reload and a detour to the login. */
export function useChoices(planId: string, wishes: CheckoutDraft): Choices {
  const store = checkoutDraft(planId);
  const [chosen, setChosen] = useState<CheckoutDraft>(() => ({ ...store.get(), ...wishes }));
  const choose: Choices['choose'] = (change) => {
    setChosen((before) => {
      const next = withoutAbsent({ ...before, ...change });
      store.set(next);
      return next;
    });
  };
  return { chosen, choose };
}

function withoutAbsent(choices: { readonly [K in keyof CheckoutDraft]?: CheckoutDraft[K] | undefined }): CheckoutDraft {
  const { methodCode, currency, installments, coupon } = choices;
  return {
    ...(methodCode === undefined ? {} : { methodCode }),
    ...(currency === undefined ? {} : { currency }),
    ...(installments === undefined ? {} : { installments }),
    ...(coupon === undefined ? {} : { coupon }),
  };
}

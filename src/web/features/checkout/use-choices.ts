import { useState } from 'react';
import { checkoutDraft, type CheckoutDraft } from '../../platform/storage/checkout-draft.ts';

export interface Choices {
  readonly chosen: CheckoutDraft;
  readonly choose: (change: { readonly [K in keyof CheckoutDraft]?: CheckoutDraft[K] | undefined }) => void;
}

/**
 * What the customer chose so far; it survives a reload and a detour to the login. What was chosen counts more than
 * `defaults`, and what the address `wishes` counts more than both.
 */
export function useChoices(planId: string, defaults: CheckoutDraft, wishes: CheckoutDraft): Choices {
  const store = checkoutDraft(planId);
  const [chosen, setChosen] = useState<CheckoutDraft>(() => ({ ...defaults, ...store.get(), ...wishes }));
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
  const { methodCode, currency, installments, discountCode, renew } = choices;
  return {
    ...(methodCode === undefined ? {} : { methodCode }),
    ...(currency === undefined ? {} : { currency }),
    ...(installments === undefined ? {} : { installments }),
    ...(discountCode === undefined ? {} : { discountCode }),
    ...(renew === undefined ? {} : { renew }),
  };
}

import { useState } from 'react';
import { checkoutDraft, type CheckoutDraft } from '#web/platform/session/storage/checkout-draft.ts';

/** `renew` is a consent: it is given on this page, and never stored. */
export type Chosen = CheckoutDraft & { readonly renew?: boolean };

export interface Choices {
  readonly chosen: Chosen;
  readonly choose: (change: { readonly [K in keyof Chosen]?: Chosen[K] | undefined }) => void;
}

/**
 * The customer's choices; they survive a reload and a login in between. A choice takes precedence over `defaults`, and
 * the URL's `wishes` over both.
 */
export function useChoices(planId: string, defaults: CheckoutDraft, wishes: CheckoutDraft): Choices {
  const store = checkoutDraft(planId);
  const [chosen, setChosen] = useState<Chosen>(() => ({ ...defaults, ...store.get(), ...wishes }));
  const choose: Choices['choose'] = (change) => {
    setChosen((before) => {
      const { renew, ...kept } = { ...before, ...change };
      const draft = withoutAbsent(kept);
      store.set(draft);
      return { ...draft, ...(renew === undefined ? {} : { renew }) };
    });
  };
  return { chosen, choose };
}

function withoutAbsent(choices: { readonly [K in keyof CheckoutDraft]?: CheckoutDraft[K] | undefined }): CheckoutDraft {
  const { methodCode, currency, installments, discountCode } = choices;
  return {
    ...(methodCode === undefined ? {} : { methodCode }),
    ...(currency === undefined ? {} : { currency }),
    ...(installments === undefined ? {} : { installments }),
    ...(discountCode === undefined ? {} : { discountCode }),
  };
}

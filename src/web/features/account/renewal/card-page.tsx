import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import * as v from 'valibot';
import { paymentMethods, type PaymentMethod } from '#contract/billing.ts';
import { cardPurposeSchema, cardVisitSchema, openCardPage, takeCard, type CardPurpose } from '#contract/cards.ts';
import { methodCodeSchema } from '#contract/fields.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { acceptsCards } from '#web/domain/payments/payer/payer-form.ts';
import { webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { messageOfCode } from '#web/platform/api/error-message.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { parseSearch } from '#web/platform/entry/search.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import account from '../account.module.css';
import { cardsQuery } from '../account-query.ts';
import type { ActionResult } from './renewal-action.ts';
import type { Elements } from '#web/ui/elements.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** What a renewal can be charged to that is not saved yet. */
export interface RenewalMethods {
  /** the method of new cards: that of the renewal's card, else the first; undefined until known */
  readonly ofCards: PaymentMethod | undefined;
  /** methods whose accounts are saved at the provider's page */
  readonly ofAccounts: readonly PaymentMethod[];
  readonly asking: boolean;
}

export function useRenewalMethods({ terms, card }: RenewalInfo): RenewalMethods {
  const asked = { planId: terms.planId, currency: terms.price.currency };
  const { data, error } = useQuery(q(paymentMethods, { body: asked }, { quiet: true }));
  const renewing = (data ?? []).filter(({ renews }) => renews);
  const cards = renewing.filter(({ fields }) => acceptsCards(fields));
  return {
    ofCards: cards.find(({ code }) => code === card?.methodCode) ?? cards[0],
    ofAccounts: renewing.filter(({ accountPage }) => accountPage),
    asking: !data && !error,
  };
}

interface GoToPageProps {
  methodCode: string;
  currency: string;
  purpose: CardPurpose;
  /** what the customer does there */
  hint: Elements;
  /** the reason of a refusal, if the server's own would be misleading */
  refusal?: LocalizedMessage | undefined;
  children: Elements;
}

/** Opens the page of a provider that saves a card or an account: nothing of it is typed here. */
export function GoToPage({ methodCode, currency, purpose, hint, refusal, children }: GoToPageProps) {
  const key = useRef<string>(undefined);
  const { mutate, isPending, problem } = useApiMutation(openCardPage, {
    onSuccess: ({ url }) => {
      const address = webAddress(url);
      if (address) location.assign(address);
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) key.current = undefined;
    },
    message: (error) => {
      const { declineCode } = error.params;
      if (refusal && error.is('billingCardNotUpdated')) return refusal;
      return declineCode === undefined ? undefined : (i18n) => messageOfCode(i18n, declineCode);
    },
    shows: 'all',
  });
  const open = () => {
    key.current ??= uuid();
    mutate({ body: { methodCode, currency, purpose } }, { idempotencyKey: key.current });
  };
  return (
    <>
      <p className={account.soft}>{hint}</p>
      <Problem>{problem}</Problem>
      <Button busy={isPending} onClick={open}>
        {children}
      </Button>
    </>
  );
}

interface GoToAccountPageProps extends Pick<GoToPageProps, 'currency' | 'purpose'> {
  method: PaymentMethod;
}

/** Opens the page of a provider that saves an account. */
export function GoToAccountPage({ method: { code, name }, ...rest }: GoToAccountPageProps) {
  const hint = (
    <Trans>Log in to {name} and allow renewals there, then come back here. You won’t be charged for this.</Trans>
  );
  const refusal: LocalizedMessage = (i18n) =>
    i18n._(msg`${name} can’t be added right now. Choose another payment method.`);
  return (
    <GoToPage methodCode={code} hint={hint} refusal={refusal} {...rest}>
      <Trans>Continue to {name}</Trans>
    </GoToPage>
  );
}

/**
 * The parameters of the return from the provider; parsed here and not in the route, which is part of the first page
 * load. PayPal names the visit by its own parameter.
 */
const backSchema = v.object({
  cardVisit: v.optional(cardVisitSchema),
  approval_token_id: v.optional(cardVisitSchema),
  cardMethod: methodCodeSchema,
  cardFor: cardPurposeSchema,
});

interface Visit {
  readonly onCardSaved: (purpose: CardPurpose, cardId: string) => void;
  readonly onResult: (said: ActionResult) => void;
}

/**
 * Saves the card or account that the customer left at the provider's page, once per visit, and continues the action
 * that needed it.
 */
export function useCardPageReturn({ onCardSaved, onResult }: Visit): void {
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const client = useQueryClient();
  const navigate = useNavigate();
  const seen = useRef<string>(undefined);
  useEffect(() => {
    const back = v.safeParse(backSchema, parseSearch(search));
    if (!back.success || seen.current === search) return;
    seen.current = search;
    const { cardVisit, approval_token_id: approved, cardMethod: methodCode, cardFor: purpose } = back.output;
    const visit = cardVisit ?? approved;
    if (visit === undefined) return;
    const nothing = cardVisit === undefined ? noAccountAdded : noCardAdded;
    const take = async () => {
      const { result, error } = await attempt(takeCard, { body: { methodCode, visit } }, { quiet: true });
      if (result) {
        await refreshQueries(client, { queryKey: cardsQuery.queryKey });
        onCardSaved(purpose, result.cardId);
      }
      if (error) onResult({ tone: 'danger', words: nothing });
      await navigate({ to: '/account', replace: true, resetScroll: false });
    };
    void take();
  }, [search, client, navigate, onCardSaved, onResult]);
}

const noCardAdded: LocalizedMessage = (i18n) => i18n._(msg`No card was added. Nothing has changed.`);
const noAccountAdded: LocalizedMessage = (i18n) => i18n._(msg`No account was added. Nothing has changed.`);

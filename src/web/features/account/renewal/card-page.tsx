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
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** The method whose cards the renewal can be charged to: that of its card, else the first; undefined until known. */
export function useRenewalMethod({ terms, card }: RenewalInfo): {
  method?: PaymentMethod | undefined;
  asking: boolean;
} {
  const asked = { planId: terms.planId, currency: terms.price.currency };
  const { data, error } = useQuery(q(paymentMethods, { body: asked }, { quiet: true }));
  const renewing = (data ?? []).filter(({ renews, fields }) => renews && acceptsCards(fields));
  return { method: renewing.find(({ code }) => code === card?.methodCode) ?? renewing[0], asking: !data && !error };
}

interface GoToCardPageProps {
  methodCode: string;
  currency: string;
  purpose: CardPurpose;
  children: Elements;
}

/** Opens the page of a provider that takes cards on its own page: no card data is typed here. */
export function GoToCardPage({ methodCode, currency, purpose, children }: GoToCardPageProps) {
  const key = useRef<string>(undefined);
  const { mutate, isPending, problem } = useApiMutation(openCardPage, {
    onSuccess: ({ url }) => {
      const address = webAddress(url);
      if (address) location.assign(address);
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) key.current = undefined;
    },
    message: ({ params: { declineCode } }) =>
      declineCode === undefined ? undefined : (i18n) => messageOfCode(i18n, declineCode),
    shows: 'all',
  });
  const open = () => {
    key.current ??= uuid();
    mutate({ body: { methodCode, currency, purpose } }, { idempotencyKey: key.current });
  };
  return (
    <>
      <p className={account.soft}>
        <Trans>
          Enter your card on our payment provider’s page, then come back here. You won’t be charged for this.
        </Trans>
      </p>
      <Problem>{problem}</Problem>
      <Button busy={isPending} onClick={open}>
        {children}
      </Button>
    </>
  );
}

/**
 * The parameters of the return from the provider; parsed here and not in the route, which is part of the first page
 * load.
 */
const backSchema = v.object({ cardVisit: cardVisitSchema, cardMethod: methodCodeSchema, cardFor: cardPurposeSchema });

interface Visit {
  readonly onCardSaved: (purpose: CardPurpose, cardId: string) => void;
  readonly onResult: (said: ActionResult) => void;
}

/**
 * Saves the card that the customer left at the provider's page, once per visit, and continues the action that needed
 * it.
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
    const { cardVisit: visit, cardMethod: methodCode, cardFor: purpose } = back.output;
    const take = async () => {
      const { result, error } = await attempt(takeCard, { body: { methodCode, visit } }, { quiet: true });
      if (result) {
        await refreshQueries(client, { queryKey: cardsQuery.queryKey });
        onCardSaved(purpose, result.cardId);
      }
      if (error) onResult({ tone: 'danger', words: (i18n) => i18n._(msg`No card was added. Nothing has changed.`) });
      await navigate({ to: '/account', replace: true, resetScroll: false });
    };
    void take();
  }, [search, client, navigate, onCardSaved, onResult]);
}

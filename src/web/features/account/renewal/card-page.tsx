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
import { webAddress } from '#web/domain/payments/web-address.ts';
import { ApiError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { errorWords, wordsOf } from '#web/platform/api/error-words.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { parseSearch } from '#web/platform/entry/search.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import type { Words } from '#web/platform/form/words.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import account from '../account.module.css';
import { cardsQuery } from '../account-query.ts';
import type { Said } from './renewal-act.ts';
import type { Elements } from '#web/ui/elements.ts';

/** The method whose cards the renewal can be charged to: the one of its card, else the first; undefined until it is known. */
export function useRenewingMethod({ terms, card }: RenewalInfo): {
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

/** The way to the page of a provider that takes cards at its own: nothing of a card is typed here. */
export function GoToCardPage({ methodCode, currency, purpose, children }: GoToCardPageProps) {
  const key = useRef<string>(undefined);
  const { tap, busy, problem } = useTap(async (): Promise<Words | undefined> => {
    key.current ??= uuid();
    const body = { methodCode, currency, purpose };
    try {
      const { url } = await call(openCardPage, { body }, { quiet: true, idempotencyKey: key.current });
      const address = webAddress(url);
      if (address) location.assign(address);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isOutcomeUnknown(error)) key.current = undefined;
      const reason = error.params.declineCode;
      return (i18n) => (reason === undefined ? wordsOf(i18n, error) : errorWords(i18n, reason));
    }
  });
  return (
    <>
      <p className={account.soft}>
        <Trans>You type your card at our payment provider and come back here. Nothing is charged for that.</Trans>
      </p>
      <Problem>{problem}</Problem>
      <Button busy={busy} onClick={tap}>
        {children}
      </Button>
    </>
  );
}

/** The way back as the address tells it; read here and not by the route, which every first visit loads. */
const backSchema = v.object({ cardVisit: cardVisitSchema, cardMethod: methodCodeSchema, cardFor: cardPurposeSchema });

interface Visit {
  readonly onTaken: (purpose: CardPurpose, cardId: string) => void;
  readonly onSaid: (said: Said) => void;
}

/** Takes the card that its owner has left at that page, once per visit, and goes on with what it was wanted for. */
export function useCardVisit({ onTaken, onSaid }: Visit): void {
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
      try {
        const { cardId } = await call(takeCard, { body: { methodCode, visit } }, { quiet: true });
        await refreshQueries(client, { queryKey: cardsQuery.queryKey });
        onTaken(purpose, cardId);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        onSaid({ tone: 'danger', words: (i18n) => i18n._(msg`No card was added. Nothing has changed.`) });
      }
      await navigate({ to: '/account', replace: true, resetScroll: false });
    };
    void take();
  }, [search, client, navigate, onTaken, onSaid]);
}

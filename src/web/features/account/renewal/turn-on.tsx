import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { formatMoney, type Money } from '#contract/money.ts';
import type { Input } from '#contract/endpoint.ts';
import { updateRenewStatus, type changeCard, type RenewalInfo } from '#contract/renewal.ts';
import { DateText, RecurringPrice } from '#web/domain/payments/period-text.tsx';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { CardChoice, NewCardSlot, useCardPick } from './card-choice.tsx';
import { GoToAccountPage } from './card-page.tsx';
import {
  correctableError,
  useRenewalOptions,
  successResult,
  type RenewalDialogProps,
  type ActionResult,
} from './renewal-action.ts';
import styles from './renewal.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';
import { errorMessage, useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';

/** The terms, the card to charge, and the consent. */
export function TurnOn(props: RenewalDialogProps) {
  const { open, onClose } = props;
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>Turn on automatic renewal?</Trans>}>
      <Agreement {...props} />
    </Dialog>
  );
}

function Agreement({ info, added, ...rest }: RenewalDialogProps) {
  const pick = useCardPick({ info, first: added ?? info.card?.cardId });
  const { price, was, agree } = useAgreement(info, rest);
  return (
    <>
      <Terms info={info} price={price} isAccount={(pick.chosen?.account ?? pick.adding) !== undefined} />
      {was ? <PriceChanged was={was} price={price} /> : null}
      <CardChoice pick={pick} />
      {pick.settled ? <AgreeButton cardId={pick.settled.cardId} agree={agree} onClose={rest.onClose} /> : null}
      {pick.typing ? (
        <NewCardSlot
          info={info}
          method={pick.methods.ofCards}
          purpose="turnOn"
          onSend={(card, key) => agree(by(card), key)}
        >
          <Trans>Agree and turn on</Trans>
        </NewCardSlot>
      ) : null}
      {pick.adding ? <GoToAccountPage method={pick.adding} currency={price.currency} purpose="turnOn" /> : null}
    </>
  );
}

/** A new card instead of a saved one. */
const by = (card: Input<typeof changeCard>['body']): Card => ('card' in card ? { newCard: card } : card);

type Card = Pick<Input<typeof updateRenewStatus>['body'], 'cardId' | 'newCard'>;

/**
 * The customer agrees to the price on the screen; if it has changed, both prices are shown and consent is requested
 * again.
 */
function useAgreement(info: RenewalInfo, rest: Omit<RenewalDialogProps, 'info' | 'open'>) {
  const [prices, setPrices] = useState<{ price: Money; was?: Money }>({ price: info.terms.price });
  const { price, was } = prices;
  const turnOn = useApiMutation(updateRenewStatus, useRenewalOptions(rest, turnedOn));
  const agree = async (card: Card, idempotencyKey?: string): Promise<CallError | undefined> => {
    const { error } = await turnOn.send({ body: { status: 'on', ...card, price } }, { idempotencyKey });
    const { newTotal } = error?.params ?? {};
    if (!error?.is('placePaymentFailed') || !newTotal) return correctableError(error);
    setPrices({ price: newTotal, was: price });
    return undefined;
  };
  return { price, was, agree };
}

interface AgreeProps {
  cardId: string;
  agree: (card: Card) => Promise<CallError | undefined>;
  onClose: () => void;
}

function AgreeButton({ cardId, agree, onClose }: AgreeProps) {
  const { mutate, isPending, problem } = useAction(async () => {
    const error = await agree({ cardId });
    return { refusal: error && { summary: errorMessage(error) } };
  });
  return (
    <>
      <Problem>{problem}</Problem>
      <div className={styles.agree}>
        <Button busy={isPending} onClick={mutate}>
          <Trans>Agree and turn on</Trans>
        </Button>
        <Button variant="secondary" onClick={onClose}>
          <Trans>Not now</Trans>
        </Button>
      </div>
    </>
  );
}

function Terms({ info: { terms }, price, isAccount }: { info: RenewalInfo; price: Money; isAccount: boolean }) {
  return (
    <ul className={styles.terms}>
      <li>
        <strong>
          <span translate="no">{`${terms.planName}: `}</span>
          <RecurringPrice price={price} days={terms.days} />
        </strong>
      </li>
      <li>
        {isAccount ? (
          <Trans>
            You pay nothing today. The first payment is on <DateText at={terms.nextChargeAt} />, with PayPal.
          </Trans>
        ) : (
          <Trans>
            You pay nothing today. The first payment is on <DateText at={terms.nextChargeAt} />, with the card you
            choose.
          </Trans>
        )}
      </li>
      <li>
        <Trans>We notify you before each payment, and we ask you before any price change.</Trans>
      </li>
      <li>
        <Trans>You can turn it off here at any time, in two taps.</Trans>
      </li>
    </ul>
  );
}

function PriceChanged({ was, price }: { was: Money; price: Money }) {
  const language = useLanguage();
  return (
    <Alert tone="warning" live="assertive" title={<Trans>The price has changed</Trans>}>
      <Trans>
        It was <MoneyText money={was} language={language} />; now it’s{' '}
        <strong>
          <MoneyText money={price} language={language} />
        </strong>
        . Nothing is turned on yet. To accept, agree again.
      </Trans>
    </Alert>
  );
}

const turnedOn = ({ terms }: RenewalInfo): ActionResult =>
  successResult((i18n) => {
    const date = dayText(i18n, terms.nextChargeAt);
    const price = formatMoney(terms.price, i18n.locale);
    return i18n._(
      msg`Automatic renewal is on. Next payment: ${price} on ${date}. You can turn it off here at any time.`,
    );
  });

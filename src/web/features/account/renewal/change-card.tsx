import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Input } from '#contract/endpoint.ts';
import type { SavedCard } from '#contract/cards.ts';
import { changeCard, type RenewalInfo } from '#contract/renewal.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { messageOfCode, messageOfError } from '#web/platform/api/error-message.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
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
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';
import { msg } from '@lingui/core/macro';
import { formatMoney } from '#contract/money.ts';
import { cardName } from '#web/domain/payments/payer/card-brand.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** Sets another card for the renewal: a saved one, or a new one, which is verified and not charged. */
export function ChangeCard(props: RenewalDialogProps) {
  const { info, open, onClose } = props;
  const isCard = info.card?.account === undefined;
  const title = isCard ? <Trans>Which card should we charge?</Trans> : <Trans>Change payment method</Trans>;
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <CardSelection {...props} />
    </Dialog>
  );
}

type Body = Input<typeof changeCard>['body'];

function CardSelection({ info, added, ...rest }: RenewalDialogProps) {
  const change = useApiMutation(
    changeCard,
    useRenewalOptions(rest, (after) => cardChangeMessage(info, after)),
  );
  const pick = useCardPick({ info, first: added, except: info.card?.cardId });
  const send = async (body: Body, idempotencyKey: string) =>
    correctableError((await change.send({ body }, { idempotencyKey })).error);
  return (
    <>
      {info.status === 'pastDue' ? <ChargedAtOnce info={info} /> : null}
      <CardChoice pick={pick} />
      {pick.settled ? <UseSaved key={pick.settled.cardId} info={info} card={pick.settled} onSend={send} /> : null}
      {pick.typing ? (
        <NewCardSlot info={info} method={pick.methods.ofCards} purpose="change" onSend={send}>
          <UseCardLabel info={info} />
        </NewCardSlot>
      ) : null}
      {pick.adding ? (
        <GoToAccountPage method={pick.adding} currency={info.terms.price.currency} purpose="change" />
      ) : null}
    </>
  );
}

/** The failed payment is retried at once with the new card; this is shown before. */
function ChargedAtOnce({ info: { terms } }: Pick<RenewalDialogProps, 'info'>) {
  const language = useLanguage();
  return (
    <p>
      <Trans>
        We’ll charge <MoneyText money={terms.price} language={language} /> right away, and your plan continues.
      </Trans>
    </p>
  );
}

interface UseSavedProps extends Pick<RenewalDialogProps, 'info'> {
  card: SavedCard;
  onSend: (body: Body, idempotencyKey: string) => Promise<CallError | undefined>;
}

function UseSaved({ info, card, onSend }: UseSavedProps) {
  const key = useRef<string>(undefined);
  const { mutate, isPending, problem } = useAction(async () => {
    key.current ??= uuid();
    const error = await onSend({ cardId: card.cardId }, key.current);
    if (!error) return {};
    // while the outcome is unknown, a repetition must use the same key
    if (!isOutcomeUnknown(error)) key.current = undefined;
    return { refusal: { summary: cardRefused(error) } };
  });
  return (
    <>
      <Problem>{problem}</Problem>
      <Button busy={isPending} onClick={mutate}>
        <UseCardLabel info={info} isAccount={card.account !== undefined} />
      </Button>
    </>
  );
}

/** Why a card was refused, with the bank's reason if there is one. */
function cardRefused(refusal: CallError): LocalizedMessage {
  const { code, params } = refusal;
  const reason = refusal.is('billingCardNotUpdated') ? params.declineCode : undefined;
  if (code === undefined || reason === undefined) return (i18n) => messageOfError(i18n, refusal);
  return (i18n) => `${messageOfCode(i18n, code)}. ${messageOfCode(i18n, reason)}`;
}

/** The label of the button; it names the amount if the card is charged at once. */
export function UseCardLabel({
  info: { status, terms },
  isAccount = false,
}: {
  info: RenewalInfo;
  isAccount?: boolean;
}) {
  const language = useLanguage();
  if (isAccount && status !== 'pastDue') return <Trans>Use PayPal</Trans>;
  if (isAccount)
    return (
      <Trans>
        Pay <MoneyText money={terms.price} language={language} /> with PayPal
      </Trans>
    );
  if (status !== 'pastDue') return <Trans>Use this card</Trans>;
  return (
    <Trans>
      Pay <MoneyText money={terms.price} language={language} /> with this card
    </Trans>
  );
}

/**
 * The message after a change of the card. If the renewal was past due, the response contains the result of the charge,
 * and the message the amount.
 */
export function cardChangeMessage(before: RenewalInfo, { card, status, terms }: RenewalInfo): ActionResult {
  const name = card ? cardName(card) : '';
  const { price } = before.terms;
  if (status === 'pastDue') {
    const words: LocalizedMessage = (i18n) =>
      i18n._(msg`The payment with ${name} was declined, too. Choose another payment method.`);
    return { tone: 'danger', words, whileStatus: status };
  }
  return successResult((i18n) => {
    const sum = formatMoney(price, i18n.locale);
    if (status === 'renewing')
      return i18n._(msg`We’re charging ${sum} to ${name}. Your renewal continues once it’s paid.`);
    if (before.status === 'pastDue') return i18n._(msg`We charged ${sum} to ${name}, and your plan continues.`);
    if (status !== 'on') return i18n._(msg`From now on we charge your renewal to ${name}.`);
    const date = dayText(i18n, terms.nextChargeAt);
    const next = formatMoney(terms.price, i18n.locale);
    return i18n._(
      msg`From now on we charge your renewal to ${name}: ${next} on ${date}. You can turn it off here at any time.`,
    );
  });
}

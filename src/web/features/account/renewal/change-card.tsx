import { Trans } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Input } from '#contract/endpoint.ts';
import { changeCard, type RenewalInfo } from '#contract/renewal.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { errorWords, wordsOf } from '#web/platform/api/error-words.ts';
import type { Words } from '#web/platform/form/words.ts';
import { uuid } from '#web/platform/session/uuid.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { CardChoice, NewCardSlot, useCardPick } from './card-choice.tsx';
import { mendable, useRenewalOptions, well, type ActProps, type Said } from './renewal-act.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useAction } from '#web/platform/form/use-action.ts';
import { msg } from '@lingui/core/macro';
import { formatMoney } from '#contract/money.ts';
import { cardName } from '#web/domain/payments/payer/card-brand.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** Sets another card for the renewal: a saved one, or a new one, which is verified and not charged. */
export function ChangeCard(props: ActProps) {
  const { open, onClose } = props;
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>Which card shall be charged?</Trans>}>
      <CardSelection {...props} />
    </Dialog>
  );
}

type Body = Input<typeof changeCard>['body'];

function CardSelection({ info, added, ...rest }: ActProps) {
  const change = useApiMutation(
    changeCard,
    useRenewalOptions(rest, (after) => changed(info, after)),
  );
  const pick = useCardPick({ first: added, except: info.card?.cardId });
  const send = async (body: Body, idempotencyKey: string) =>
    mendable((await change.send({ body }, { idempotencyKey })).error);
  return (
    <>
      {info.status === 'pastDue' ? <ChargedAtOnce info={info} /> : null}
      <CardChoice pick={pick} />
      {pick.chosen ? <UseSaved key={pick.chosen.cardId} info={info} cardId={pick.chosen.cardId} onSend={send} /> : null}
      {pick.typing ? (
        <NewCardSlot info={info} purpose="change" onSend={send}>
          <UseWords info={info} />
        </NewCardSlot>
      ) : null}
    </>
  );
}

/** The failed payment is retried at once with the new card; this is shown before. */
function ChargedAtOnce({ info: { terms } }: Pick<ActProps, 'info'>) {
  const language = useLanguage();
  return (
    <p>
      <Trans>
        <MoneyText money={terms.price} language={language} /> is charged to it at once, and your plan goes on.
      </Trans>
    </p>
  );
}

interface UseSavedProps extends Pick<ActProps, 'info'> {
  cardId: string;
  onSend: (body: Body, idempotencyKey: string) => Promise<CallError | undefined>;
}

function UseSaved({ info, cardId, onSend }: UseSavedProps) {
  const key = useRef<string>(undefined);
  const { mutate, isPending, problem } = useAction(async () => {
    key.current ??= uuid();
    const error = await onSend({ cardId }, key.current);
    if (!error) return {};
    // while the outcome is unknown, a repetition must use the same key
    if (!isOutcomeUnknown(error)) key.current = undefined;
    return { refusal: { summary: cardRefused(error) } };
  });
  return (
    <>
      <Problem>{problem}</Problem>
      <Button busy={isPending} onClick={mutate}>
        <UseWords info={info} />
      </Button>
    </>
  );
}

/** Why a card was refused, with the bank's reason if there is one. */
function cardRefused(refusal: CallError): Words {
  const { code, params } = refusal;
  const reason = refusal.is('billingCardNotUpdated') ? params.declineCode : undefined;
  if (code === undefined || reason === undefined) return (i18n) => wordsOf(i18n, refusal);
  return (i18n) => `${errorWords(i18n, code)}. ${errorWords(i18n, reason)}`;
}

/** The label of the button; it names the amount if the card is charged at once. */
export function UseWords({ info: { status, terms } }: { info: RenewalInfo }) {
  const language = useLanguage();
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
export function changed(before: RenewalInfo, { card, status, terms }: RenewalInfo): Said {
  const name = card ? cardName(card) : '';
  const { price } = before.terms;
  if (status === 'pastDue') {
    const words: Words = (i18n) => i18n._(msg`${name} was refused, too. Choose another card.`);
    return { tone: 'danger', words, whileStatus: status };
  }
  return well((i18n) => {
    const sum = formatMoney(price, i18n.locale);
    if (status === 'renewing')
      return i18n._(msg`${sum} is being charged to ${name}. Your renewal goes on when it is paid.`);
    if (before.status === 'pastDue') return i18n._(msg`${name} was charged ${sum}, and your plan goes on.`);
    if (status !== 'on') return i18n._(msg`Your renewal is charged to ${name} from now on.`);
    const date = dayText(i18n, terms.nextChargeAt);
    const next = formatMoney(terms.price, i18n.locale);
    return i18n._(
      msg`Your renewal is charged to ${name} from now on: ${next} on ${date}. You can turn it off here at any time.`,
    );
  });
}

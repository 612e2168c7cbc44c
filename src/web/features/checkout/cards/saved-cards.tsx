import { Trans, useLingui } from '@lingui/react/macro';
import { errorNameOf } from '#contract/error-codes.ts';
import { messageOfCode } from '#web/platform/api/error-message.ts';
import { cardExpiry, cardName } from '#web/domain/payments/payer/card-brand.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ChoiceGroup, type Choice } from '#web/ui/choice.tsx';
import { Plus } from '#web/ui/icon.tsx';
import { SchemeMark } from '#web/ui/marks/method-mark.tsx';
import { Problem } from '#web/ui/problem.tsx';
import type { SavedCard } from '#contract/cards.ts';
import { newCard, type Cards } from './use-cards.ts';

interface SavedCardsProps {
  cards: Cards;
  /** another card is chosen: the typed code of the previous one must be cleared */
  onChange: () => void;
}

/** Selects a saved card or another one. Renders nothing without saved cards. */
export function SavedCards({ cards, onChange }: SavedCardsProps) {
  const { t } = useLingui();
  const { list, use, problem, choose } = cards;
  const pick = (choice: string) => {
    choose(choice);
    onChange();
  };
  return (
    <>
      <Problem>{problem === undefined ? null : <Refused code={problem} more={list.length > 0} />}</Problem>
      {list.length === 0 ? null : (
        <ChoiceGroup
          legend={t`Card`}
          name="savedCard"
          value={use.saved?.cardId ?? newCard}
          onChange={pick}
          options={[...list.map(choiceOf), anotherCard]}
        />
      )}
    </>
  );
}

function choiceOf(card: SavedCard): Choice<string> {
  const until = cardExpiry(card);
  return {
    value: card.cardId,
    label: <span translate="no">{cardName(card)}</span>,
    icon: <SchemeMark scheme={card.brand} />,
    detail: card.expired ? <Trans>Expired {until}, so you can’t pay with it</Trans> : <Trans>Expires {until}</Trans>,
    disabled: card.expired,
  };
}

const anotherCard: Choice<string> = {
  value: newCard,
  label: <Trans>Another card</Trans>,
  icon: <Plus aria-hidden />,
};

function Refused({ code, more }: { code: number; more: boolean }) {
  const { i18n } = useLingui();
  if (errorNameOf(code) !== 'savedCardNotFound') return <span>{messageOfCode(i18n, code)}</span>;
  return more ? (
    <Trans>This card is no longer saved. Choose another one.</Trans>
  ) : (
    <Trans>This card is no longer saved. Enter its details to pay with it.</Trans>
  );
}

/** Off by default: what is saved is a token of the provider, never the number or the code. */
export function SaveCard({ cards }: { cards: Cards }) {
  const { t } = useLingui();
  return (
    <Checkbox
      label={t`Save this card for next time`}
      name="saveCard"
      checked={cards.use.save ?? false}
      onChange={(event) => cards.setSave(event.target.checked)}
    />
  );
}

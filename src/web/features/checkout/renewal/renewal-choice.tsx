import { Trans } from '@lingui/react/macro';
import type { PaymentMethod, Quote } from '#contract/billing.ts';
import { acceptsCards } from '#web/domain/payments/payer/payer-form.ts';
import { cardName } from '#web/domain/payments/payer/card-brand.ts';
import { DateText, RecurringPrice } from '#web/domain/payments/period-text.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import type { Cards } from '../cards/use-cards.ts';
import type { Choices } from '../use-choices.ts';
import type { Purchase } from '../price/use-purchase.ts';
import { isSameMoney } from '../act/pay-machine.ts';
import styles from './renewal.module.css';

interface RenewalChoiceProps {
  purchase: Purchase;
  cards: Cards;
  choices: Choices;
}

/** Whether the plan shall renew: the terms are beside the checkbox, before it is ticked. */
export function RenewalChoice({ purchase: { renewal, quote, method }, cards, choices }: RenewalChoiceProps) {
  const { offer, chosen } = renewal;
  if (!offer || !quote) return null;
  return (
    <div className={styles.choice} data-chosen={chosen || undefined}>
      <Checkbox
        name="renew"
        checked={chosen}
        onChange={(event) => choices.choose({ renew: event.target.checked })}
        label={
          <strong>
            <Trans>Renew automatically</Trans>
          </strong>
        }
        hint={<Terms offer={offer} quote={quote} method={method} cards={cards} />}
      />
    </div>
  );
}

interface Priced {
  quote: Quote;
  offer: NonNullable<Quote['renewal']>;
}

/** What, how much, when, with which card, and how to cancel. */
function Terms({ offer, quote, method, cards }: Priced & { method: PaymentMethod; cards: Cards }) {
  return (
    <ul className={styles.terms}>
      <li>
        <strong>
          <RecurringPrice price={offer.price} days={offer.days} />
        </strong>
        <br />
        <Trans>
          First charge on <DateText at={offer.nextChargeAt} />
        </Trans>
      </li>
      {isSameMoney(offer.price, quote.total) ? null : <LaterPrice quote={quote} offer={offer} />}
      <li>
        <ChargedNotice method={method} cards={cards} />
      </li>
      <li>
        <Trans>
          We notify you before each payment. You can turn it off in your account at any time, in two taps, and keep what
          you’ve paid for.
        </Trans>
      </li>
    </ul>
  );
}

/** Today's discount does not apply to renewals. */
function LaterPrice({ quote, offer }: Priced) {
  const language = useLanguage();
  return (
    <li>
      <Trans>
        You pay <MoneyText money={quote.total} language={language} /> today. Later payments are{' '}
        <MoneyText money={offer.price} language={language} /> each, without today’s discount.
      </Trans>
    </li>
  );
}

/** Which card is charged, and that it is saved; or the account that pays now. */
function ChargedNotice({ method, cards }: { method: PaymentMethod; cards: Cards }) {
  const { saved } = cards.use;
  const { name: account } = method;
  if (!acceptsCards(method.fields))
    return (
      <Trans>
        With your {account} account. You approve this at {account} when you pay.
      </Trans>
    );
  if (!saved) {
    return <Trans>Our payment provider stores this card for it. We never store its number or security code.</Trans>;
  }
  const name = cardName(saved);
  return <Trans>With your saved card, {name}</Trans>;
}

/** Beside the button: whether this is a single payment or the first of many. */
export function RenewalLine({ purchase: { renewal, quote, installments } }: { purchase: Purchase }) {
  const language = useLanguage();
  const { offer, chosen, goesOn } = renewal;
  if (!quote || goesOn) return null;
  if (!offer || !chosen) {
    return (
      <p className={styles.line}>
        {installments > 1 ? <Trans>No automatic renewal</Trans> : <Trans>One payment, no automatic renewal</Trans>}
      </p>
    );
  }
  return (
    <p className={styles.line}>
      <Trans>
        Renews on <DateText at={offer.nextChargeAt} short /> for <MoneyText money={offer.price} language={language} />
      </Trans>
    </p>
  );
}

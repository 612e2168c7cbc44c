import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatMoney } from '#contract/money.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { cardName } from '#web/domain/payments/card-name.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { dayText } from '#web/platform/i18n/day-text.ts';
import type { Words } from '#web/platform/form/words.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { well, type Said } from './renewal-act.ts';

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

import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { renewInfo } from '#contract/renewal.ts';
import { cardName } from '#web/domain/payments/card-name.ts';
import { Day } from '#web/domain/payments/renewal-words.tsx';
import { q } from '#web/platform/api/query.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { MoneyText } from '#web/ui/money-text.tsx';

/** Confirms that the plan renews: how much, when, with which card, and how to cancel. Nothing if it does not. */
export function RenewalConfirmed({ planId }: { planId: string }) {
  const language = useLanguage();
  const { data } = useQuery({ ...q(renewInfo, {}, { quiet: true }), staleTime: 0 });
  if (data?.status !== 'on' || data.terms.planId !== planId) return null;
  const { terms, card } = data;
  const price = <MoneyText money={terms.price} language={language} />;
  const date = <Day at={terms.nextChargeAt} />;
  const name = card === null ? '' : cardName(card);
  return (
    <p>
      {card === null ? (
        <Trans>
          Your plan renews automatically: {price} on {date}.
        </Trans>
      ) : (
        <Trans>
          Your plan renews automatically: {price} on {date}, by {name}.
        </Trans>
      )}
      <span> </span>
      <Trans>
        We let you know before each payment, and you can <Link to="/account">turn it off in your account</Link> at any
        time.
      </Trans>
    </p>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { CurrencySelect } from '../price/currency-select.tsx';
import type { Choices } from '../use-choices.ts';

interface NoMethodProps {
  currencies: readonly string[];
  currency: string;
  choices: Choices;
}

/**
 * There is no method for this plan in this currency at the moment: another currency or plan may help. With a coupon the
 * total may be smaller than any provider charges.
 */
export function NoMethod(props: NoMethodProps) {
  const { t } = useLingui();
  const { chosen, choose } = props.choices;
  if (chosen.discountCode !== undefined) return <TotalTooSmall onRemove={() => choose({ discountCode: undefined })} />;
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>There is no way to pay for this plan at the moment</Trans>}
      action={
        <>
          <Link to="/pricing-table" className={buttonClass()}>
            <Trans>See the plans</Trans>
          </Link>
          <Link to="/help" className={buttonClass({ variant: 'secondary' })}>
            <Trans>Get help</Trans>
          </Link>
        </>
      }
    >
      {props.currencies.length > 1 ? (
        <CurrencySelect {...props} hint={t`Nothing can be paid in this currency. Choose another one.`} />
      ) : (
        <p>
          <Trans>Nothing was ordered and nothing was charged. Please come back later; Help says how to reach us.</Trans>
        </p>
      )}
    </StatePage>
  );
}

function TotalTooSmall({ onRemove }: { onRemove: () => void }) {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>With this coupon the total is too small to be charged</Trans>}
      action={
        <Button onClick={onRemove}>
          <Trans>Remove the coupon</Trans>
        </Button>
      }
    >
      <p>
        <Trans>Nothing was ordered and nothing was charged. Without the coupon you can pay the regular price.</Trans>
      </p>
    </StatePage>
  );
}

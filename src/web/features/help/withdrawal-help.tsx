import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { buttonClass } from '#web/ui/button.tsx';

/** The heading about withdrawal in the help and the terms. */
export function WithdrawalTitle() {
  return <Trans>Cancel and get your money back</Trans>;
}

/** Days in which customers may withdraw from a paid order; undefined if the brand grants none. */
export const useWithdrawalDays = (): number | undefined => useBrand().siteConfig.payment.withdrawalDays;

/** How to withdraw, with a link. */
export function WithdrawalAnswer({ days }: { days: number }) {
  return (
    <>
      <p>
        <Trans>
          You can cancel a paid order for <Plural value={days} one="# day" other="# days" />: open your orders and
          choose “Cancel and get your money back”. The order shows your refund status.
        </Trans>
      </p>
      <Link to="/orders" className={buttonClass({ variant: 'secondary' })}>
        <Trans>Open your orders</Trans>
      </Link>
    </>
  );
}

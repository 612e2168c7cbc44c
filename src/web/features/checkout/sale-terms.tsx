import { Plural, Trans } from '@lingui/react/macro';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import styles from './checkout.module.css';

/** Beside the pay button: the withdrawal period, and the seller. */
export function SaleTerms() {
  const { seller, payment } = useBrand().siteConfig;
  const { withdrawalDays: days } = payment;
  const legalName = seller?.legalName;
  if (legalName === undefined && days === undefined) return null;
  return (
    <ul className={styles.sale}>
      {days === undefined ? null : (
        <li>
          <Plural
            value={days}
            one="You have # day to change your mind and get your money back"
            other="You have # days to change your mind and get your money back"
          />
        </li>
      )}
      {legalName === undefined ? null : (
        <li>
          <Trans>Sold by {legalName}</Trans>
        </li>
      )}
    </ul>
  );
}

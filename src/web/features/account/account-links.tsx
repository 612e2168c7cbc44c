import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { Cloud, ReceiptText, TicketPercent, Tv } from '#web/ui/icon.tsx';
import styles from './account-links.module.css';

/** Links to the further pages of the account, so that this page stays short. */
export function AccountLinks() {
  const { t } = useLingui();
  const { cloud } = useBrand().siteConfig;
  return (
    <nav className={styles.places} aria-label={t`More about your account`}>
      <Link to="/coupons">
        <TicketPercent aria-hidden />
        <Trans>Coupons</Trans>
      </Link>
      <Link to="/receipts">
        <ReceiptText aria-hidden />
        <Trans>Receipts</Trans>
      </Link>
      {cloud ? (
        <Link to="/my-cloud">
          <Cloud aria-hidden />
          <Trans>My cloud</Trans>
        </Link>
      ) : null}
      <Link to="/connect-tv">
        <Tv aria-hidden />
        <Trans>Connect a TV</Trans>
      </Link>
    </nav>
  );
}

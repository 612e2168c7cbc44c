import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { CircleUser, House, ReceiptText, TicketPercent } from '../ui/icon.tsx';
import styles from './main-layout.module.css';

const link = { className: styles.place, activeOptions: { exact: true, includeSearch: false } };

/** The four places. One list: a bar under the thumb on a phone, links in the header elsewhere. */
export function Places({ label }: { label: string }) {
  return (
    <nav className={styles.places} aria-label={label}>
      <Link to="/" {...link}>
        <House aria-hidden />
        <Trans>Home</Trans>
      </Link>
      <Link to="/pricing-table" {...link}>
        <TicketPercent aria-hidden />
        <Trans>Plans</Trans>
      </Link>
      <Link to="/orders" {...link}>
        <ReceiptText aria-hidden />
        <Trans>Orders</Trans>
      </Link>
      <Link to="/account" {...link}>
        <CircleUser aria-hidden />
        <Trans>Account</Trans>
      </Link>
    </nav>
  );
}

import { Trans } from '@lingui/react/macro';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { DevicePage } from './device-page.tsx';

/**
 * /connect-tv: a customer types the code of a TV, on a page of the account. Links and QR codes lead to /device, which
 * is public and redirects nowhere.
 */
export function ConnectTvPage() {
  return (
    <CustomerArea title={<Trans>Connect a TV</Trans>} below="/account">
      <DevicePage returnTo={undefined} />
    </CustomerArea>
  );
}

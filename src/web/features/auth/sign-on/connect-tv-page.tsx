import { Trans } from '@lingui/react/macro';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { DevicePage } from './device-page.tsx';

/**
 * /connect-tv: whoever is signed in types the code of a TV, on a page of the account. Links and QR codes lead to /device,
 * which anybody may open and where nothing leads elsewhere.
 */
export function ConnectTvPage() {
  return (
    <CustomerArea title={<Trans>Connect a TV</Trans>} below="/account">
      <DevicePage returnTo={undefined} />
    </CustomerArea>
  );
}

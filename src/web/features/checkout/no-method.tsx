import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { StateArt } from '../../ui/art/state-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { StatePage } from '../../ui/state-page.tsx';

/** The brand takes no payment for this plan in this currency at the moment. */
export function NoMethod() {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>There is no way to pay for this plan at the moment</Trans>}
      action={
        <Link to="/help" className={buttonClass()}>
          <Trans>Get help</Trans>
        </Link>
      }
    />
  );
}

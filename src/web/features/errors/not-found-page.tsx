import { Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';

/** An unknown URL. In its own file, because the error states of every page are part of the first page load. */
export function NotFoundPage() {
  const action = (
    <>
      <Link to="/" className={buttonClass()}>
        <Trans>Go to home page</Trans>
      </Link>
      <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
        <Trans>See plans</Trans>
      </Link>
    </>
  );
  return (
    <StatePage art={<StateArt kind="missing" />} title={<Trans>We can’t find this page</Trans>} action={action}>
      <p>
        <Trans>The address may be wrong, or the page has moved.</Trans>
      </p>
    </StatePage>
  );
}
